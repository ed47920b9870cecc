#include "wyvern/multibody/parsing/model_builder.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/filter_groups.h"
#include "wyvern/multibody/parsing/joint_builder.h"
#include "wyvern/multibody/tree/ellipsoid_drag.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/fixed_tendon.h"
#include "wyvern/multibody/tree/fluid_drag.h"
#include "wyvern/multibody/tree/gravity_compensation.h"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/polynomial_coupler.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/prismatic_spring.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/revolute_spring.h"
#include "wyvern/multibody/tree/rotation_limit.h"
#include "wyvern/multibody/tree/spatial_tendon.h"
#include "wyvern/multibody/tree/weld_joint.h"

/* A ParsedModel into a plant. All model instances come first, "outer::inner"
for nested ones; then the elements of each model, inner models before outer:
links with their geometry, joints, frames, what acts on joints (actuators,
couplers, springs), bushings and constraints between bodies, and last the
collision filters. The readers have checked what is in the model. */

namespace wyvern::multibody::internal {

using geometry::GeometryInstance;
using math::RigidTransform;

namespace {

/** The model instances of a file by their names in it. */
using Instances = std::map<std::string, ModelInstanceIndex>;

std::string Join(const std::string& scope, const std::string& name) {
  if (scope.empty()) return name;
  return name.empty() ? scope : scope + "::" + name;
}

/** Adds the elements of one model to a plant that has its model instance and
those of the models nested in it. */
class ModelBuilder {
 public:
  /** @param scope the name of the model in the file. */
  ModelBuilder(const ParsedModel& model, std::string scope,
               const Instances& instances, MultibodyPlant<double>* plant,
               CollisionFilterGroups* groups, ModelFacts* facts)
      : model_(model),
        scope_(std::move(scope)),
        instances_(instances),
        instance_(instances.at(scope_)),
        plant_(*plant),
        groups_(groups),
        facts_(*facts) {}

  void Build() {
    for (const ParsedLink& link : model_.links) AddLink(link);
    AddGeometries(model_.world, plant_.world_body(),
                  plant_.GetModelInstanceName(instance_) + "::");
    // The links of a static model need no joints.
    if (model_.is_static) {
      WeldLinks();
    } else {
      for (const ParsedJoint& joint : model_.joints) AddJoint(joint);
    }
    for (const ParsedFrame& frame : model_.frames) {
      const RigidBody<double>& body = Body(frame.link);
      AddFrame(frame.name, body, frame.X_LF, InstanceFor(body));
    }
    if (!model_.is_static) AddWhatActsOnJoints();
    for (const ParsedBushing& bushing : model_.bushings) AddBushing(bushing);
    for (const ParsedSpringDamper& spring : model_.spring_dampers) {
      plant_.AddForceElement<LinearSpringDamper>(
          Body(spring.body_A), spring.p_AP, Body(spring.body_B), spring.p_BQ,
          spring.free_length, spring.stiffness, spring.damping);
    }
    for (const ParsedBallConstraint& ball : model_.ball_constraints) {
      AddBallConstraint(ball);
    }
    for (const ParsedWeldConstraint& weld : model_.weld_constraints) {
      plant_.AddWeldConstraint(Body(weld.body_A), weld.X_AP, Body(weld.body_B),
                               weld.X_BQ);
    }
    if (model_.gravity.has_value()) {
      plant_.mutable_gravity_field().set_gravity_vector(*model_.gravity);
    }
    if (!model_.has_gravity) plant_.set_gravity_enabled(instance_, false);
    for (const ParsedDrag& drag : model_.drags) {
      if (drag.coefficients.has_value()) {
        plant_.AddForceElement<EllipsoidDrag>(Body(drag.link), drag.X_LD,
                                              drag.size, drag.medium,
                                              *drag.coefficients);
      } else {
        plant_.AddForceElement<FluidDrag>(Body(drag.link), drag.X_LD, drag.size,
                                          drag.medium);
      }
    }
    CollectGroups();
    AddFilters();
  }

 private:
  void AddWhatActsOnJoints() {
    for (const ParsedTendon& tendon : model_.tendons) AddTendon(tendon);
    for (const ParsedActuator& actuator : model_.actuators) {
      AddActuator(actuator);
    }
    for (const ParsedJoint& joint : model_.joints) {
      if (joint.mimic.has_value()) AddMimic(joint);
      if (joint.spring_stiffness > 0) AddSpring(joint);
    }
    for (const ParsedCoupler& coupler : model_.couplers) {
      plant_.AddCouplerConstraint(JointNamed(coupler.joint0),
                                  JointNamed(coupler.joint1),
                                  coupler.gear_ratio, coupler.offset);
    }
    for (const ParsedPolynomial& one : model_.polynomials) {
      plant_.AddForceElement<PolynomialCoupler>(
          JointNamed(one.joint0), JointNamed(one.joint1), one.polynomial);
    }
    for (const ParsedRotationLimit& limit : model_.rotation_limits) {
      plant_.AddForceElement<RotationLimit>(
          dynamic_cast<const QuaternionBallJoint<double>&>(
              JointNamed(limit.joint)),
          limit.largest_angle);
    }
  }

