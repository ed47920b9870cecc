// A random plant of bodies, joints of every type, springs, shapes and
// constraints, stepped or continuous, obeys the laws of a simulation; left to
// itself it gains no energy, and without the world's hold no momentum.
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/simulation_laws.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/revolute_spring.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern {
namespace {

// NOLINTNEXTLINE(build/namespaces)
using namespace multibody;
using Eigen::Vector3d;
using fuzz::Choices;

constexpr double kEnd = 0.04;  // s
// In continuous time, shapes deep in each other are so stiff that steps with
// error control take minutes. Twenty steps without show the other laws.
constexpr double kEndOfTouch = 2e-3;   // s
constexpr double kStepOfTouch = 1e-4;  // s

class RandomPlant {
 public:
  explicit RandomPlant(Choices* choices) : choices_(*choices) {
    systems::DiagramBuilder<double> builder;
    const double step = choices_.Coin() ? 1e-3 : 0.0;
    plant_ = &AddMultibodyPlantSceneGraph<double>(&builder, step).plant;
    if (choices_.Coin()) {
      plant_->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    }
    AddBodies();
    for (int i = choices_.Below(3); i > 0; --i) AddConstraint();
    plant_->Finalize();
    diagram_ = builder.Build();
  }

  void RequireLaws() {
    const auto start = diagram_->CreateDefaultContext();
    auto& of_plant = plant_->GetMyMutableContextFromRoot(start.get());
    plant_->SetVelocities(&of_plant, Eigen::VectorXd::NullaryExpr(
                                         plant_->num_velocities(), [this]() {
                                           return 2 * choices_.Number();
                                         }));
    const double energy = Energy(of_plant);
    const Vector3d momentum = Momentum(of_plant);
    const bool is_stiff = has_shapes_ && plant_->time_step() == 0;
    const double end = is_stiff ? kEndOfTouch : kEnd;
    const auto last = fuzz::RequireSimulationLaws(
        *diagram_, *start, end, is_stiff ? kStepOfTouch : 0.0);
    if (last == nullptr) return;
    const auto& at_end = plant_->GetMyContextFromRoot(*last);
    // Shapes and constraints that do not fit at first throw bodies about as
    // they are brought together: no figure holds.
    if (has_shapes_ || plant_->num_constraints() > 0) return;
    // A step of first order errs by a part h |v|, 2e-3 to 1e-2, of what moves.
    const double scale = 1 + std::abs(energy) + KineticEnergy(at_end);
    fuzz::Require(
        Energy(at_end) < energy + 0.05 * scale,
        fmt::format("energy does not grow: {} to {}", energy, Energy(at_end)));
    if (!is_held_) {
      const Vector3d gained = end * plant_->CalcTotalMass(at_end) *
                              plant_->gravity_field().gravity_vector();
      const double error = (Momentum(at_end) - momentum - gained).norm();
      fuzz::Require(
          error < 0.02 * (1 + momentum.norm() + gained.norm()),
          fmt::format("momentum stays but for weight: off by {}", error));
    }
  }

 private:
  double KineticEnergy(const systems::Context<double>& context) const {
    return plant_->EvalKineticEnergy(context);
  }
  double Energy(const systems::Context<double>& context) const {
    return KineticEnergy(context) + plant_->EvalPotentialEnergy(context);
  }
  Vector3d Momentum(const systems::Context<double>& context) const {
    return plant_
        ->CalcSpatialMomentumInWorldAboutPoint(context, Vector3d::Zero())
        .translational();
  }
  Vector3d Numbers() {
    const double x = choices_.Number(), y = choices_.Number();
    return {x, y, choices_.Number()};
  }
  math::RigidTransform<double> Pose() {
    const Vector3d angles = 3 * Numbers();
    return {math::RollPitchYaw<double>(angles), Numbers()};
  }
  const RigidBody<double>& AnyBody() {
    return *bodies_[choices_.Below(static_cast<int>(bodies_.size()))];
  }

  void AddBodies() {
    bodies_.push_back(&plant_->world_body());
    for (int i = 1 + choices_.Below(6); i > 0; --i) {
      const double mass = 1 + 0.9 * choices_.Number();
      const Vector3d sides = Vector3d::Constant(0.3) + 0.2 * Numbers();
      const auto& body = plant_->AddRigidBody(
          fmt::format("b{}", i), SpatialInertia<double>::SolidBoxWithMass(
                                     mass, sides[0], sides[1], sides[2]));
      AddJoint(AnyBody(), body);
      if (choices_.Below(3) == 0) AddShape(body, sides);
      bodies_.push_back(&body);
    }
    if (choices_.Below(3) == 0) {
      AddShape(plant_->world_body(), Vector3d(5, 5, 0.1));
    }
  }
  void AddShape(const RigidBody<double>& body, const Vector3d& sides) {
    const CoulombFriction<double> friction(0.5, 0.5);
    const std::string name = fmt::format("shape of {}", body.name());
    const auto add = [&](const geometry::Shape& shape) {
      plant_->RegisterCollisionGeometry(body, math::RigidTransform<double>(),
                                        shape, name, friction);
    };
    has_shapes_ = true;
    is_held_ |= body.index() == world_index();
    switch (choices_.Below(5)) {
      case 0:
        return add(geometry::Sphere(sides[0]));
      case 1:
        return add(geometry::Capsule(sides[0], sides[1]));
      case 2:
        return add(geometry::Cylinder(sides[0], sides[1]));
      case 3:
        return add(geometry::Ellipsoid(sides[0], sides[1], sides[2]));
      default:
        return add(geometry::Box(sides[0], sides[1], sides[2]));
    }
  }
  void AddJoint(const RigidBody<double>& parent,
                const RigidBody<double>& child) {
    const auto X_PF = Pose(), X_CM = Pose();
    const Vector3d axis = Numbers() + Vector3d(0, 0, 1.5);
    const std::string name = child.name();
    const bool is_on_world = parent.index() == world_index();
    const int type = choices_.Below(11);
    is_held_ |= is_on_world && type < 8;
    switch (type) {
      case 0:
        plant_->AddJoint<WeldJoint>(name, parent, X_PF, child, X_CM, Pose());
        return;
      case 1:
        plant_->AddJoint<PrismaticJoint>(name, parent, X_PF, child, X_CM, axis);
        return;
      case 2:
        plant_->AddJoint<ScrewJoint>(name, parent, X_PF, child, X_CM, axis, 0.4,
                                     0.0);
        return;
      case 3:
        plant_->AddJoint<UniversalJoint>(name, parent, X_PF, child, X_CM);
        return;
      case 4:
        plant_->AddJoint<PlanarJoint>(name, parent, X_PF, child, X_CM,
                                      Vector3d::Zero());
        return;
      case 5:
        plant_->AddJoint<BallRpyJoint>(name, parent, X_PF, child, X_CM);
        return;
      case 6:
      case 7: {
        const auto& joint = plant_->AddJoint<RevoluteJoint>(
            name, parent, X_PF, child, X_CM, axis, 0.1 * choices_.Below(3));
        if (choices_.Coin()) {
          plant_->AddForceElement<RevoluteSpring>(joint, 0.3, 5.0);
        }
        return;
      }
      case 8:
        plant_->AddJoint<RpyFloatingJoint>(name, parent, X_PF, child, X_CM);
        return;
      default:
        plant_->AddJoint<QuaternionFloatingJoint>(name, parent, X_PF, child,
                                                  X_CM);
    }
  }
  void AddConstraint() {
    const auto &A = AnyBody(), &B = AnyBody();
    is_held_ |= A.index() == world_index() || B.index() == world_index();
    switch (choices_.Below(3)) {
      case 0:
        plant_->AddBallConstraint(A, Numbers(), B, Numbers());
        return;
      case 1:
        plant_->AddDistanceConstraint(A, Numbers(), B, Numbers(),
                                      1 + 0.9 * choices_.Number());
        return;
      default:
        plant_->AddWeldConstraint(A, Pose(), B, Pose());
    }
  }

  Choices& choices_;
  MultibodyPlant<double>* plant_{};
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::vector<const RigidBody<double>*> bodies_;
  // Whether something ties a body to the world, and shapes may touch.
  bool is_held_{};
  bool has_shapes_{};
};

}  // namespace
}  // namespace wyvern

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wyvern;  // NOLINT(build/namespaces)
  fuzz::Choices choices(data, size);
  std::unique_ptr<RandomPlant> random;
  try {
    random = std::make_unique<RandomPlant>(&choices);
  } catch (const std::exception& error) {
    // A constraint of a body with itself.
    fuzz::Refused(error);
    return 0;
  }
  random->RequireLaws();
  return 0;
}
