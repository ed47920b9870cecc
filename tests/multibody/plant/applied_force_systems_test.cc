// Systems that make forces for a plant: propellers, wings, and their lists put
// together.

#include <gtest/gtest.h>

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force_multiplexer.h"
#include "wyvern/multibody/plant/propeller.h"
#include "wyvern/multibody/plant/wing.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
namespace applied_force_systems_test {

using Eigen::Vector3d;
using math::RigidTransform;
using math::RollPitchYaw;
using wyvern::test::Near;

template <typename T>
using Forces = std::vector<ExternallyAppliedSpatialForce<T>>;

template <typename T>
class AppliedForceSystems : public ::testing::Test {
 public:
  // Poses of the world and of a body B.
  std::vector<RigidTransform<T>> poses{
      RigidTransform<T>(),
      RigidTransform<T>(RollPitchYaw<T>(0.1, 0.2, 0.3), Vector3<T>(1, 2, 3))};
};
TYPED_TEST_SUITE(AppliedForceSystems, test::Scalars);

TYPED_TEST(AppliedForceSystems, PropellerPushesAlongItsAxis) {
  using T = TypeParam;
  const RigidTransform<double> X_BP(RollPitchYaw<double>(1, 0, 0),
                                    Vector3d(0.1, 0.2, 0.3));
  const Propeller<T> propeller(BodyIndex(1), X_BP, 2.0, 0.5);
  auto context = propeller.CreateDefaultContext();
  propeller.get_body_poses_input_port().FixValue(context.get(), this->poses);
  propeller.get_command_input_port().FixValue(context.get(),
                                              VectorX<T>::Constant(1, T(3)));
  const auto& forces =
      propeller.get_spatial_forces_output_port().template Eval<Forces<T>>(
          *context);
  ASSERT_EQ(forces.size(), 1);
  EXPECT_EQ(forces[0].body_index, BodyIndex(1));
  EXPECT_TRUE(Near(ToDouble(forces[0].p_BoBq_B), X_BP.translation()));
  const Vector3<T> Pz_W =
      this->poses[1].rotation() * X_BP.rotation().col(2).template cast<T>();
  EXPECT_TRUE(Near(ToDouble(forces[0].F_Bq_W.translational()),
                   6 * ToDouble(Pz_W), 1e-14));
  EXPECT_TRUE(Near(ToDouble(forces[0].F_Bq_W.rotational()),
                   1.5 * ToDouble(Pz_W), 1e-14));
}

TYPED_TEST(AppliedForceSystems, PropellerNeedsItsBody) {
  using T = TypeParam;
  const Propeller<T> propeller(std::vector<PropellerInfo>{
      PropellerInfo(BodyIndex(1)), PropellerInfo(BodyIndex(2))});
  EXPECT_EQ(propeller.num_propellers(), 2);
  auto context = propeller.CreateDefaultContext();
  propeller.get_body_poses_input_port().FixValue(context.get(), this->poses);
  propeller.get_command_input_port().FixValue(context.get(),
                                              VectorX<T>::Zero(2).eval());
  EXPECT_THROWS_MESSAGE(
      propeller.get_spatial_forces_output_port().template Eval<Forces<T>>(
          *context),
      std::logic_error, "has 2 poses");
  EXPECT_THROW(Propeller<T>{BodyIndex()}, std::logic_error);
  EXPECT_THROW(Propeller<T>(BodyIndex(1), RigidTransform<double>(), NAN),
               std::logic_error);
}

// Lift and drag, by the coefficients of a flat plate.
TYPED_TEST(AppliedForceSystems, WingLiftsAsAFlatPlate) {
  using T = TypeParam;
  const double area = 2, density = 1.1, speed = 7, attack = 0.2;
  const Wing<T> wing(BodyIndex(1), area, RigidTransform<double>(), density);
  auto context = wing.CreateDefaultContext();
  wing.get_body_poses_input_port().FixValue(context.get(),
                                            std::vector<RigidTransform<T>>(2));
  // Level flight with the nose up is flight downwards seen from the plate.
  const Vector3<T> v(speed * std::cos(attack), 4, -speed * std::sin(attack));
  wing.get_body_spatial_velocities_input_port().FixValue(
      context.get(), std::vector<SpatialVelocity<T>>(
                         2, SpatialVelocity<T>(Vector3<T>(0, 0, 0), v)));
  const auto& forces =
      wing.get_spatial_force_output_port().template Eval<Forces<T>>(*context);
  const Vector3d f = ToDouble(forces.at(0).F_Bq_W.translational());
  const double q_S = 0.5 * density * area * speed * speed;
  const double lift = q_S * 2 * std::sin(attack) * std::cos(attack);
  const double drag = q_S * 2 * std::sin(attack) * std::sin(attack);
  const Vector3d flight(std::cos(attack), 0, -std::sin(attack));
  const Vector3d up(std::sin(attack), 0, std::cos(attack));
  EXPECT_TRUE(Near(f, lift * up - drag * flight, 1e-12));
  EXPECT_EQ(ToDouble(forces[0].F_Bq_W.rotational()), Vector3d::Zero());
}

TYPED_TEST(AppliedForceSystems, WingFeelsTheWindAtItsOwnPlace) {
  using T = TypeParam;
  const RigidTransform<double> X(Vector3d(0, 2, 0));
  const Wing<T> wing(BodyIndex(1), 1, X, 1);
  auto context = wing.CreateDefaultContext();
  wing.get_body_poses_input_port().FixValue(context.get(), this->poses);
  // Turning about Bo, the centre moves at w x p; a wind of that velocity.
  const Vector3<T> w(1, 2, 3);
  wing.get_body_spatial_velocities_input_port().FixValue(
      context.get(), std::vector<SpatialVelocity<T>>(
                         2, SpatialVelocity<T>(w, Vector3<T>(0, 0, 0))));
  const Vector3<T> p_W =
      this->poses[1].rotation() * X.translation().template cast<T>();
  const auto& port = wing.get_spatial_force_output_port();
  const auto force = [&]() {
    return ToDouble(
        port.template Eval<Forces<T>>(*context)[0].F_Bq_W.translational());
  };
  EXPECT_GT(force().norm(), 0.1);
  const Vector3d still = force();
  wing.get_fluid_density_input_port().FixValue(context.get(),
                                               VectorX<T>::Constant(1, T(3)));
  EXPECT_TRUE(Near(force(), 3 * still, 1e-14));
  wing.get_wind_velocity_input_port().FixValue(context.get(),
                                               VectorX<T>(w.cross(p_W)));
  EXPECT_TRUE(Near(force(), Vector3d::Zero(), 1e-14));
  EXPECT_TRUE(
      Near(ToDouble(wing.get_aerodynamic_center_output_port().Eval(*context)),
           ToDouble((this->poses[1].translation() + p_W).eval()), 1e-14));
}

TYPED_TEST(AppliedForceSystems, WingNeedsItsBodyInWhatIsConnected) {
  using T = TypeParam;
  const Wing<T> wing(BodyIndex(7), 1);
  auto context = wing.CreateDefaultContext();
  wing.get_body_poses_input_port().FixValue(context.get(), this->poses);
  wing.get_body_spatial_velocities_input_port().FixValue(
      context.get(),
      std::vector<SpatialVelocity<T>>(3, SpatialVelocity<T>::Zero()));
  const auto eval = [&] {
    wing.get_spatial_force_output_port().template Eval<Forces<T>>(*context);
  };
  EXPECT_THROWS_MESSAGE(eval(), std::logic_error,
                        "index 7, but the port 'body_poses' has 2 poses");
  wing.get_body_poses_input_port().FixValue(
      context.get(), std::vector<math::RigidTransform<T>>(8));
  EXPECT_THROWS_MESSAGE(
      eval(), std::logic_error,
      "index 7, but the port 'body_spatial_velocities' has 3 velocities");
}

TYPED_TEST(AppliedForceSystems, WingRefusesBadNumbers) {
  EXPECT_THROW(Wing<TypeParam>(BodyIndex(), 1), std::logic_error);
  EXPECT_THROW(Wing<TypeParam>(BodyIndex(1), -1), std::logic_error);
  EXPECT_THROW(Wing<TypeParam>(BodyIndex(1), 1, RigidTransform<double>(), NAN),
               std::logic_error);
}

TYPED_TEST(AppliedForceSystems, MultiplexerPutsListsOneAfterAnother) {
  using T = TypeParam;
  const ExternallyAppliedSpatialForceMultiplexer<T> mux(3);
  auto context = mux.CreateDefaultContext();
  Forces<T> first(2), third(1);
  first[1].body_index = BodyIndex(4);
  third[0].body_index = BodyIndex(7);
  mux.get_input_port(0).FixValue(context.get(), first);
  mux.get_input_port(2).FixValue(context.get(), third);
  const auto& all = mux.get_output_port(0).template Eval<Forces<T>>(*context);
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[1].body_index, BodyIndex(4));
  EXPECT_EQ(all[2].body_index, BodyIndex(7));
  EXPECT_THROW(ExternallyAppliedSpatialForceMultiplexer<T>{-1},
               std::logic_error);
}

