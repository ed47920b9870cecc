/* A document goes through libsdformat in one session: its text becomes
elements, after those of the files that it includes were tried, and elements
become a Root, which knows how frames and poses hang together. ModelReader then
goes through each model, inner ones first, and reads the values itself, so that
what is wrong is said with its file and line. */

#include "wyvern/multibody/parsing/sdf_reader.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sdf/Collision.hh>
#include <sdf/Console.hh>
#include <sdf/Element.hh>
#include <sdf/Exception.hh>
#include <sdf/Frame.hh>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/ParserConfig.hh>
#include <sdf/Root.hh>
#include <sdf/SDFImpl.hh>
#include <sdf/Visual.hh>
#include <sdf/World.hh>
#include <sdf/parser.hh>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/parsing/element_tags.h"
#include "wyvern/multibody/parsing/inertia_repair.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/sdf_frames_alone.h"
#include "wyvern/multibody/parsing/sdf_geometry.h"
#include "wyvern/multibody/parsing/sdf_includes.h"
#include "wyvern/multibody/parsing/sdf_joint.h"
#include "wyvern/multibody/parsing/sdf_places.h"
#include "wyvern/multibody/parsing/sdf_urdf_models_private.h"
#include "wyvern/multibody/parsing/sdf_world_joint.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;
using math::RotationMatrix;

namespace {

Vector3<double> ToEigen(const ignition::math::Vector3d& v) {
  return {v.X(), v.Y(), v.Z()};
}

SdfElement Wrap(const sdf::ElementPtr& element, std::string subject = {}) {
  return SdfElement(element, std::move(subject));
}

// The first of several errors is the cause.
void RequireNoErrors(const sdf::Errors& errors, const std::string& place) {
  for (const sdf::Error& error : errors) {
    // Inertia is checked here.
    if (error.Code() == sdf::ErrorCode::LINK_INERTIA_INVALID) continue;
    const std::string file = error.FilePath().value_or("");
    const bool has_file = !file.empty() && !file.starts_with("<");
    const std::string where =
        error.LineNumber().has_value()
            ? fmt::format("{}:{}",
                          has_file ? file : place.substr(0, place.rfind(':')),
                          *error.LineNumber())
            : place;
    throw std::runtime_error(fmt::format("{}: {}", where, error.Message()));
  }
}

RigidTransform<double> Resolve(const sdf::SemanticPose& pose,
                               const std::string& to, const SdfElement& e) {
  ignition::math::Pose3d X;
  RequireNoErrors(pose.Resolve(X, to), e.place());
  const ignition::math::Quaterniond& q = X.Rot();
  const Vector3<double> p = ToEigen(X.Pos());
  const Eigen::Quaterniond rotation(q.W(), q.X(), q.Y(), q.Z());
  if (!p.allFinite() || !rotation.coeffs().allFinite()) {
    e.Throw("the pose is not finite.");
  }
  return RigidTransform<double>(RotationMatrix<double>(rotation.normalized()),
                                p);
}

/** Reads one model, and those nested in it. */
class ModelReader {
 public:
  ModelReader(const sdf::Model& model, const RigidTransform<double>& X_WM,
              bool is_static, const SdfUrdfModels& urdfs,
              const PackageMap* packages, WarningLog* log)
      : model_(model),
        element_(
            Wrap(model.Element(), fmt::format("model '{}'", model.Name()))),
        X_WM_(X_WM),
        urdfs_(urdfs),
        packages_(packages),
        log_(log) {
    result_.name = model.Name();
    result_.is_static = is_static || model.Static();
  }

