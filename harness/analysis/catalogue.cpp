#include <array>

#include "analysis/checks.hpp"
#include "analysis/findings.hpp"

namespace vmtax::analysis {
namespace {

constexpr std::array rules{
    Rule{.id = "not-direct",
         .severity = Severity::invalid,
         .title = "O_DIRECT was asked but not in force",
         .means = "One side may have been answered by a page cache; the ratio is withheld.",
         .remedy = "Use a target that takes O_DIRECT, or say direct: false on purpose.",
         .of_cell = checks::not_direct},
    Rule{.id = "emulation",
         .severity = Severity::caution,
         .title = "The guests ran under emulation (TCG), not KVM",
         .means =
             "Every instruction of the guest is translated, which costs far more than KVM does. "
             "Use the figures to compare configurations, not as their price.",
         .remedy = "Run on a host where \"vmtax check\" finds KVM usable.",
         .of_run = checks::emulation},
    Rule{.id = "nested-virtualization",
         .severity = Severity::caution,
         .title = "The host is itself a virtual machine",
         .means = "The bare arm crosses another hypervisor, and a guest under KVM is nested: both "
                  "carry costs that a physical host does not have.",
         .remedy = "Measure on the physical host where the number is to hold.",
         .of_run = checks::nested_virtualization},
    Rule{.id = "sample-failed",
         .severity = Severity::caution,
         .title = "Some measurements failed",
         .means = "The number rests on fewer rounds than asked, or there is none.",
         .remedy = "See the reasons; run again once they are removed.",
         .of_cell = checks::sample_failed},
    Rule{.id = "sample-missing",
         .severity = Severity::caution,
         .title = "Some measurements are missing",
         .means = "The number rests on fewer rounds than asked, or there is none.",
         .remedy = "Resume the run with the same command.",
         .of_cell = checks::sample_missing},
    Rule{.id = "host-cache",
         .severity = Severity::caution,
         .title = "The host's page cache answers for the drive",
         .means = "The guest's speed is RAM-backed. It is shown, but its ratios to the host's arms "
                  "would say nothing about the drive and are withheld.",
         .remedy = "Compare with cache: none, or with a workload that flushes, to see the drive.",
         .withholds = Withholds::guest_against_host,
         .of_cell = checks::host_cache},
    Rule{.id = "durability-differs",
         .severity = Severity::caution,
         .title = "Flushes of the guest are dropped (cache: unsafe)",
         .means =
             "Data that the guest believes to be safe is lost with the host's power: never rank "
             "it among configurations that keep their promises.",
         .remedy = "Use cache: none, directsync, writethrough or writeback.",
         .of_cell = checks::durability_differs},
    Rule{.id = "clock-disagrees",
         .severity = Severity::caution,
         .title = "Host and guest disagree about how long a job took",
         .means = "The guest's rates and latencies are wrong by as much as its clock is.",
         .remedy = "Check the guest's clock source; on a busy host, repeat with a longer runtime.",
         .of_cell = checks::clock_disagrees},
    Rule{.id = "resident-pages",
         .severity = Severity::caution,
         .title = "Pages of the target were still cached before a cell",
         .means = "Reads of those pages may have been answered from the host's RAM.",
         .remedy = "Find what keeps them (other readers of the image, dirty pages that can't be "
                   "written) and run again.",
         .of_cell = checks::resident_pages},
    Rule{
        .id = "guest-faster",
        .severity = Severity::caution,
        .title = "The guest was faster than the bare drive, beyond the interval",
        .means = "Something answered for the drive, or the two sides did unlike work; of forty "
                 "cells without any difference, about one shows this by chance.",
        .remedy = "Look for a cache (drive, controller, host), merged requests or a busy host arm.",
        .of_cell = checks::guest_faster},
    Rule{.id = "window-matched",
         .severity = Severity::note,
         .title = "The bare arm used the bare region, not the image's own extents",
         .means =
             "The drive may be faster or slower there than where the image lies; on a rotating "
             "drive by up to a factor of two.",
         .remedy = "Read small losses of this configuration with that in mind.",
         .of_cell = checks::window_matched},
    Rule{.id = "single-round",
         .severity = Severity::note,
         .title = "One pair only: no interval",
         .means = "Nothing is known of the spread; the true loss may be far off.",
         .remedy = "Use rounds: 3 or more.",
         .of_cell = checks::single_round},
    Rule{.id = "kernel-differs",
         .severity = Severity::note,
         .title = "Host and guest ran different kernels",
         .means = "Part of the difference may be the kernels' and not virtualization's.",
         .remedy = "Set guest.kernel to the host's own kernel.",
         .of_run = checks::kernel_differs},
    Rule{.id = "run-unfinished",
         .severity = Severity::note,
         .title = "The run was not finished",
         .means = "Only finished blocks count.",
         .remedy = "Resume it with the same command.",
         .of_run = checks::run_unfinished},
};

}  // namespace

std::span<const Rule> catalogue() {
  return rules;
}

}  // namespace vmtax::analysis
