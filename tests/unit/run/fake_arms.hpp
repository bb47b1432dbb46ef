// Arms without a machine: they measure exactly what they are told to, on a clock of their own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "run/arm.hpp"
#include "run/clock.hpp"

namespace vmtax::test {

class FakeClock : public run::Clock {
 public:
  Nanoseconds now() const override { return time; }
  std::int64_t unix_now_ns() const override { return time.count(); }
  mutable Nanoseconds time{0};
};

class FakeArms : public run::ArmSource {
 public:
  explicit FakeArms(FakeClock& clock) : clock_(clock) {}

  /// One word per event: "arrive guest raw", "settle", "run 32", "leave", "gone" (ended unasked).
  std::vector<std::string> events;
  /// Called for each event before it happens; may throw.
  std::function<void(const std::string&)> on_event = [](const std::string&) {};

  std::unique_ptr<run::Arm> arrive(const plan::PlannedDrive&, const plan::Visit& visit) override {
    note("arrive " + std::string{plan::to_text(visit.arm)} + " " +
         (visit.configuration.empty() ? visit.footprint : visit.configuration));
    clock_.time += std::chrono::seconds{5};
    return std::make_unique<FakeArm>(*this);
  }

 private:
  class FakeArm : public run::Arm {
   public:
    explicit FakeArm(FakeArms& source) : source_(source) {}
    ~FakeArm() override {
      if (!left_) source_.events.push_back("gone");
    }
    protocol::IoOutcome run(const protocol::IoJob& job) override {
      source_.note("run " + std::to_string(job.iodepth));
      source_.clock_.time += job.ramp + job.runtime;
      protocol::IoResult result;
      result.ios = 10 * job.iodepth;
      for (std::uint64_t i = 0; i < result.ios; ++i)
        for (auto* latencies : {&result.lat, &result.slat, &result.clat}) latencies->add(1000);
      result.bytes = job.block_size * result.ios;
      result.elapsed = job.runtime;
      result.direct = job.direct;
      return result;
    }
    Bytes settle() override {
      source_.note("settle");
      source_.clock_.time += std::chrono::milliseconds{100};
      return Bytes{4096};
    }
    nlohmann::json facts() override { return {{"kernel_release", "6.1"}}; }
    void leave() override {
      source_.note("leave");
      left_ = true;
    }

   private:
    FakeArms& source_;
    bool left_ = false;
  };

  void note(const std::string& event) {
    on_event(event);
    events.push_back(event);
  }

  FakeClock& clock_;
};

}  // namespace vmtax::test