  ParsedModel Read() {
    element_.WarnOfOtherChildren(
        {"link", "joint", "frame", "model", "include", "pose", "static",
         "drake:joint", "drake:linear_bushing_rpy",
         "drake:linear_spring_damper", "drake:ball_constraint",
         "drake:collision_filter_group"},
        log_);
    ReadNested();
    for (std::uint64_t i = 0; i < model_.LinkCount(); ++i) {
      ReadLink(*model_.LinkByIndex(i));
    }
    SetGravity();
    AddModelFrame();
    for (std::uint64_t i = 0; i < model_.FrameCount(); ++i) {
      ReadFrame(*model_.FrameByIndex(i));
    }
    for (std::uint64_t i = 0; i < model_.JointCount(); ++i) {
      ReadJoint(*model_.JointByIndex(i));
    }
    for (const SdfElement& child : element_.children()) {
      if (child.IsExtension()) ReadExtension(child);
    }
    RequireReferences();
    return std::move(result_);
  }

  // The links of this model and those in it, by name, posed in the world.
  const std::map<std::string, RigidTransform<double>>& links() const {
    return X_WL_;
  }
  const std::set<std::string>& joints() const { return joints_; }

 private:
  void ReadNested() {
    for (std::uint64_t i = 0; i < model_.ModelCount(); ++i) {
      const sdf::Model& inner = *model_.ModelByIndex(i);
      const SdfElement element = Wrap(inner.Element());
      ModelReader reader(inner,
                         X_WM_ * Resolve(inner.SemanticPose(), "", element),
                         result_.is_static, urdfs_, packages_, log_);
      result_.nested.push_back(reader.Read());
      const std::string scope = inner.Name() + "::";
      for (const auto& [name, X] : reader.links()) X_WL_[scope + name] = X;
      for (const auto& name : reader.joints_) joints_.insert(scope + name);
      for (const auto& name : reader.one_dof_) one_dof_.insert(scope + name);
      for (const auto& name : reader.frames_) frames_.insert(scope + name);
    }
    for (std::uint64_t i = 0; i < model_.InterfaceModelCount(); ++i) {
      AddUrdf(urdfs_.Get(*model_.InterfaceModelByIndex(i)));
    }
  }

  void AddUrdf(ParsedModel inner) {
    inner.is_static = inner.is_static || result_.is_static;
    const std::string scope = inner.name + "::";
    for (const ParsedLink& link : inner.links) {
      X_WL_[scope + link.name] = *link.X_WB;
      frames_.insert(scope + link.name);
    }
    for (const ParsedFrame& frame : inner.frames) {
      frames_.insert(scope + frame.name);
    }
    for (const ParsedJoint& joint : inner.joints) {
      joints_.insert(scope + joint.name);
      frames_.insert(scope + joint.name + "_parent");
      if (HasOneDof(joint)) one_dof_.insert(scope + joint.name);
    }
    result_.nested.push_back(std::move(inner));
  }

  void ReadLink(const sdf::Link& link) {
    const SdfElement element =
        Wrap(link.Element(), fmt::format("link '{}'", link.Name()));
    element.WarnOfOtherChildren(
        {"pose", "inertial", "visual", "collision", "gravity"}, log_);
    ParsedLink result{link.Name()};
    result.place = element.place();
    result.M_BBo_B = ReadInertial(link, element);
    const RigidTransform<double> X_ML =
        Resolve(link.SemanticPose(), "__model__", element);
    result.X_WB = X_WM_ * X_ML;
    X_WL_[link.Name()] = *result.X_WB;
    ClaimFrame(link.Name(), element);
    ReadGeometries(link, &result);
    result.has_gravity = element.Bool("gravity").value_or(true);
    result_.links.push_back(std::move(result));
  }

  void ReadGeometries(const sdf::Link& link, ParsedLink* result) {
    GeometryNames visual_names;
    GeometryNames collision_names;
    const auto read = [&](const auto& geometry, GeometryNames* names) {
      const SdfElement element =
          Wrap(geometry.Element(), fmt::format("link '{}'", link.Name()));
      ReadSdfGeometry(element,
                      Resolve(geometry.SemanticPose(), link.Name(), element),
                      packages_, names, log_, result);
    };
    for (std::uint64_t i = 0; i < link.VisualCount(); ++i) {
      read(*link.VisualByIndex(i), &visual_names);
    }
    for (std::uint64_t i = 0; i < link.CollisionCount(); ++i) {
      read(*link.CollisionByIndex(i), &collision_names);
    }
  }

