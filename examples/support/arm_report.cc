// The log becomes a table, a few facts, plots and a CSV file. The table and the
// facts also serve the terminal. Headings say the units: mrad and N·m of joints
// that turn, mm and N of those that slide, and both of a robot that has both,
// where the cells of a joint that slides carry its own.

#include "examples/support/arm_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "examples/support/arm_replay.h"
#include "wyvern/systems/plotting/write_file.h"

namespace wyvern::examples {

using plotting::Plot;
using plotting::Stroke;
using plotting::WriteFile;
using report::Fact;
using report::Report;
using report::Table;

namespace {

constexpr const char* kTime = "time [s]";

bool AnySlides(const ArmLog& log, bool wanted = true) {
  return std::ranges::any_of(log.joints, [wanted](const JointLog& joint) {
    return joint.slides == wanted;
  });
}

// "[mrad]", "[mm]", or "[mrad or mm]" of a robot with both kinds of joint.
std::string UnitOf(const ArmLog& log, std::string_view of_turning,
                   std::string_view of_sliding) {
  if (!AnySlides(log)) return fmt::format("[{}]", of_turning);
  if (!AnySlides(log, false)) return fmt::format("[{}]", of_sliding);
  return fmt::format("[{} or {}]", of_turning, of_sliding);
}

std::vector<Plot> PlotPositions(const ArmLog& log) {
  std::vector<Plot> plots;
  for (const JointLog& joint : log.joints) {
    plots.push_back(
        {.title = joint.name,
         .x_label = kTime,
         .y_label = joint.slides ? "position [m]" : "position [rad]",
         .series = {
             {"desired", log.time, joint.desired, 1, Stroke::kBand},
             {"simulated", log.time, joint.position, 0, Stroke::kLine}}});
  }
  return plots;
}

std::vector<Plot> PlotTorques(const ArmLog& log) {
  std::vector<Plot> plots;
  for (const JointLog& joint : log.joints) {
    Plot plot{.title = joint.name,
              .x_label = kTime,
              .y_label = joint.slides ? "force [N]" : "torque [N·m]",
              .series = {{"net actuation", log.time, joint.torque}}};
    // Limits far away would press the curve flat: then the title has them.
    if (joint.PeakTorque() >= 0.3 * joint.effort_limit) {
      plot.limits = {-joint.effort_limit, joint.effort_limit};
    } else if (std::isfinite(joint.effort_limit)) {
      plot.title += fmt::format(" (limit {:g})", joint.effort_limit);
    }
    plots.push_back(plot);
  }
  return plots;
}

Plot PlotErrors(const ArmLog& log) {
  Plot plot{.title = "Desired less simulated position",
            .x_label = kTime,
            .y_label = "error " + UnitOf(log, "mrad", "mm"),
            .width = 1060,
            .height = 260};
  for (const JointLog& joint : log.joints) {
    plot.series.push_back(
        {joint.name, log.time, 1e3 * (joint.desired - joint.position),
         static_cast<int>(plot.series.size()) % plotting::kNumSeriesColors});
  }
  return plot;
}

Plot PlotEnergy(const ArmLog& log) {
  const Eigen::VectorXd potential =
      log.potential_energy.array() - log.potential_energy[0];
  const Eigen::VectorXd kinetic =
      log.kinetic_energy.array() - log.kinetic_energy[0];
  return {.title = "Energy gained since the start",
          .x_label = kTime,
          .y_label = "energy [J]",
          .series = {{"work of the actuators less damping", log.time,
                      log.NetWork(), 1, Stroke::kBand},
                     {"kinetic + potential", log.time, kinetic + potential, 0},
                     {"kinetic", log.time, kinetic, 2},
                     {"potential", log.time, potential, 3}},
          .width = 1060,
          .height = 280};
}

std::string MakeCsv(const ArmLog& log) {
  std::string csv = "time";
  for (const JointLog& joint : log.joints) {
    csv += fmt::format(",{0}.position,{0}.desired,{0}.velocity,{0}.torque",
                       joint.name);
  }
  csv += ",kinetic_energy,potential_energy\n";
  for (int k = 0; k < log.time.size(); ++k) {
    csv += fmt::format("{}", log.time[k]);
    for (const JointLog& joint : log.joints) {
      csv += fmt::format(",{},{},{},{}", joint.position[k], joint.desired[k],
                         joint.velocity[k], joint.torque[k]);
    }
    csv +=
        fmt::format(",{},{}\n", log.kinetic_energy[k], log.potential_energy[k]);
  }
  return csv;
}

}  // namespace

Table MakeJointTable(const ArmLog& log, double bound) {
  const std::string error = UnitOf(log, "mrad", "mm");
  const std::string effort = UnitOf(log, "N·m", "N");
  const bool is_mixed = AnySlides(log) && AnySlides(log, false);
  Table table{
      {"joint", "max error " + error, "rms error " + error,
       (AnySlides(log) ? "peak effort " : "peak torque ") + effort,
       "limit " + effort, "used [%]", "kp " + UnitOf(log, "N·m/rad", "N/m"),
       "kd " + UnitOf(log, "N·m·s/rad", "N·s/m")},
      {}};
  std::vector<JointLog> joints = log.joints;
  std::stable_partition(
      joints.begin(), joints.end(),
      [bound](const JointLog& joint) { return joint.MaxError() > bound; });
  const bool any_fails = joints.front().MaxError() > bound;
  if (any_fails) table.headings.push_back("fails because");
  for (const JointLog& joint : joints) {
    const double peak = joint.PeakTorque();
    const char* length = is_mixed && joint.slides ? " mm" : "";
    const char* force = is_mixed && joint.slides ? " N" : "";
    table.rows.push_back(
        {joint.name, fmt::format("{:.3f}{}", 1e3 * joint.MaxError(), length),
         fmt::format("{:.3f}{}", 1e3 * joint.RmsError(), length),
         fmt::format("{:.2f}{}", peak, force),
         fmt::format("{:g}{}", joint.effort_limit, force),
         fmt::format("{:.1f}", 100.0 * peak / joint.effort_limit),
         fmt::format("{:.5g}", joint.kp), fmt::format("{:.5g}", joint.kd)});
    if (any_fails) table.rows.back().push_back(joint.ExplainFailure(bound));
  }
  return table;
}

std::vector<Fact> MakeFacts(const ArmLog& log, double bound) {
  const JointLog& worst = log.WorstTracker();
  const JointLog& loaded = log.MostLoaded();
  const char* unit = worst.slides ? "mm" : "mrad";
  const double steps_per_second =
      static_cast<double>(log.num_steps) / log.wall_time;
  return {{"Largest tracking error",
           fmt::format("{:.3f} {}", 1e3 * worst.MaxError(), unit),
           fmt::format("{}; bound {:g} {}: {}", worst.name, 1e3 * bound, unit,
                       worst.MaxError() <= bound ? "passed" : "FAILED")},
          {"Peak torque",
           fmt::format("{:.1f} %",
                       100.0 * loaded.PeakTorque() / loaded.effort_limit),
           fmt::format("of the limit, {}", loaded.name)},
          {"Steps", fmt::format("{}", log.num_steps),
           fmt::format("of {:g} ms, {:.0f} per s", 1e3 * log.time_step,
                       steps_per_second)},
          {"Wall time", fmt::format("{:.3f} s", log.wall_time),
           fmt::format("for {:g} s: {:.0f} times real time", log.simulated_time,
                       log.simulated_time / log.wall_time)}};
}

std::vector<report::Check> MakeChecks(const ArmLog& log, double bound) {
  const JointLog& worst = log.WorstTracker();
  const char* unit = worst.slides ? "mm" : "mrad";
  return {
      {"Every joint stays by its desired position",
       fmt::format("{:.3f} {} at {}", 1e3 * worst.MaxError(), unit, worst.name),
       fmt::format("at most {:g} {}", 1e3 * bound, unit),
       worst.MaxError() <= bound}};
}

void WriteArmReport(const ArmLog& log, const ArmOptions& options) {
  const double bound = options.bound;
  const auto today =
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date(today);
  Report page(
      fmt::format("Arm tracking: {}", log.robot),
      fmt::format("{} joints under PD control with feed-forward follow "
                  "way-points; discrete plant at {:g} Hz, logged at 100 Hz. "
                  "{}; Wyvern {}, {}-{:02}-{:02}.",
                  log.joints.size(), 1.0 / log.time_step, options.command,
                  WYVERN_VERSION, static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day())));
  page.AddFacts(MakeFacts(log, bound));
  page.AddChecks(MakeChecks(log, bound));
  std::vector<std::string> remarks = log.remarks;
  std::string remark;
  page.AddReplay(MakeArmReplay(log, options, &remark));
  if (!remark.empty()) remarks.push_back(remark);
  page.AddTable("Joints", MakeJointTable(log, bound));
  page.AddPlots("Positions", "The line should run inside the band.",
                PlotPositions(log));
  page.AddPlots("Tracking error", "What PD control leaves of it.",
                {PlotErrors(log)});
  page.AddPlots("Torques",
                "Applied by each actuator in the step before, against its "
                "limits; zero before the first step.",
                PlotTorques(log));
  page.AddPlots("Energy",
                "What the actuators put in, less what damping takes, is what "
                "the arm gains: kinetic + potential should lie on the band.",
                {PlotEnergy(log)});
  page.AddStatistics(log.statistics);
  page.AddWarnings(remarks);
  WriteFile(options.out / "log.csv", MakeCsv(log));
  page.Save(options.out / "report.html");
}

}  // namespace wyvern::examples
