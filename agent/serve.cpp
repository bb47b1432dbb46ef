#include "agent/serve.hpp"

#include "agent/session.hpp"

namespace vmtax::agent {

ServeEnd serve(Port& port, const ServeOptions& options) {
  using Clock = std::chrono::steady_clock;
  // While a job runs, progress and its watch want a look once a second; else only the patience
  // does.
  constexpr std::chrono::milliseconds look_interval{1000};
  Session session{port, options.is_guest};
  std::string received;
  auto lost_at = Clock::now();
  std::chrono::seconds patience = options.patience_at_start;
  for (;;) {
    received.clear();
    switch (port.wait(session.job_fd(), look_interval, received)) {
      case Port::Event::closed:
        return ServeEnd::harness_gone;
      case Port::Event::hung_up:
        session.forget_partial_frame();
        if (!session.running() && Clock::now() - lost_at > patience) return ServeEnd::harness_gone;
        break;
      case Port::Event::data:
        session.receive(received);
        patience = options.patience_after_loss;
        [[fallthrough]];
      case Port::Event::timeout:
      case Port::Event::other_fd:
        lost_at = Clock::now();
        break;
    }
    if (session.power_off_asked()) return ServeEnd::power_off;
    session.look_after_job();
  }
}

}  // namespace vmtax::agent