  SpatialInertia<double> ReadInertial(const sdf::Link& link,
                                      const SdfElement& element) {
    const SdfElement where = element.Child("inertial").value_or(element);
    if (where.name() == "inertial") {
      where.WarnOfOtherChildren({"pose", "mass", "inertia"}, log_);
      if (const auto inertia = where.Child("inertia")) {
        inertia->WarnOfOtherChildren({"ixx", "iyy", "izz", "ixy", "ixz", "iyz"},
                                     log_);
      }
    }
    const auto& inertial = link.Inertial();
    const auto& M = inertial.MassMatrix();
    const auto& q = inertial.Pose().Rot();
    const Vector3<double> p_BoBcm = ToEigen(inertial.Pose().Pos());
    const Eigen::Quaterniond rotation(q.W(), q.X(), q.Y(), q.Z());
    WrittenInertia written;
    written.mass = M.Mass();
    written.moments = ToEigen(M.DiagonalMoments());
    written.products = ToEigen(M.OffDiagonalMoments());
    if (!std::isfinite(written.mass) || !p_BoBcm.allFinite() ||
        !written.moments.allFinite() || !written.products.allFinite() ||
        !rotation.coeffs().allFinite()) {
      element.Throw("<inertial> has a number that is not finite.");
    }
    written.X_BC = RigidTransform<double>(
        RotationMatrix<double>(rotation.normalized()), p_BoBcm);
    std::string remark;
    try {
      const SpatialInertia<double> result = RepairInertia(written, &remark);
      if (!remark.empty()) where.Warn(remark, log_);
      return result;
    } catch (const std::logic_error& error) {
      element.Throw(fmt::format("no body has this inertia. {}", error.what()));
    }
  }

  // Gravity is off for the model instance if it is off for all links, and
  // otherwise by link.
  void SetGravity() {
    if (result_.links.empty() ||
        std::ranges::any_of(result_.links, &ParsedLink::has_gravity)) {
      return;
    }
    result_.has_gravity = false;
    for (ParsedLink& link : result_.links) link.has_gravity = true;
  }

  void ClaimFrame(const std::string& name, const SdfElement& element) {
    if (frames_.insert(name).second) return;
    element.Throw(fmt::format(
        "there is already a frame '{}'; names must be unique.", name));
  }

  const RigidTransform<double>& PoseOfLink(const std::string& name,
                                           const SdfElement& element) const {
    const auto found = X_WL_.find(name);
    if (found != X_WL_.end()) return found->second;
    element.Throw(fmt::format("there is no link '{}'.", name));
  }

  void AddModelFrame() {
    const std::string name = model_.CanonicalLinkAndRelativeName().second;
    const auto link = X_WL_.find(name);
    ClaimFrame("__model__", element_);
    if (model_.LinkCount() == 0 && model_.ModelCount() == 0) {
      result_.frames.push_back({"__model__", kWorldName, X_WM_});
    }
    if (link == X_WL_.end()) return;
    result_.frames.push_back(
        {"__model__", name, link->second.InvertAndCompose(X_WM_)});
  }

  void ReadFrame(const sdf::Frame& frame) {
    const SdfElement element =
        Wrap(frame.Element(), fmt::format("frame '{}'", frame.Name()));
    std::string link;
    RequireNoErrors(frame.ResolveAttachedToBody(link), element.place());
    ClaimFrame(frame.Name(), element);
    // The frame belongs to a static model without links.
    if (link.ends_with("__model__")) {
      result_.frames.push_back(
          {frame.Name(), kWorldName,
           X_WM_ * Resolve(frame.SemanticPose(), "__model__", element)});
      return;
    }
    PoseOfLink(link, element);
    result_.frames.push_back(
        {frame.Name(), link, Resolve(frame.SemanticPose(), link, element)});
  }