TEST(AppliedForceDiagram, HoveringThrustHoldsABodyAndConverts) {
  systems::DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(0.0);
  const auto& body =
      plant->AddRigidBody("drone", test::MakeInertia(2, {0, 0, 0}, 0.1));
  plant->Finalize();
  auto* propeller = builder.AddSystem<Propeller<double>>(body.index());
  auto* mux =
      builder.AddSystem<ExternallyAppliedSpatialForceMultiplexer<double>>(2);
  builder.Connect(plant->get_body_poses_output_port(),
                  propeller->get_body_poses_input_port());
  builder.Connect(propeller->get_spatial_forces_output_port(),
                  mux->get_input_port(0));
  builder.Connect(mux->get_output_port(0),
                  plant->get_applied_spatial_force_input_port());
  builder.ExportInput(propeller->get_command_input_port());
  const auto diagram = builder.Build();
  const auto check = [](const auto& system) {
    auto context = system.CreateDefaultContext();
    using T = std::decay_t<decltype(context->get_time())>;
    system.get_input_port(0).FixValue(context.get(),
                                      VectorX<T>::Constant(1, T(2 * 9.81)));
    const auto& rates = system.EvalTimeDerivatives(*context);
    EXPECT_TRUE(
        Near(ToDouble(rates.CopyToVector()), Eigen::VectorXd::Zero(13), 1e-14));
  };
  check(*diagram);
  check(*systems::System<double>::ToAutoDiffXd(*diagram));
}