  void AddTendon(const ParsedTendon& tendon) {
    const TendonProperties& properties = tendon.properties;
    if (tendon.segments.empty()) {
      plant_.AddForceElement<FixedTendon>(
          TermsOf(tendon.terms), properties.shortest, properties.longest,
          properties.stiffness, properties.damping, properties.lower_limit,
          properties.upper_limit);
      return;
    }
    const auto point = [this](const ParsedTendonPoint& parsed) {
      return TendonPoint<double>{&Body(parsed.link), parsed.p_LP};
    };
    std::vector<TendonSegment<double>> segments;
    for (const ParsedTendonSegment& parsed : tendon.segments) {
      TendonSegment<double>& segment = segments.emplace_back();
      segment.start = point(parsed.start);
      segment.end = point(parsed.end);
      segment.divisor = parsed.divisor;
      if (!parsed.obstacle.has_value()) continue;
      const ParsedTendonObstacle& o = *parsed.obstacle;
      segment.obstacle = {&Body(o.link), o.X_LG, o.radius, o.is_cylinder,
                          o.p_GS};
    }
    tendons_[tendon.name] = &plant_.AddForceElement<SpatialTendon>(
        tendon.name, segments, properties);
  }

  // The model instance and name of what is called `name` in this model.
  std::pair<ModelInstanceIndex, std::string> Locate(
      const std::string& name) const {
    const std::size_t end = name.rfind("::");
    if (end == std::string::npos) return {instance_, name};
    return {instances_.at(Join(scope_, name.substr(0, end))),
            name.substr(end + 2)};
  }

  const RigidBody<double>& Body(const std::string& name) const {
    if (name == kWorldName) return plant_.world_body();
    const auto [instance, local] = Locate(name);
    return plant_.GetBodyByName(local, instance);
  }

  const Frame<double>& FrameNamed(const std::string& name) const {
    if (name == kWorldName) return plant_.world_frame();
    const auto [instance, local] = Locate(name);
    return plant_.GetFrameByName(local, instance);
  }

  // Elements of a world that are in no model belong to the world's own model.
  ModelInstanceIndex InstanceFor(const RigidBody<double>& body) const {
    return scope_.empty() ? body.model_instance() : instance_;
  }

  const Frame<double>& AddFrame(const std::string& name,
                                const RigidBody<double>& body,
                                const RigidTransform<double>& X_BF,
                                ModelInstanceIndex instance) {
    return plant_.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
        name, body.body_frame(), X_BF, instance));
  }

  void AddLink(const ParsedLink& link) {
    const RigidBody<double>& body =
        plant_.AddRigidBody(link.name, instance_, link.M_BBo_B);
    AddGeometries(link, body);
    if (link.X_WB.has_value()) plant_.SetDefaultFreeBodyPose(body, *link.X_WB);
    if (!link.has_gravity) {
      plant_.mutable_gravity_field().set_enabled(body, false);
    }
    if (link.weight_borne != 0) {
      plant_.AddForceElement<GravityCompensation>(body, link.weight_borne);
    }
  }

  // Adds an element; shapes that contact does not support are reported here,
  // with their place.
  template <typename Add>
  static auto WithPlace(const ParsedLink& link, const Add& add) {
    try {
      return add();
    } catch (const std::exception& error) {
      if (link.place.empty()) throw;
      throw std::runtime_error(fmt::format("{}: link '{}': {}", link.place,
                                           link.name, error.what()));
    }
  }

  // The world's shapes are of many models: `scope` tells their names apart.
  void AddGeometries(const ParsedLink& link, const RigidBody<double>& body,
                     const std::string& scope = {}) {
    for (const GeometryInstance& seen : link.visuals) {
      auto instance = std::make_unique<GeometryInstance>(seen);
      instance->set_name(scope + seen.name());
      plant_.RegisterVisualGeometry(body, std::move(instance));
    }
    for (const GeometryInstance& touching : link.collisions) {
      touching_ids_[{link.name, touching.name()}] = WithPlace(link, [&] {
        return plant_.RegisterCollisionGeometry(
            body, touching.pose(), touching.shape(), scope + touching.name(),
            *touching.proximity_properties());
      });
    }
  }