  void ReadJoint(const sdf::Joint& joint) {
    const SdfElement element =
        Wrap(joint.Element(), fmt::format("joint '{}'", joint.Name()));
    std::optional<ParsedActuator> actuator;
    ParsedJoint result = ReadSdfJoint(element, &actuator, log_);
    RequireNoErrors(joint.ResolveParentLink(result.parent), element.place());
    RequireNoErrors(joint.ResolveChildLink(result.child), element.place());
    const RotationMatrix<double> R_JF = ReadAxes(joint, element, &result);
    const RigidTransform<double> X_JF(R_JF);
    const auto in = [&](const std::string& link) {
      if (link != kWorldName) {
        return Resolve(joint.SemanticPose(), link, element) * X_JF;
      }
      return X_WM_ * Resolve(joint.SemanticPose(), "__model__", element) * X_JF;
    };
    // As written by many: the frame of the joint is that of its parent.
    const RigidTransform<double> X_PF = in(result.parent);
    if (!X_PF.IsExactlyIdentity()) result.X_PF = X_PF;
    result.X_CM = in(result.child);
    AddJoint(element, std::move(result));
    if (actuator.has_value()) {
      result_.actuators.push_back(std::move(*actuator));
    }
  }

  static RotationMatrix<double> ReadAxes(const sdf::Joint& joint,
                                         const SdfElement& element,
                                         ParsedJoint* result) {
    return SetSdfAxes(
        element,
        [&](int i) -> Vector3<double> {
          const sdf::JointAxis* const given = joint.Axis(i);
          if (given == nullptr) {
            element.Throw(
                fmt::format("there is no <{}>.", i == 0 ? "axis" : "axis2"));
          }
          ignition::math::Vector3d xyz;
          RequireNoErrors(given->ResolveXyz(xyz), element.place());
          return ToEigen(xyz);
        },
        result);
  }

  void AddJoint(const SdfElement& element, ParsedJoint joint) {
    for (const std::string& link : {joint.parent, joint.child}) {
      if (link != kWorldName) PoseOfLink(link, element);
    }
    if (joint.parent == joint.child) {
      element.Throw(
          fmt::format("parent and child are both link '{}'.", joint.child));
    }
    if (!joints_.insert(joint.name).second) {
      element.Throw(fmt::format("there is already a joint '{}'.", joint.name));
    }
    if (HasOneDof(joint)) one_dof_.insert(joint.name);
    // The joint's frames are in the child's model.
    const std::size_t end = joint.child.rfind("::");
    const std::string scope =
        end == std::string::npos ? "" : joint.child.substr(0, end + 2);
    ClaimFrame(scope + joint.name + "_parent", element);
    ClaimFrame(scope + joint.name + "_child", element);
    if (joint.mimic.has_value()) {
      references_.push_back({joint.name, joint.mimic->joint, element});
    }
    result_.joints.push_back(std::move(joint));
  }

  // The link and pose of a frame by name.
  std::pair<std::string, RigidTransform<double>> Locate(
      const std::string& name, const SdfElement& element) const {
    if (name == kWorldName || X_WL_.contains(name)) return {name, {}};
    for (const ParsedFrame& frame : result_.frames) {
      if (frame.name == name) return {frame.link, frame.X_LF};
    }
    element.Throw(fmt::format("there is no link or frame '{}'.", name));
  }

