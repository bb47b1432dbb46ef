// How long a guest takes from its definition to the agent's answered ping, and how long one round
// trip through libvirt's channel takes then. Not a test: a busy machine makes it slower. QEMU's own
// CPU time until the ping hardly depends on that and is printed beside it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "guest_bench.hpp"

using namespace vmtax;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpu_seconds(pid_t pid) {
  const auto stat = read_text("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields{stat.substr(stat.rfind(") ") + 2)};
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int round_trips = 200;
  const int boots = argc > 1 ? std::atoi(argv[1]) : 5;
  test::GuestBench bench;
  if (argc > 2) bench.spec.kernel_arguments += std::string{" "} + argv[2];
  const auto name = bench.spec.name;
  std::vector<double> pings, cpus, trips, ends;
  for (int i = 0; i <= boots; ++i) {
    bench.spec.name = name + "-" + std::to_string(i);
    const auto defined = Clock::now();
    auto domain = bench.hypervisor.start(bench.spec);
    run::AgentClient client{domain.channel()};
    test::greet(client);
    const double ping = seconds_since(defined);
    const double cpu = cpu_seconds(domain.pid());
    const auto asked = Clock::now();
    for (int k = 0; k < round_trips; ++k)
      client.greet(Deadline{"a greeting", std::chrono::seconds{5}});
    const double trip = seconds_since(asked) / round_trips / 2;  // a ping and a hello each
    const auto ending = Clock::now();
    domain.end(Deadline{"no grace", std::chrono::seconds{0}});
    const double end = seconds_since(ending);
    std::printf("%s %.2f s to the ping, QEMU's CPU %.2f s, round trip %.3f ms, end %.3f s\n",
                i == 0 ? "(first in a new root, not counted)" : "boot", ping, cpu, trip * 1e3, end);
    if (i == 0) continue;
    pings.push_back(ping);
    cpus.push_back(cpu);
    trips.push_back(trip);
    ends.push_back(end);
  }
  std::printf(
      "median of %d boots: %.2f s to the ping, QEMU's CPU %.2f s, round trip %.3f ms, "
      "end %.3f s\n",
      boots, median(pings), median(cpus), median(trips) * 1e3, median(ends));
}