  // A joint and its frames belong to the model instance of the child.
  void AddJoint(const ParsedJoint& joint) {
    const RigidBody<double>& parent = Body(joint.parent);
    const RigidBody<double>& child = Body(joint.child);
    const ModelInstanceIndex instance =
        child.model_instance() == world_model_instance()
            ? instance_
            : child.model_instance();
    const Frame<double>& F =
        joint.X_PF.has_value()
            ? AddFrame(joint.name + "_parent", parent, *joint.X_PF, instance)
            : parent.body_frame();
    const bool is_elsewhere = child.model_instance() != instance;
    const Frame<double>& M =
        joint.X_CM.has_value() || is_elsewhere
            ? AddFrame(joint.name + "_child", child,
                       joint.X_CM.value_or(RigidTransform<double>()), instance)
            : child.body_frame();
    const JointIndex index = AddJointToPlant(joint, F, M, &plant_);
    joints_[joint.name] = index;
    if (!HasOneDof(joint)) return;
    facts_.joints[index] = {
        .effort_limit = joint.effort,
        .default_position = plant_.get_joint(index).default_positions()[0]};
  }

  // One of this model, or of one nested in it.
  const Joint<double>& JointNamed(const std::string& name) const {
    const auto found = joints_.find(name);
    if (found != joints_.end()) return plant_.get_joint(found->second);
    const auto [instance, local] = Locate(name);
    return plant_.GetJointByName(local, instance);
  }

  std::vector<TendonTerm<double>> TermsOf(
      const std::vector<ParsedTendonTerm>& parsed) const {
    std::vector<TendonTerm<double>> terms;
    for (const auto& [joint, coefficient] : parsed) {
      terms.push_back({&JointNamed(joint), coefficient});
    }
    return terms;
  }

  void AddActuator(const ParsedActuator& actuator) {
    const std::string& name = actuator.name;
    const double effort = actuator.effort_limit;
    const JointActuatorIndex index =
        (!actuator.terms.empty()
             ? plant_.AddTendonActuator(name, TermsOf(actuator.terms), effort)
         : !actuator.tendon.empty()
             ? plant_.AddTendonActuator(name, *tendons_.at(actuator.tendon),
                                        effort)
             : plant_.AddJointActuator(name, JointNamed(actuator.joint),
                                       effort))
            .index();
    JointActuator<double>& added = plant_.get_mutable_joint_actuator(index);
    added.set_default_rotor_inertia(actuator.rotor_inertia);
    added.set_default_gear_ratio(actuator.gear_ratio);
    if (actuator.home_force.has_value()) {
      facts_.actuators[index].home_force = actuator.home_force;
    }
    if (actuator.muscle.has_value()) {
      facts_.actuators[index].muscle = actuator.muscle;
      facts_.actuators[index].home_excitation = actuator.home_excitation;
    }
    if (actuator.gains.has_value()) {
      added.set_controller_gains(
          {.p = actuator.gains->p, .d = actuator.gains->d});
    }
  }

  void AddMimic(const ParsedJoint& joint) {
    plant_.AddCouplerConstraint(JointNamed(joint.name),
                                JointNamed(joint.mimic->joint),
                                joint.mimic->multiplier, joint.mimic->offset);
  }

  void AddSpring(const ParsedJoint& joint) {
    const Joint<double>& on = JointNamed(joint.name);
    if (joint.type == ParsedJointType::kRevolute) {
      plant_.AddForceElement<RevoluteSpring>(
          dynamic_cast<const RevoluteJoint<double>&>(on),
          joint.spring_reference, joint.spring_stiffness);
    } else if (joint.type == ParsedJointType::kPrismatic) {
      plant_.AddForceElement<PrismaticSpring>(
          dynamic_cast<const PrismaticJoint<double>&>(on),
          joint.spring_reference, joint.spring_stiffness);
    }
  }

  void AddBushing(const ParsedBushing& bushing) {
    plant_.AddForceElement<LinearBushingRollPitchYaw>(
        FrameNamed(bushing.frame_A), FrameNamed(bushing.frame_C),
        bushing.torque_stiffness, bushing.torque_damping,
        bushing.force_stiffness, bushing.force_damping);
  }

  void AddBallConstraint(const ParsedBallConstraint& ball) {
    plant_.AddBallConstraint(Body(ball.body_A), ball.p_AP, Body(ball.body_B),
                             ball.p_BQ);
  }

  void WeldLinks() {
    for (const ParsedLink& link : model_.links) {
      plant_.AddJoint(std::make_unique<WeldJoint<double>>(
          "static_world_welds_to_" + link.name, plant_.world_frame(),
          Body(link.name).body_frame(),
          link.X_WB.value_or(RigidTransform<double>())));
    }
  }

  // Groups of a world that are in no model have no scope.
  std::string Scoped(const std::string& group) const {
    const auto [instance, local] = Locate(group);
    return instance == world_model_instance()
               ? local
               : Join(plant_.GetModelInstanceName(instance), local);
  }