  void ReadExtension(const SdfElement& element) {
    const std::string name = element.unprefixed_name();
    if (name == "joint") {
      ParsedJoint joint = ReadSdfExtensionJoint(element, log_);
      const auto parent =
          Locate(element.RequiredChild("parent").text(), element);
      const auto child = Locate(element.RequiredChild("child").text(), element);
      joint.parent = parent.first;
      joint.child = child.first;
      joint.X_PF = parent.second;
      joint.X_CM = child.second;
      AddJoint(element, std::move(joint));
    } else if (name == "linear_bushing_rpy") {
      result_.bushings.push_back(ReadBushing(element.Tags(), log_));
      RequireFrame(result_.bushings.back().frame_A, element);
      RequireFrame(result_.bushings.back().frame_C, element);
    } else if (name == "linear_spring_damper") {
      result_.spring_dampers.push_back(ReadSpringDamper(element.Tags(), log_));
      RequireLink(result_.spring_dampers.back().body_A, element);
      RequireLink(result_.spring_dampers.back().body_B, element);
    } else if (name == "ball_constraint") {
      result_.ball_constraints.push_back(
          ReadBallConstraint(element.Tags(), log_));
      RequireLink(result_.ball_constraints.back().body_A, element);
      RequireLink(result_.ball_constraints.back().body_B, element);
    } else if (name == "collision_filter_group") {
      ReadGroup(element);
    }
  }

  void ReadGroup(const SdfElement& element) {
    ParsedFilterGroup group = ReadFilterGroup(element.RequiredAttribute("name"),
                                              element.Tags(), log_);
    for (const std::string& link : group.members) RequireLink(link, element);
    if (!groups_.insert(group.name).second) {
      element.Throw(fmt::format("there is already a group '{}'.", group.name));
    }
    result_.filter_groups.push_back(std::move(group));
  }

  void RequireLink(const std::string& name, const SdfElement& element) const {
    if (name != kWorldName) PoseOfLink(name, element);
  }

  void RequireFrame(const std::string& name, const SdfElement& element) const {
    if (name == kWorldName || frames_.contains(name)) return;
    element.Throw(fmt::format("there is no link or frame '{}'.", name));
  }

  // Checks references to elements that are read later. A joint without its
  // leader moves by itself.
  void RequireReferences() {
    for (const auto& [name, other, element] : references_) {
      if (other != name && one_dof_.contains(other)) continue;
      element.Warn(fmt::format(kLostMimic, other), log_);
      std::ranges::find(result_.joints, name, &ParsedJoint::name)
          ->mimic.reset();
    }
    for (const ParsedFilterGroup& group : result_.filter_groups) {
      for (const auto* names : {&group.member_groups, &group.ignored_groups}) {
        for (const std::string& name : *names) {
          if (groups_.contains(name)) continue;
          element_.Throw(fmt::format(
              "collision filter group '{}' refers to the group '{}', which is "
              "not there.",
              group.name, name));
        }
      }
    }
  }

  struct Reference {
    std::string joint;
    std::string other;
    SdfElement element;
  };

  const sdf::Model& model_;
  const SdfElement element_;
  const RigidTransform<double> X_WM_;
  const SdfUrdfModels& urdfs_;
  const PackageMap* const packages_;
  WarningLog* const log_;
  ParsedModel result_;
  std::map<std::string, RigidTransform<double>> X_WL_;
  std::set<std::string> frames_;
  std::set<std::string> joints_;
  std::set<std::string> one_dof_;
  std::set<std::string> groups_;
  std::vector<Reference> references_;
};

ParsedModel ReadTop(const sdf::Model& model, const SdfUrdfModels& urdfs,
                    const PackageMap* packages, WarningLog* log) {
  const SdfElement element = Wrap(model.Element());
  return ModelReader(model, Resolve(model.SemanticPose(), "", element), false,
                     urdfs, packages, log)
      .Read();
}

// Frames of a world are those fixed in it, or to a link of one of its models.
void ReadWorldFrames(const sdf::World& world, ParsedModel* result) {
  for (std::uint64_t i = 0; i < world.FrameCount(); ++i) {
    const sdf::Frame& frame = *world.FrameByIndex(i);
    const SdfElement element =
        Wrap(frame.Element(), fmt::format("frame '{}'", frame.Name()));
    std::string link;
    RequireNoErrors(frame.ResolveAttachedToBody(link), element.place());
    result->frames.push_back(
        {frame.Name(), link, Resolve(frame.SemanticPose(), link, element)});
  }
}

ParsedModel ReadWorld(const sdf::World& world, const SdfUrdfModels& urdfs,
                      const PackageMap* packages, WarningLog* log) {
  const SdfElement element =
      Wrap(world.Element(), fmt::format("world '{}'", world.Name()));
  element.WarnOfOtherChildren({"model", "include", "frame", "joint"}, log);
  ParsedModel result;
  for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
    result.nested.push_back(
        ReadTop(*world.ModelByIndex(i), urdfs, packages, log));
  }
  for (std::uint64_t i = 0; i < world.InterfaceModelCount(); ++i) {
    result.nested.push_back(urdfs.Get(*world.InterfaceModelByIndex(i)));
  }
  ReadWorldFrames(world, &result);
  for (const SdfElement& child : element.children()) {
    if (child.name() != "joint") continue;
    AddSdfWorldJoint(child, log, &result);
  }
  return result;
}

