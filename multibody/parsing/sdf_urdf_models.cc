/* libsdformat asks for each model that is included and no SDFormat. Of URDF it
is given links and frames, so that what is around them can refer to them; it
says afterwards where it has placed the model. The model itself is read once a
file, as any URDF, copied for each <include>, and moved to its place: links by
their poses, and what is fixed to the world of the file by that of the model. */

#include "wyvern/multibody/parsing/sdf_urdf_models_private.h"

#include <stdexcept>

#include "wyvern/multibody/parsing/urdf_reader.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

ignition::math::Pose3d ToPose(const RigidTransform<double>& X) {
  const Vector3<double>& p = X.translation();
  const Eigen::Quaterniond q = X.rotation().ToQuaternion();
  return {p[0], p[1], p[2], q.w(), q.x(), q.y(), q.z()};
}

RigidTransform<double> ToTransform(const ignition::math::Pose3d& X) {
  const auto& q = X.Rot();
  return RigidTransform<double>(
      math::RotationMatrix<double>(
          Eigen::Quaterniond(q.W(), q.X(), q.Y(), q.Z()).normalized()),
      Vector3<double>(X.Pos().X(), X.Pos().Y(), X.Pos().Z()));
}

// X_ML of all links, with joints at 0; links that no joint leads to are at M,
// as is the world.
std::map<std::string, RigidTransform<double>> CalcLinkPoses(
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

// Places a model whose world is at M.
void Place(const RigidTransform<double>& X_WM, ParsedModel* model) {
  const auto X_ML = CalcLinkPoses(*model);
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

}  // namespace

void SdfUrdfModels::Register(sdf::ParserConfig* config) {
  if (includes_.urdfs.empty()) return;
  config->RegisterCustomModelParser(
      [this](const sdf::NestedInclude& include, sdf::Errors& errors) {
        sdf::InterfaceModelPtr result;
        try {
          result = Make(include);
        } catch (const std::runtime_error& error) {
          if (error_.empty()) error_ = error.what();
          errors.emplace_back(sdf::ErrorCode::FILE_READ, error.what());
        }
        return result;
      });
}

void SdfUrdfModels::RequireAccepted() const {
  if (!error_.empty()) throw std::runtime_error(error_);
}

const ParsedModel& SdfUrdfModels::ReadOnce(const std::filesystem::path& path,
                                           const XmlDocument& document) {
  const auto found = read_.find(path);
  if (found != read_.end()) return found->second;
  return read_
      .emplace(path,
               ReadUrdf(document, with_shapes_ ? &packages_ : nullptr, log_))
      .first->second;
}

sdf::InterfaceModelPtr SdfUrdfModels::Make(const sdf::NestedInclude& include) {
  const auto document = includes_.urdfs.find(include.ResolvedFileName());
  if (document == includes_.urdfs.end()) return nullptr;
  const auto included = std::make_shared<Included>();
  ParsedModel& model = included->model;
  model = ReadOnce(document->first, document->second);
  if (include.LocalModelName().has_value()) {
    model.name = *include.LocalModelName();
  }
  model.is_static = include.IsStatic().value_or(false);
  if (model.links.empty()) {
    document->second.root().Throw("the robot has no <link>.");
  }
  const auto result = std::make_shared<sdf::InterfaceModel>(
      model.name,
      [included](const sdf::InterfaceModelPoseGraph& graph) {
        ignition::math::Pose3d X_WM;
        if (graph.ResolveNestedModelFramePoseInWorldFrame(X_WM).empty()) {
          included->X_WM = ToTransform(X_WM);
        }
      },
      model.is_static, model.links.front().name,
      include.IncludeRawPose().value_or(ignition::math::Pose3d()));
  const auto X_ML = CalcLinkPoses(model);
  for (const ParsedLink& link : model.links) {
    result->AddLink({link.name, ToPose(X_ML.at(link.name))});
  }
  for (const ParsedFrame& frame : model.frames) {
    if (frame.link == kWorldName) continue;
    result->AddFrame({frame.name, frame.link, ToPose(frame.X_LF)});
  }
  given_.emplace_back(result, included);
  return result;
}

ParsedModel SdfUrdfModels::Get(const sdf::InterfaceModel& model) const {
  for (const auto& [given, included] : given_) {
    if (given.get() != &model) continue;
    ParsedModel result = included->model;
    Place(included->X_WM, &result);
    return result;
  }
  throw std::logic_error("SdfUrdfModels::Get(): the model is of no URDF file.");
}

}  // namespace wyvern::multibody::internal
