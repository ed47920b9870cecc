#include "wyvern/multibody/parsing/sdf_urdf_place.h"

#include <optional>
#include <vector>

#include "wyvern/geometry/shapes/geometry_instance.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;

std::map<std::string, RigidTransform<double>> CalcUrdfLinkPoses(
    const ParsedModel& model) {
  std::map<std::string, RigidTransform<double>> result;
  std::map<std::string, std::vector<const ParsedJoint*>> outward;
  std::map<std::string, int> num_inboard;
  for (const ParsedJoint& joint : model.joints) {
    outward[joint.parent].push_back(&joint);
    ++num_inboard[joint.child];
  }
  std::vector<std::string> to_do{kWorldName};
  for (const ParsedLink& link : model.links) {
    if (num_inboard[link.name] == 0) to_do.push_back(link.name);
  }
  for (const std::string& root : to_do) result[root] = {};
  while (!to_do.empty()) {
    const std::string parent = to_do.back();
    to_do.pop_back();
    for (const ParsedJoint* joint : outward[parent]) {
      const RigidTransform<double> none;
      const RigidTransform<double> X_MC = result.at(parent) *
                                          joint->X_PF.value_or(none) *
                                          joint->X_CM.value_or(none).inverse();
      if (!result.try_emplace(joint->child, X_MC).second) continue;
      to_do.push_back(joint->child);
    }
  }
  // Links that are in a loop of joints alone.
  for (const ParsedLink& link : model.links) result.try_emplace(link.name);
  return result;
}

void PlaceUrdf(const RigidTransform<double>& X_WM, ParsedModel* model) {
  const auto X_ML = CalcUrdfLinkPoses(*model);
  for (ParsedLink& link : model->links) link.X_WB = X_WM * X_ML.at(link.name);
  for (auto* shapes : {&model->world.visuals, &model->world.collisions}) {
    for (geometry::GeometryInstance& shape : *shapes) {
      shape.set_pose(X_WM * shape.pose());
    }
  }
  const auto move = [&](std::optional<RigidTransform<double>>* X) {
    *X = X_WM * X->value_or(RigidTransform<double>());
  };
  for (ParsedJoint& joint : model->joints) {
    if (joint.parent == kWorldName) move(&joint.X_PF);
    if (joint.child == kWorldName) move(&joint.X_CM);
  }
  for (ParsedFrame& frame : model->frames) {
    if (frame.link == kWorldName) frame.X_LF = X_WM * frame.X_LF;
  }
  const auto move_points = [&](auto* elements) {
    for (auto& element : *elements) {
      if (element.body_A == kWorldName) element.p_AP = X_WM * element.p_AP;
      if (element.body_B == kWorldName) element.p_BQ = X_WM * element.p_BQ;
    }
  };
  move_points(&model->spring_dampers);
  move_points(&model->ball_constraints);
}

}  // namespace wyvern::multibody::internal
