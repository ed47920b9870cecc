#include "wyvern/app/replay.h"

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/visualization/visualization_config_functions.h"

namespace wyvern::app {

using geometry::Viewer;

double AlignPeriod(double period, double time_step) {
  if (time_step <= 0) return period;
  return std::max(1.0, std::round(period / time_step)) * time_step;
}

std::shared_ptr<Viewer> AddReplayViewer(
    double time_step, systems::DiagramBuilder<double>* builder) {
  if (!Viewer::IsAvailable()) return nullptr;
  const double frame_period = AlignPeriod(1 / 30.0, time_step);
  auto viewer = std::make_shared<Viewer>();
  visualization::ApplyVisualizationConfig({.publish_period = frame_period},
                                          builder, nullptr, nullptr, nullptr,
                                          viewer);
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