ParsedModel ReadRoot(const sdf::Root& root, const std::string& place,
                     const SdfUrdfModels& urdfs, const PackageMap* packages,
                     WarningLog* log) {
  if (root.Model() != nullptr && root.WorldCount() == 0) {
    return ReadTop(*root.Model(), urdfs, packages, log);
  }
  if (root.WorldCount() != 1 || root.Model() != nullptr) {
    throw std::runtime_error(fmt::format(
        "{}: the document must have one <model> or one <world>.", place));
  }
  return ReadWorld(*root.WorldByIndex(0), urdfs, packages, log);
}

/** While one lives, libsdformat is this thread's alone, finds files by
`includes`, and writes nothing on the console: its console, its log and its way
to find what included files include are one for the whole process, and nothing
guards them. A warning's handler may read a document in its turn. */
class SdformatSession {
 public:
  SdformatSession(const SdfIncludes& includes, SdfUrdfModels* urdfs)
      : lock_(Mutex()),
        console_(sdf::Console::Instance()),
        stream_(console_->GetMsgStream().GetStream()),
        find_(sdf::ParserConfig::GlobalConfig().FindFileCallback()) {
    console_->GetMsgStream().SetStream(&said_);
    config_.SetFindCallback([&includes](const std::string& uri) {
      const auto found = includes.paths.find(uri);
      return found == includes.paths.end() ? "" : found->second.string();
    });
    sdf::ParserConfig::GlobalConfig().SetFindCallback(
        config_.FindFileCallback());
    urdfs->Register(&config_);
  }
  ~SdformatSession() {
    sdf::ParserConfig::GlobalConfig().SetFindCallback(find_);
    console_->GetMsgStream().SetStream(stream_);
  }
  SdformatSession(const SdformatSession&) = delete;
  SdformatSession& operator=(const SdformatSession&) = delete;

  const sdf::ParserConfig& config() const { return config_; }

  /** libsdformat reports errors of an included file on the console only.
  @throws std::runtime_error if it reported one. */
  void RequireNothingSaid(const std::string& place) const {
    const std::string said = said_.str();
    const std::size_t begin = said.find("Error Code");
    if (begin == std::string::npos) return;
    throw std::runtime_error(
        fmt::format("{}: libsdformat cannot read what is included: {}", place,
                    said.substr(begin, said.find('\n', begin) - begin)));
  }

  /** Logs each of its warnings once: of attributes that SDFormat does not have.
  They are lines like "Warning [...] [path:file:L12]: what". */
  void LogWarnings(const std::string& source, WarningLog* log) const {
    std::set<std::pair<std::string, std::string>> warnings;
    std::istringstream lines(said_.str());
    for (std::string line; std::getline(lines, line);) {
      const std::size_t end = line.find("]: ");
      if (line.find("Warning [") == line.npos || end == line.npos) continue;
      const std::size_t number = line.rfind(":L", end);
      const std::size_t file =
          number == line.npos ? number : line.rfind(':', number - 1);
      if (file == line.npos) continue;
      const std::string name = line.substr(file + 1, number - file - 1);
      warnings.emplace(
          fmt::format("{}:{}", name.starts_with("<") ? source : name,
                      line.substr(number + 2, end - number - 2)),
          fmt::format("{} It is ignored.", line.substr(end + 3)));
    }
    for (const auto& [place, what] : warnings) log->Add(place, what);
  }

