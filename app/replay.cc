#include "wyvern/app/replay.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "wyvern/multibody/visualization/visualization_config_functions.h"

namespace wyvern::app {

using geometry::Viewer;

double AlignPeriod(double period, double time_step) {
  if (time_step <= 0) return period;
  return std::max(1.0, std::round(period / time_step)) * time_step;
}

double AddAlignedVisualization(double period, double time_step,
                               std::shared_ptr<Viewer> viewer,
                               systems::DiagramBuilder<double>* builder) {
  const double aligned = AlignPeriod(period, time_step);
  visualization::ApplyVisualizationConfig({.publish_period = aligned}, builder,
                                          nullptr, nullptr, nullptr,
                                          std::move(viewer));
  return aligned;
}

std::shared_ptr<Viewer> AddReplayViewer(
    double time_step, systems::DiagramBuilder<double>* builder) {
  if (!Viewer::IsAvailable()) return nullptr;
  auto viewer = std::make_shared<Viewer>();
  const double frame_period =
      AddAlignedVisualization(1 / 30.0, time_step, viewer, builder);
  viewer->StartRecording(1 / frame_period);
  return viewer;
}

std::string FinishReplay(Viewer* viewer, const std::string& reason,
                         double time) {
  if (viewer == nullptr) return {};
  viewer->MarkRecording(reason, time);
  viewer->PublishRecording();
  return viewer->StaticHtml();
}

}  // namespace wyvern::app
