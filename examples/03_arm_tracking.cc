// The main job: a robot arm follows way-points under PD control, with the
// torques that its model asks for as feed-forward.
//
//   way-points ---- desired [q, v] ----> +-----------------------------+
//      |                                 | plant, 1 kHz:               |
//      +---> feed-forward ---- u_ff ---> | u = -Kp (q - qd)            |
//              ^                         |     -Kd (v - vd) + u_ff     |
//              |                         +-----------------------------+
//              +------------- [q, v] ----------+  |
//                                                 +-- net actuation --> log,
//                                                     sampled at 100 Hz
//
// The wiring is in support/arm_experiment.cc. Options: ./run arm --help
#include <cstdlib>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "examples/support/arm_experiment.h"
#include "examples/support/arm_options.h"
#include "examples/support/arm_report.h"
#include "wyvern/systems/common/warning.h"
#include "wyvern/systems/plotting/write_file.h"

namespace wyvern::examples {
namespace {

int Run(const ArmOptions& options) {
  ArmExperiment experiment(options);
  for (const std::string& remark : experiment.remarks()) {
    WarnOnStderr(remark);
  }
  plotting::RequireWritable(options.out);
  experiment.AdvanceTo(experiment.end_time());
  const ArmLog log = experiment.MakeLog();
  fmt::print("{}\n", FormatTable(MakeJointTable(log, options.bound)));
  for (const report::Fact& fact : MakeFacts(log, options.bound)) {
    fmt::print("{:<24} {:>12}  {}\n", fact.label, fact.value, fact.note);
  }
  WriteArmReport(log, options);
  plotting::WriteFile(options.out / "diagram.dot", experiment.Draw());
  fmt::print("\nReport:  {}\nLog:     {}\nDiagram: {}\n",
             (options.out / "report.html").string(),
             (options.out / "log.csv").string(),
             (options.out / "diagram.dot").string());
  // The check: each joint stays within the bound of its desired position.
  return log.WorstTracker().MaxError() <= options.bound ? EXIT_SUCCESS
                                                        : EXIT_FAILURE;
}

}  // namespace
}  // namespace wyvern::examples

int main(int argc, char** argv) {
  using namespace wyvern::examples;
  try {
    int exit_code = EXIT_FAILURE;
    const auto options = ParseArmOptions(argc, argv, &exit_code);
    return options ? Run(*options) : exit_code;
  } catch (const std::exception& error) {
    fmt::print(stderr, "03_arm_tracking: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