  void CollectGroups() {
    if (model_.filter_groups.empty()) return;
    const auto visible = FindVisibleGroups(model_);
    for (const ParsedFilterGroup& group : model_.filter_groups) {
      std::set<std::string> members;
      for (const std::string& link : FindMembers(group.name, visible)) {
        const RigidBody<double>& body = Body(link);
        members.insert(Join(plant_.GetModelInstanceName(body.model_instance()),
                            body.name()));
      }
      groups_->AddGroup(Scoped(group.name), members);
      for (const std::string& other : group.ignored_groups) {
        groups_->AddExclusionPair({Scoped(group.name), Scoped(other)});
      }
    }
  }

  void AddFilters() {
    if (!plant_.geometry_source_is_registered()) return;
    std::vector<ParsedFilterGroup> groups;
    if (!model_.filter_groups.empty()) groups = FindVisibleGroups(model_);
    for (const FilteredPair& pair : FindFilteredPairs(groups)) {
      plant_.ExcludeCollisionGeometriesWithCollisionFilterGroupPair(
          {pair.names.first, GeometriesOf(pair.members.first)},
          {pair.names.second, GeometriesOf(pair.members.second)});
    }
    for (const ParsedExclusion& exclusion : model_.exclusions) {
      plant_.ExcludeCollisionGeometriesWithCollisionFilterGroupPair(
          {"first", GeometriesOf(exclusion.first)},
          {"second", GeometriesOf(exclusion.second)});
    }
  }

  geometry::GeometrySet GeometriesOf(
      const ParsedExclusion::Shapes& shapes) const {
    geometry::GeometrySet result;
    for (const auto& shape : shapes) result.Add(touching_ids_.at(shape));
    return result;
  }

  geometry::GeometrySet GeometriesOf(const std::set<std::string>& links) const {
    std::vector<const RigidBody<double>*> bodies;
    for (const std::string& link : links) bodies.push_back(&Body(link));
    return plant_.CollectRegisteredGeometries(bodies);
  }

  const ParsedModel& model_;
  const std::string scope_;
  const Instances& instances_;
  const ModelInstanceIndex instance_;
  MultibodyPlant<double>& plant_;
  CollisionFilterGroups* const groups_;
  ModelFacts& facts_;
  std::map<std::string, JointIndex> joints_;
  // Tendons along a path, by name.
  std::map<std::string, const SpatialTendon<double>*> tendons_;
  // By the names of the link and the shape.
  std::map<std::pair<std::string, std::string>, geometry::GeometryId>
      touching_ids_;
};

/** Adds the models of one file. */
class FileBuilder {
 public:
  FileBuilder(const std::function<std::string(const std::string&)>& make_name,
              MultibodyPlant<double>* plant, CollisionFilterGroups* groups,
              ModelFacts* facts)
      : make_name_(make_name), plant_(plant), groups_(groups), facts_(facts) {}

  // Outer before inner.
  void AddInstances(const ParsedModel& model, const std::string& scope) {
    const std::string name = Join(scope, model.name);
    if (name.empty()) {
      instances_[name] = world_model_instance();
    } else {
      const auto outer = instances_.find(scope);
      const bool is_nested = outer != instances_.end() && !scope.empty();
      const ModelInstanceIndex added = plant_->AddModelInstance(
          is_nested
              ? Join(plant_->GetModelInstanceName(outer->second), model.name)
              : make_name_(model.name));
      instances_[name] = added;
      added_.push_back(added);
    }
    for (const ParsedModel& inner : model.nested) AddInstances(inner, name);
  }

  // Inner before outer.
  void AddElements(const ParsedModel& model, const std::string& scope) {
    const std::string name = Join(scope, model.name);
    for (const ParsedModel& inner : model.nested) AddElements(inner, name);
    ModelBuilder(model, name, instances_, plant_, groups_, facts_).Build();
  }

  const std::vector<ModelInstanceIndex>& added() const { return added_; }

 private:
  const std::function<std::string(const std::string&)>& make_name_;
  MultibodyPlant<double>* const plant_;
  CollisionFilterGroups* const groups_;
  ModelFacts* const facts_;
  Instances instances_;
  std::vector<ModelInstanceIndex> added_;
};

}  // namespace

std::vector<ModelInstanceIndex> AddToPlant(
    const ParsedModel& model,
    const std::function<std::string(const std::string&)>& make_name,
    MultibodyPlant<double>* plant, CollisionFilterGroups* groups,
    ModelFacts* facts) {
  FileBuilder builder(make_name, plant, groups, facts);
  builder.AddInstances(model, {});
  builder.AddElements(model, {});
  return builder.added();
}

}  // namespace wyvern::multibody::internal
