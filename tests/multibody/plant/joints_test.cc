// Laws that hold for every type of joint, each also with its tree running
// through it backwards.
#include <functional>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/curvilinear_joint.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"

namespace wyvern::multibody {
namespace joints_test {

using math::RigidTransform;
using math::RollPitchYaw;
using test::MakeInertia;
using wyvern::test::Near;
using Plant = MultibodyPlant<double>;
using Body = RigidBody<double>;

const RigidTransform<double> kX_PF(RollPitchYaw<double>(0.3, -0.2, 0.5),
                                   Vector3<double>(0.1, 0.2, 0.3));
const RigidTransform<double> kX_BM(RollPitchYaw<double>(-0.4, 0.1, 0.7),
                                   Vector3<double>(-0.2, 0.1, 0.4));
const Vector3<double> kAxis = Vector3<double>(1, 2, 3).normalized();

struct JointCase {
  std::string name;
  std::function<const Joint<double>&(Plant*, const Body&, const Body&)> add;
};

// Prints a case for gtest.
void PrintTo(const JointCase& test_case, std::ostream* os) {
  *os << test_case.name;
}

template <template <typename> class JointType, typename... Args>
JointCase Make(const std::string& name, Args... args) {
  return {
      name,
      [=](Plant* plant, const Body& P, const Body& C) -> const Joint<double>& {
        return plant->AddJoint<JointType>("joint", P, kX_PF, C, kX_BM, args...);
      }};
}

std::vector<JointCase> MakeCases() {
  return {Make<WeldJoint>("weld", RigidTransform<double>(kX_BM)),
          Make<RevoluteJoint>("revolute", kAxis, 0.1),
          Make<PrismaticJoint>("prismatic", kAxis, -9.0, 9.0, 0.2),
          Make<ScrewJoint>("screw", kAxis, 0.7, 0.3),
          Make<UniversalJoint>("universal", 0.4),
          Make<PlanarJoint>("planar", Vector3<double>(0.1, 0.2, 0.3)),
          Make<BallRpyJoint>("ball_rpy", 0.5),
          Make<QuaternionBallJoint>("quaternion_ball", 0.5),
          Make<RpyFloatingJoint>("rpy_floating", 0.1, 0.2),
          Make<QuaternionFloatingJoint>("quaternion_floating", 0.1, 0.2),
          Make<CurvilinearJoint>(
              "curvilinear",
              CurvilinearJoint<double>::Path({0, 0.1, 2}, {0, -3}, {0, 1, 0},
                                             {1, 0, 0}, {0.4, 0.5, 0.6}),
              0.3)};
}

class EveryJoint : public testing::TestWithParam<std::tuple<JointCase, bool>> {
 protected:
  // A body on the world by this joint, whose parent is either.
  void Build(double time_step = 0) {
    const auto& [test_case, is_reversed] = GetParam();
    plant_ = std::make_unique<Plant>(time_step);
    const Body& W = plant_->world_body();
    const Body& B =
        plant_->AddRigidBody("body", MakeInertia(2, {0.1, 0.2, 0.3}, 0.5));
    joint_ = is_reversed ? &test_case.add(plant_.get(), B, W)
                         : &test_case.add(plant_.get(), W, B);
    plant_->Finalize();
    context_ = plant_->CreateDefaultContext();
  }
  void SetSomeState() {
    VectorX<double> q = joint_->default_positions();
    for (int i = 0; i < q.size(); ++i) q[i] += 0.1 * (i + 2);
    joint_->SetPositions(context_.get(), q);
    joint_->SetVelocities(
        context_.get(),
        VectorX<double>::LinSpaced(joint_->num_velocities(), -0.6, 0.9));
  }