TEST(AppliedForceDiagram, WingIsConnectedByItsBuilder) {
  systems::DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(0.0);
  const auto& body =
      plant->AddRigidBody("kite", test::MakeInertia(2, {0, 0, 0}, 0.1));
  plant->Finalize();
  auto* wing = Wing<double>::AddToBuilder(&builder, plant, body.index(), 0.5);
  const auto diagram = builder.Build();
  auto context = diagram->CreateDefaultContext();
  auto& plant_context = plant->GetMyMutableContextFromRoot(context.get());
  plant->SetFreeBodySpatialVelocity(
      &plant_context, body,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d(0, 0, -3)));
  const Eigen::VectorXd vdot =
      diagram->EvalTimeDerivatives(*context).CopyToVector().tail(6);
  // Falling flat at 3 m/s: -9.81 + 1.204 * 0.5 * 3² / 2.
  EXPECT_NEAR(vdot[5], -9.81 + 1.204 * 0.5 * 9 / 2, 1e-13);
  EXPECT_EQ(wing->num_input_ports(), 4);
  EXPECT_THROW(Wing<double>::AddToBuilder(nullptr, plant, body.index(), 0.5),
               std::logic_error);
  // A builder without the plant is left as it was.
  systems::DiagramBuilder<double> strange;
  EXPECT_THROW(Wing<double>::AddToBuilder(&strange, plant, body.index(), 0.5),
               std::logic_error);
  EXPECT_TRUE(strange.GetSystems().empty());
}

}  // namespace applied_force_systems_test
}  // namespace wyvern::multibody