 private:
  static std::recursive_mutex& Mutex() {
    static std::recursive_mutex mutex;
    return mutex;
  }

  const std::lock_guard<std::recursive_mutex> lock_;
  const sdf::ConsolePtr console_;
  std::ostream* const stream_;
  const std::function<std::string(const std::string&)> find_;
  std::ostringstream said_;
  sdf::ParserConfig config_;
};

// Elements that were read from a text are told the file that it is of.
void SetFile(const sdf::ElementPtr& element, const std::string& file) {
  const std::string& known = element->FilePath();
  if (known.empty() || known.starts_with("<")) element->SetFilePath(file);
  for (auto child = element->GetFirstElement(); child != nullptr;
       child = child->GetNextElement()) {
    SetFile(child, element->FilePath());
  }
}

// Calls libsdformat. Whatever it throws becomes an error at `place`.
template <class Call>
auto CallSdformat(const std::string& place, const Call& call) {
  try {
    return call();
  } catch (const sdf::Exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", place, error.GetErrorStr()));
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format(
        "{}: libsdformat cannot read the document: {}", place, error.what()));
  }
}

// Text into elements. Of libsdformat's ways, this is the one that does not take
// what it cannot read for URDF, whose library writes on stderr. Where a
// document includes another it takes that way, so those must be well already.
sdf::SDFPtr ReadElements(const XmlDocument& document,
                         const sdf::ParserConfig& config) {
  const std::string place = document.root().place();
  const auto result = std::make_shared<sdf::SDF>();
  sdf::Errors errors;
  const bool is_read = CallSdformat(place, [&] {
    sdf::init(result);
    return sdf::readString(document.contents(), config, result->Root(), errors);
  });
  RequireNoErrors(errors, place);
  if (!is_read) {
    throw std::runtime_error(
        fmt::format("{}: libsdformat cannot read the document.", place));
  }
  SetFile(result->Root(), document.source());
  return result;
}

}  // namespace

ParsedModel ReadSdf(const XmlDocument& document, const PackageMap& packages,
                    bool with_shapes, WarningLog* log) {
  const std::string place = document.root().place();
  const SdfIncludes includes = FindSdfIncludes(document, packages);
  SdfUrdfModels urdfs(includes, packages, with_shapes, log);
  const SdformatSession session(includes, &urdfs);
  const sdf::ParserConfig& config = session.config();
  for (const XmlDocument& included : includes.documents) {
    ReadElements(included, config);
  }
  const sdf::SDFPtr elements = ReadElements(document, config);
  session.RequireNothingSaid(place);
  FixFramesAlone(Wrap(elements->Root()), log);
  sdf::Root root;
  sdf::Errors errors =
      CallSdformat(place, [&] { return root.Load(elements, config); });
  urdfs.RequireAccepted();
  // Names that it does not look for in models of URDF, and __model__; those of
  // no frame are found when joints are read.
  std::erase_if(errors, [](const sdf::Error& error) {
    return error.Code() == sdf::ErrorCode::JOINT_PARENT_LINK_INVALID ||
           error.Code() == sdf::ErrorCode::JOINT_CHILD_LINK_INVALID;
  });
  if (!errors.empty()) {
    std::vector<const XmlDocument*> documents{&document};
    for (const XmlDocument& included : includes.documents) {
      documents.push_back(&included);
    }
    RequireNoErrors(errors, FindSdfPlace(errors[0].Message(), documents));
  }
  session.LogWarnings(document.source(), log);
  try {
    return ReadRoot(root, place, urdfs, with_shapes ? &packages : nullptr, log);
  } catch (const sdf::Exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", place, error.GetErrorStr()));
  } catch (const std::logic_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", place, error.what()));
  }
}

}  // namespace wyvern::multibody::internal