  std::unique_ptr<Plant> plant_;
  const Joint<double>* joint_{};
  std::unique_ptr<systems::Context<double>> context_;
};

TEST_P(EveryJoint, TypeNameAndSuffixesAreItsOwn) {
  Build();
  EXPECT_EQ(joint_->type_name(), std::get<0>(GetParam()).name);
  for (int i = 0; i < joint_->num_positions(); ++i) {
    EXPECT_FALSE(joint_->position_suffix(i).empty());
  }
  EXPECT_THROWS_MESSAGE(joint_->velocity_suffix(joint_->num_velocities()),
                        std::out_of_range, "joint");
}

TEST_P(EveryJoint, SpatialVelocityIsTheRateOfThePose) {
  Build();
  SetSomeState();
  const SpatialVelocity<double> V_FM = joint_->GetSpatialVelocity(*context_);
  const RigidTransform<double> X0 = joint_->GetPose(*context_);
  VectorX<double> qdot(plant_->num_positions());
  plant_->MapVelocityToQDot(*context_, plant_->GetVelocities(*context_), &qdot);
  const double h = 1e-6;
  plant_->SetPositions(context_.get(),
                       plant_->GetPositions(*context_) + h * qdot);
  const RigidTransform<double> X1 = joint_->GetPose(*context_);
  const Matrix3<double> w_cross =
      (X1.rotation().matrix() - X0.rotation().matrix()) / h *
      X0.rotation().matrix().transpose();
  // Forward differences: off by h/2 times second derivatives.
  EXPECT_TRUE(Near(Vector3<double>(w_cross(2, 1), w_cross(0, 2), w_cross(1, 0)),
                   V_FM.rotational(), 1e-5));
  EXPECT_TRUE(Near((X1.translation() - X0.translation()) / h,
                   V_FM.translational(), 1e-5));
}

TEST_P(EveryJoint, PoseAndVelocityCanBeSetOrAreRefused) {
  Build();
  SetSomeState();
  const RigidTransform<double> X_FM = joint_->GetPose(*context_);
  const SpatialVelocity<double> V_FM = joint_->GetSpatialVelocity(*context_);
  const std::string& type = joint_->type_name();
  if (type == "weld" || type == "screw" || type == "universal" ||
      type == "curvilinear") {
    EXPECT_THROWS_MESSAGE(joint_->SetPose(context_.get(), X_FM),
                          std::logic_error, type);
    return;
  }
  const VectorX<double> v = joint_->GetVelocities(*context_);
  plant_->SetDefaultContext(context_.get());
  joint_->SetPose(context_.get(), X_FM);
  joint_->SetSpatialVelocity(context_.get(), V_FM);
  EXPECT_TRUE(Near(joint_->GetPose(*context_).GetAsMatrix4(),
                   X_FM.GetAsMatrix4(), 1e-14));
  EXPECT_TRUE(Near(joint_->GetVelocities(*context_), v, 1e-14));
}

TEST_P(EveryJoint, DampingOpposesVelocity) {
  Build();
  SetSomeState();
  MultibodyForces<double> forces(*plant_);
  joint_->AddInDamping(*context_, &forces);
  EXPECT_TRUE(Near(forces.generalized_forces(),
                   -joint_->default_damping_vector().cwiseProduct(
                       VectorX<double>(joint_->GetVelocities(*context_)))));
}

TEST_P(EveryJoint, CopyOnAnotherScalarHasItsSettings) {
  const auto& [test_case, is_reversed] = GetParam();
  Plant plant(0);
  const Body& B = plant.AddRigidBody("body", MakeInertia(2, {0, 0, 0}, 0.5));
  test_case.add(&plant, is_reversed ? B : plant.world_body(),
                is_reversed ? plant.world_body() : B);
  Joint<double>& joint = plant.get_mutable_joint(JointIndex(0));
  const int nq = joint.num_positions(), nv = joint.num_velocities();
  const auto some = [](int n, double first) {
    VectorX<double> result(n);
    for (int i = 0; i < n; ++i) result[i] = first + 0.1 * i;
    return result;
  };
  joint.set_default_damping_vector(some(nv, 0.3));
  joint.set_default_friction_vector(some(nv, 0.4));
  joint.set_default_positions(some(nq, 0.5));
  joint.set_velocity_limits(some(nv, -2), some(nv, 2));
  joint.set_acceleration_limits(some(nv, -3), some(nv, 3));
  plant.Finalize();
  const auto copy = systems::System<double>::ToAutoDiffXd(plant);
  const Joint<AutoDiffXd>& copied = copy->get_joint(JointIndex(0));
  EXPECT_EQ(copied.type_name(), joint.type_name());
  EXPECT_EQ(copied.default_damping_vector(), joint.default_damping_vector());
  EXPECT_EQ(copied.default_friction_vector(), joint.default_friction_vector());
  EXPECT_EQ(copied.default_positions(), joint.default_positions());
  EXPECT_EQ(copied.velocity_lower_limits(), joint.velocity_lower_limits());
  EXPECT_EQ(copied.acceleration_upper_limits(),
            joint.acceleration_upper_limits());
}

TEST_P(EveryJoint, ReactionClosesNewtonAndEuler) {
  Build();
  SetSomeState();
  const auto& reactions =
      plant_->get_reaction_forces_output_port()
          .Eval<std::vector<SpatialForce<double>>>(*context_);
  const Body& B = plant_->GetBodyByName("body");
  const bool is_reversed = std::get<1>(GetParam());
  const auto& Jc = joint_->frame_on_child();
  const RigidTransform<double> X_WJc = Jc.CalcPoseInWorld(*context_);
  // On the body, about Bo in W; minus it if the joint's child is the world.
  const Vector3<double> p_JcBo_W =
      B.EvalPoseInWorld(*context_).translation() - X_WJc.translation();
  SpatialForce<double> F = (X_WJc.rotation() * reactions.at(0)).Shift(p_JcBo_W);
  if (is_reversed) F = -F;
  const SpatialInertia<double> M = B.default_spatial_inertia().ReExpress(
      B.EvalPoseInWorld(*context_).rotation());
  const Vector3<double> w =
      B.EvalSpatialVelocityInWorld(*context_).rotational();
  const SpatialForce<double> inertial =
      M * B.EvalSpatialAccelerationInWorld(*context_) +
      SpatialForce<double>(
          M.get_mass() * w.cross(Vector3<double>(M.get_unit_inertia() * w)),
          M.get_mass() * w.cross(w.cross(M.get_com())));
  const Vector3<double> weight(0, 0, -2 * 9.81);
  const SpatialForce<double> gravity(M.get_com().cross(weight), weight);
  EXPECT_TRUE(Near(F.get_coeffs() + gravity.get_coeffs(), inertial.get_coeffs(),
                   1e-11));
}

TEST_P(EveryJoint, CopyOnAnotherScalarMovesAlike) {
  Build();
  SetSomeState();
  const auto plant = systems::System<double>::ToAutoDiffXd(*plant_);
  const auto context = plant->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*context_);
  const VectorX<AutoDiffXd> vdot =
      plant->get_generalized_acceleration_output_port().Eval(*context);
  EXPECT_TRUE(
      Near(ToDouble(vdot),
           plant_->get_generalized_acceleration_output_port().Eval(*context_),
           1e-12));
}

TEST_P(EveryJoint, LockedItDoesNotMove) {
  Build(0.01);
  SetSomeState();
  joint_->Lock(context_.get());
  const VectorX<double> q = plant_->GetPositions(*context_);
  plant_->ExecuteForcedEvents(context_.get());
  EXPECT_EQ(plant_->GetVelocities(*context_).norm(), 0);
  EXPECT_TRUE(Near(
      joint_->GetPose(*context_).GetAsMatrix4(),
      [&] {
        plant_->SetPositions(context_.get(), q);
        return joint_->GetPose(*context_).GetAsMatrix4();
      }(),
      1e-15));
}

INSTANTIATE_TEST_SUITE_P(All, EveryJoint,
                         testing::Combine(testing::ValuesIn(MakeCases()),
                                          testing::Bool()),
                         [](const auto& param_info) {
                           return std::get<0>(param_info.param).name +
                                  (std::get<1>(param_info.param) ? "_reversed"
                                                                 : "");
                         });

}  // namespace joints_test
}  // namespace wyvern::multibody
