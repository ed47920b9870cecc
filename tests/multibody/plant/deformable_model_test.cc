#include "wyvern/multibody/plant/deformable_model.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/multibody/plant/soft_box.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::multibody {
namespace deformable_model_test {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using fem::DeformableBodyConfig;
using geometry::GeometryInstance;
using math::RigidTransformd;
using soft_box::AddBox;
using soft_box::AddHeldBox;
using soft_box::kStep;
using soft_box::MakeBox;
using soft_box::MakeConfig;
using soft_box::Plant;
using soft_box::Reference;
using systems::Simulator;
using wyvern::test::Near;
TEST(DeformableModel, ABodyFallsAndThePortShowsIt) {
  for (const bool samples : {true, false}) {
    Plant plant(kStep);
    plant.SetUseSampledOutputPorts(samples);
    const DeformableBodyId id = AddBox(&plant);
    plant.Finalize();
    const DeformableModel<double>& model = plant.deformable_model();
    Simulator<double> simulator(plant);
    simulator.AdvanceTo(0.2);
    const auto& context = simulator.get_context();
    const Vector3d fallen(0, 0, -0.5 * 9.81 * 0.2 * 0.2);
    const Matrix3Xd expected = Reference(plant, id).colwise() + fallen;
    EXPECT_TRUE(Near(model.GetPositions(context, id), expected, 1e-9));
    const Matrix3Xd v = model.GetVelocities(context, id);
    EXPECT_TRUE(
        Near(v.row(2), Eigen::RowVectorXd::Constant(v.cols(), -1.962), 1e-9));
    const auto& port = plant.get_deformable_body_configuration_output_port();
    const auto& configurations =
        port.Eval<geometry::GeometryConfigurationVector<double>>(context);
    EXPECT_EQ(configurations.size(), 1);
    EXPECT_EQ(model.configuration_output_port_index(), port.get_index());
    const VectorXd& q = configurations.value(model.GetGeometryId(id));
    EXPECT_EQ(q, Eigen::Map<const VectorXd>(
                     model.GetPositions(context, id).data(), q.size()));
    // [q; v; a].
    const VectorXd& x =
        context.get_discrete_state(model.GetDiscreteStateIndex(id)).value();
    EXPECT_EQ(x.size(), 3 * q.size());
    EXPECT_NEAR(x[2 * q.size() + 2], -9.81, 1e-6);
  }
}

TEST(DeformableModel, ItFallsBesideRigidBodiesWhichItLeavesAlone) {
  const auto fall = [](bool has_block) {
    auto plant = std::make_unique<Plant>(kStep);
    plant->AddRigidBody("stone",
                        SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
    if (has_block) AddBox(plant.get());
    plant->Finalize();
    Simulator<double> simulator(*plant);
    simulator.AdvanceTo(0.1);
    return VectorXd(plant->GetPositionsAndVelocities(simulator.get_context()));
  };
  EXPECT_EQ(fall(true), fall(false));
}

// Until it rests, with much damping.
TEST(DeformableModel, ABarBehindAWallHangsAsItsWeightSays) {
  Plant plant(0.1);
  DeformableBodyConfig<double> config = MakeConfig();
  config.set_poissons_ratio(0);
  config.set_mass_damping_coefficient(20);
  const DeformableBodyId id =
      plant.mutable_deformable_model().RegisterDeformableBody(
          std::make_unique<GeometryInstance>(
              RigidTransformd(), geometry::Box(0.1, 0.1, 0.4), "bar"),
          config, 0.05);
  plant.mutable_deformable_model().SetWallBoundaryCondition(
      id, Vector3d(0, 0, 0.199), Vector3d(0, 0, -1));
  plant.Finalize();
  Simulator<double> simulator(plant);
  simulator.AdvanceTo(20);
  const Matrix3Xd moved =
      plant.deformable_model().GetPositions(simulator.get_context(), id) -
      Reference(plant, id);
  double sag = 0;
  int count = 0;
  for (int v = 0; v < moved.cols(); ++v) {
    const double z = Reference(plant, id)(2, v);
    if (z > 0.199) {
      EXPECT_EQ(moved.col(v).norm(), 0);
    }
    if (z > -0.199) continue;
    sag -= moved(2, v);
    ++count;
  }
  // rho g L² / 2 E
  const double exact = 1000 * 9.81 * 0.4 * 0.4 / (2 * 1e5);
  EXPECT_NEAR(sag / count, exact, 0.01 * exact);
}

TEST(DeformableModel, AFixedConstraintHoldsWhatIsInTheShape) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  Plant stranger(kStep);
  const RigidBody<double>& stone = stranger.AddRigidBody(
      "stone", SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
  EXPECT_THROW(model.AddFixedConstraint(id, stone, {}, geometry::Sphere(9), {}),
               std::logic_error);
  // The body is lifted by 1 m, and its left end is in a box there.
  const RigidTransformd X_BA(Vector3d(0, 0, 1));
  const RigidTransformd X_BG(Vector3d(-0.2, 0, 1));
  const geometry::Box shape(0.01, 1, 1);
  EXPECT_THROWS_MESSAGE(
      model.AddFixedConstraint(id, plant.world_body(), {}, shape, X_BG),
      std::logic_error, "no vertex of deformable body 'block' is in the shape");
  EXPECT_FALSE(model.HasConstraint(id));
  model.AddFixedConstraint(id, plant.world_body(), X_BA, shape, X_BG);
  EXPECT_TRUE(model.HasConstraint(id));
  plant.Finalize();
  Simulator<double> simulator(plant);
  simulator.AdvanceTo(0.05);
  const Matrix3Xd q = model.GetPositions(simulator.get_context(), id);
  const Matrix3Xd reference = Reference(plant, id);
  for (int v = 0; v < q.cols(); ++v) {
    const Vector3d moved = q.col(v) - reference.col(v);
    if (reference(0, v) < -0.19) {
      EXPECT_TRUE(Near(moved, Vector3d(0, 0, 1), 1e-15));
    } else {
      EXPECT_NE(moved, Vector3d(0, 0, 1));
    }
  }
}

class Lift final : public ForceDensityField<double> {
 public:
  explicit Lift(const Vector3d& force,
                ForceDensityType type = ForceDensityType::kPerReferenceVolume)
      : ForceDensityField(type), force_(force) {}

 private:
  Vector3d DoEvaluateAt(const systems::Context<double>&,
                        const Vector3d&) const override {
    return force_;
  }
  std::unique_ptr<ForceDensityFieldBase<double>> DoClone() const override {
    return std::make_unique<Lift>(*this);
  }
  Vector3d force_;
};

TEST(DeformableModel, ForceDensitiesActBesideGravity) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  model.AddExternalForce(std::make_unique<Lift>(Vector3d(0, 2000, 9810)));
  EXPECT_THROWS_MESSAGE(model.GetExternalForces(id), std::logic_error,
                        "Finalize");
  plant.Finalize();
  ASSERT_EQ(model.GetExternalForces(id).size(), 2);
  EXPECT_EQ(model.GetExternalForces(id)[1]->EvaluateAt(
                *plant.CreateDefaultContext(), Vector3d::Zero()),
            Vector3d(0, 0, -9810));
  EXPECT_EQ(model.GetExternalForces(id)[0]->Clone()->density_type(),
            ForceDensityType::kPerReferenceVolume);
  Simulator<double> simulator(plant);
  simulator.AdvanceTo(0.1);
  const Matrix3Xd expected =
      Reference(plant, id).colwise() + Vector3d(0, 0.5 * 2 * 0.01, 0);
  EXPECT_TRUE(
      Near(model.GetPositions(simulator.get_context(), id), expected, 1e-9));
}

// Eight times its volume has eight times the force of a density per volume as
// it is, and the same of one per volume as it was; stresses have no sum.
TEST(DeformableModel, ForceDensitiesArePerVolumeAsItIsOrWas) {
  for (const auto type : {ForceDensityType::kPerCurrentVolume,
                          ForceDensityType::kPerReferenceVolume}) {
    Plant plant(kStep);
    plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    const DeformableBodyId id = AddBox(&plant);
    plant.mutable_deformable_model().AddExternalForce(
        std::make_unique<Lift>(Vector3d(0, 0, 500), type));
    plant.Finalize();
    Simulator<double> simulator(plant);
    auto& context = simulator.get_mutable_context();
    const DeformableModel<double>& model = plant.deformable_model();
    model.SetPositions(&context, id, 2 * Reference(plant, id));
    simulator.AdvanceTo(kStep);
    const Vector3d v =
        model.GetBody(id).CalcCenterOfMassTranslationalVelocityInWorld(context);
    const double factor = type == ForceDensityType::kPerCurrentVolume ? 8 : 1;
    EXPECT_TRUE(Near(v, Vector3d(0, 0, factor * kStep * 500 / 1000), 1e-9));
  }
}

TEST(DeformableModel, GravityIsSwitchedOffByModelInstance) {
  Plant plant(kStep);
  const ModelInstanceIndex floats = plant.AddModelInstance("floats");
  const DeformableBodyId a = AddBox(&plant), b = AddBox(&plant, "b", floats);
  plant.set_gravity_enabled(floats, false);
  plant.Finalize();
  Simulator<double> simulator(plant);
  simulator.AdvanceTo(kStep);
  const DeformableModel<double>& model = plant.deformable_model();
  EXPECT_NEAR(model.GetVelocities(simulator.get_context(), a)(2, 7),
              -9.81 * kStep, 1e-9);
  EXPECT_EQ(model.GetPositions(simulator.get_context(), b),
            Reference(plant, b));
}

// A step keeps scratch memory from the last one, but no state.
TEST(DeformableModel, AStepGoesByItsContextAlone) {
  Plant plant(kStep);
  const DeformableBodyId id = AddHeldBox(&plant);
  plant.Finalize();
  const DeformableModel<double>& model = plant.deformable_model();
  Simulator<double> simulator(plant);
  auto& context = simulator.get_mutable_context();
  simulator.AdvanceTo(0.1);
  const Matrix3Xd x = model.GetPositionsAndVelocities(context, id);
  plant.SetDefaultContext(&context);
  context.SetTime(0);
  simulator.Initialize();
  EXPECT_EQ(model.GetPositions(context, id), Reference(plant, id));
  simulator.AdvanceTo(0.1);
  EXPECT_EQ(model.GetPositionsAndVelocities(context, id), x);
}

// A second gravity, sideways, as great as the mass of the density says.
TEST(DeformableModel, AGravityForceFieldIsAWeight) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  model.AddExternalForce(std::make_unique<GravityForceField<double>>(
      Vector3d(3, 0, 9.81), 1000.0));
  plant.Finalize();
  EXPECT_EQ(model.GetExternalForces(id)[0]->Clone()->density_type(),
            ForceDensityType::kPerReferenceVolume);
  Simulator<double> simulator(plant);
  simulator.AdvanceTo(0.1);
  const Matrix3Xd expected =
      Reference(plant, id).colwise() + Vector3d(0.5 * 3 * 0.01, 0, 0);
  EXPECT_TRUE(
      Near(model.GetPositions(simulator.get_context(), id), expected, 1e-9));
  EXPECT_THROWS_MESSAGE(GravityForceField<double>(Vector3d(0, 0, NAN), 1.0),
                        std::logic_error, "gravity_vector[2] is nan");
  EXPECT_THROWS_MESSAGE(GravityForceField<double>(Vector3d::UnitZ(), 0.0),
                        std::logic_error, "mass_density is 0");
}

// Weightless, and pushed by what a port says times a cached number.
class Fan final : public ForceDensityField<double> {
 public:
  Fan() : ForceDensityField(ForceDensityType::kPerReferenceVolume) {}
  systems::InputPortIndex port() const { return port_; }

 private:
  void DoDeclareInputPorts(Plant* plant) override {
    port_ =
        DeclareVectorInputPort(plant, "fan", systems::BasicVector<double>(3))
            .get_index();
    other_ =
        DeclareAbstractInputPort(plant, "is_on", Value<bool>(true)).get_index();
  }
  void DoDeclareCacheEntries(Plant* plant) override {
    entry_ =
        DeclareCacheEntry(plant, "fan's power",
                          systems::ValueProducer(this, 0.0, &Fan::CalcPower),
                          {systems::SystemBase::time_ticket()})
            .cache_index();
  }
  void CalcPower(const systems::Context<double>& context, double* power) const {
    *power = 1000 * context.get_time();
  }
  Vector3d DoEvaluateAt(const systems::Context<double>& context,
                        const Vector3d&) const override {
    const auto& plant = parent_system_or_throw();
    const auto& is_on = plant.get_input_port(other_);
    if (is_on.HasValue(context) && !is_on.Eval<bool>(context)) {
      return Vector3d::Zero();
    }
    return plant.get_cache_entry(entry_).Eval<double>(context) *
           plant.get_input_port(port_)
               .Eval<systems::BasicVector<double>>(context)
               .value();
  }
  std::unique_ptr<ForceDensityFieldBase<double>> DoClone() const override {
    return std::make_unique<Fan>(*this);
  }
  systems::InputPortIndex port_, other_;
  systems::CacheIndex entry_;
};

TEST(DeformableModel, AForceFieldHasPortsAndCacheEntriesOfThePlant) {
  Plant plant(kStep);
  plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
  const DeformableBodyId id = AddBox(&plant);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  auto owned = std::make_unique<Fan>();
  const Fan& fan = *owned;
  EXPECT_FALSE(fan.has_parent_system());
  EXPECT_THROWS_MESSAGE(fan.parent_system_or_throw(), std::logic_error,
                        "belongs to no plant");
  model.AddExternalForce(std::move(owned));
  plant.Finalize();
  EXPECT_EQ(&fan.parent_system_or_throw(), &plant);
  EXPECT_EQ(plant.GetInputPort("fan").get_index(), fan.port());
  Simulator<double> simulator(plant);
  auto& context = simulator.get_mutable_context();
  EXPECT_THROW(simulator.AdvanceTo(kStep), std::logic_error);
  context.SetTime(0);
  plant.GetInputPort("fan").FixValue(&context, Vector3d(2, 0, 0));
  simulator.Initialize();
  simulator.AdvanceTo(4 * kStep);
  // dv = dt f(t) / rho at t = 0, dt, 2 dt, 3 dt.
  const double v = 6 * kStep * kStep * 1000 * 2 / 1000;
  EXPECT_NEAR(model.GetVelocities(context, id)(0, 5), v, 1e-12);
  plant.GetInputPort("fan").FixValue(&context, Vector3d(0, 1, 0));
  simulator.AdvanceTo(5 * kStep);
  EXPECT_NEAR(model.GetVelocities(context, id)(0, 5), v, 1e-12);
  EXPECT_NEAR(model.GetVelocities(context, id)(1, 5), 4 * kStep * kStep, 1e-12);
  plant.GetInputPort("is_on").FixValue(&context, Value<bool>(false));
  simulator.AdvanceTo(6 * kStep);
  EXPECT_NEAR(model.GetVelocities(context, id)(1, 5), 4 * kStep * kStep, 1e-12);
  const auto copy = model.GetExternalForces(id)[0]->Clone();
  EXPECT_EQ(copy->EvaluateAt(context, Vector3d::Zero()), Vector3d::Zero());
}

TEST(DeformableModel, AForceThatIsNoNumberIsAnErrorAndTheStateStays) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  plant.mutable_deformable_model().AddExternalForce(
      std::make_unique<Lift>(Vector3d(0, NAN, 0)));
  plant.Finalize();
  Simulator<double> simulator(plant);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(0.1), std::runtime_error,
                        "the force density[1] is nan");
  EXPECT_EQ(plant.deformable_model().GetPositions(simulator.get_context(), id),
            Reference(plant, id));
}

TEST(DeformableModel, ADisabledBodyKeepsItsPlace) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant), other = AddBox(&plant, "other");
  plant.Finalize();
  const DeformableModel<double>& model = plant.deformable_model();
  Simulator<double> simulator(plant);
  auto& context = simulator.get_mutable_context();
  simulator.AdvanceTo(0.05);
  const Matrix3Xd q = model.GetPositions(context, id);
  model.Disable(id, &context);
  EXPECT_FALSE(model.is_enabled(id, context));
  std::stringstream file;
  systems::SaveContext(context, &file);
  auto loaded = plant.CreateDefaultContext();
  systems::LoadContext(&file, loaded.get());
  EXPECT_FALSE(model.is_enabled(id, *loaded));
  EXPECT_TRUE(model.is_enabled(other, context));
  EXPECT_EQ(model.GetVelocities(context, id).norm(), 0);
  EXPECT_NE(model.GetVelocities(context, other).norm(), 0);
  simulator.AdvanceTo(0.1);
  EXPECT_EQ(model.GetPositions(context, id), q);
  model.Enable(id, &context);
  EXPECT_TRUE(model.is_enabled(id, context));
  simulator.AdvanceTo(0.15);
  EXPECT_LT(model.GetPositions(context, id)(2, 0), q(2, 0) - 0.01);
}

TEST(DeformableModel, ACopyGoesOnWithTheSameBitsAndStepsAllocateNothing) {
  Plant plant(kStep);
  const DeformableBodyId id = AddHeldBox(&plant);
  plant.Finalize();
  Simulator<double> simulator(plant);
  simulator.AdvanceTo(0.1);
  const auto half = simulator.get_context().Clone();
  Simulator<double> other(plant, half->Clone());
  // The data that the copy shares is renewed once.
  simulator.AdvanceTo(0.12);
  {
    const wyvern::test::AllocationGuard guard;
    simulator.AdvanceTo(0.2);
    EXPECT_EQ(guard.count(), 0);
  }
  other.Initialize();
  other.AdvanceTo(0.2);
  const DeformableModel<double>& model = plant.deformable_model();
  const Matrix3Xd q = model.GetPositions(simulator.get_context(), id);
  EXPECT_EQ(q, model.GetPositions(other.get_context(), id));
  EXPECT_NE(q, Reference(plant, id));
  // From a file too.
  std::stringstream file;
  systems::SaveContext(*half, &file);
  auto loaded = plant.CreateDefaultContext();
  systems::LoadContext(&file, loaded.get());
  Simulator<double> resumed(plant, std::move(loaded));
  resumed.AdvanceTo(0.2);
  EXPECT_EQ(q, model.GetPositions(resumed.get_context(), id));
  Simulator<double> again(plant);
  again.AdvanceTo(0.2);
  EXPECT_EQ(q, model.GetPositions(again.get_context(), id));
}

TEST(DeformableModel, FinalizeWarnsOfBodiesThatAreToTouchWithoutASceneGraph) {
  for (const bool touches : {false, true}) {
    Plant plant(kStep);
    auto box = MakeBox();
    if (touches) box->set_proximity_properties({});
    plant.mutable_deformable_model().RegisterDeformableBody(std::move(box),
                                                            MakeConfig(), 0.1);
    testing::internal::CaptureStderr();
    plant.Finalize();
    const std::string said = testing::internal::GetCapturedStderr();
    const bool warns =
        said.find("body 'block' passes through") != std::string::npos;
    EXPECT_EQ(warns, touches) << said;
  }
}

TEST(DeformableModel, BodiesAreFoundByIdIndexGeometryAndName) {
  Plant plant(kStep);
  EXPECT_TRUE(plant.deformable_model().is_empty());
  const ModelInstanceIndex soft = plant.AddModelInstance("soft");
  DeformableModel<double>& model = plant.mutable_deformable_model();
  const DeformableBodyId a = AddBox(&plant);
  auto ball = std::make_unique<GeometryInstance>(
      RigidTransformd(), geometry::Sphere(0.1), "block");
  const geometry::GeometryId geometry = ball->id();
  const DeformableBodyId b =
      model.RegisterDeformableBody(std::move(ball), soft, MakeConfig(), 0.1);
  EXPECT_EQ(model.num_bodies(), 2);
  EXPECT_FALSE(model.is_empty());
  EXPECT_EQ(model.GetBodyIndex(b), DeformableBodyIndex(1));
  EXPECT_EQ(model.GetBodyId(DeformableBodyIndex(0)), a);
  EXPECT_EQ(model.GetBodyId(geometry), b);
  EXPECT_EQ(model.GetGeometryId(b), geometry);
  EXPECT_EQ(model.GetBodyIds(soft), std::vector<DeformableBodyId>{b});
  EXPECT_TRUE(model.HasBodyNamed("block"));
  EXPECT_FALSE(model.HasBodyNamed("stone"));
  EXPECT_THROWS_MESSAGE(model.GetBodyIndex(DeformableBodyId::get_new_id()),
                        std::logic_error, "no deformable body of this plant");
  EXPECT_THROW(model.GetBodyId(DeformableBodyIndex(2)), std::out_of_range);
  EXPECT_THROW(model.GetBodyId(geometry::GeometryId::get_new_id()),
               std::logic_error);
  EXPECT_THROWS_MESSAGE(model.GetDiscreteStateIndex(a), std::logic_error,
                        "Finalize");
}

TEST(DeformableModel, RefusesByNameWhatItCannotSimulate) {
  Plant plant(kStep);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  const auto config = MakeConfig();
  EXPECT_THROWS_MESSAGE(model.RegisterDeformableBody(nullptr, config, 1),
                        std::logic_error, "geometry_instance is null");
  EXPECT_THROWS_MESSAGE(model.RegisterDeformableBody(MakeBox(), config, 0),
                        std::logic_error,
                        "deformable body 'block': resolution_hint is 0");
  EXPECT_THROWS_MESSAGE(
      model.RegisterDeformableBody(
          std::make_unique<GeometryInstance>(RigidTransformd(),
                                             geometry::HalfSpace(), "floor"),
          config, 1),
      std::logic_error, "geometry 'floor': HalfSpace() cannot deform");
  const DeformableBodyId id = AddBox(&plant);
  EXPECT_THROWS_MESSAGE(AddBox(&plant), std::logic_error,
                        "a deformable body named 'block'");
  EXPECT_THROWS_MESSAGE(
      model.SetWallBoundaryCondition(id, Vector3d::Zero(), Vector3d::Zero()),
      std::logic_error, "'block': the length of n_W is 0");
  const std::string pinned = "all 45 vertices of deformable body 'block'";
  EXPECT_THROWS_MESSAGE(
      model.SetWallBoundaryCondition(id, Vector3d(9, 0, 0), Vector3d::UnitX()),
      std::logic_error, pinned);
  EXPECT_THROWS_MESSAGE(model.AddFixedConstraint(id, plant.world_body(), {},
                                                 geometry::Sphere(9), {}),
                        std::logic_error, pinned);
  EXPECT_FALSE(model.HasConstraint(id));
  EXPECT_THROW(model.AddExternalForce(nullptr), std::logic_error);
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(
      model.RegisterDeformableBody(MakeBox("late"), config, 1),
      std::logic_error, "after Finalize");
  auto context = plant.CreateDefaultContext();
  Matrix3Xd q = model.GetPositions(*context, id);
  q(1, 1) = NAN;
  EXPECT_THROWS_MESSAGE(model.SetPositions(context.get(), id, q),
                        std::logic_error, "deformable body 'block'");
  EXPECT_THROWS_MESSAGE(
      model.SetVelocities(context.get(), id, q.leftCols(2)), std::logic_error,
      "the list of vertices has size 2; it must have size 45");
  // The constraint that would have pinned it had no effect.
  EXPECT_EQ(model.GetPositions(*context, id), Reference(plant, id));
  Simulator<double> simulator(plant);
  simulator.AdvanceTo(kStep);
  EXPECT_LT(model.GetVelocities(simulator.get_context(), id)(2, 0), -0.09);
  EXPECT_THROW(model.Disable(id, nullptr), std::logic_error);
  Plant stranger(kStep);
  stranger.Finalize();
  EXPECT_THROW(model.GetPositions(*stranger.CreateDefaultContext(), id),
               std::logic_error);

  Plant continuous(0);
  EXPECT_THROWS_MESSAGE(AddBox(&continuous), std::logic_error,
                        "the plant is continuous");
  continuous.Finalize();
  EXPECT_TRUE(continuous.deformable_model().is_empty());
#if WYVERN_AUTODIFF
  EXPECT_THROWS_MESSAGE(plant.ToAutoDiffXd(), std::logic_error,
                        "a plant with deformable bodies");
  MultibodyPlant<AutoDiffXd> other(kStep);
  EXPECT_THROWS_MESSAGE(other.mutable_deformable_model().RegisterDeformableBody(
                            MakeBox(), DeformableBodyConfig<AutoDiffXd>(), 1),
                        std::logic_error, "the plant is not of double");
#endif
}

// Too many elements are refused by their number, before a step takes minutes.
TEST(DeformableModel, RefusesMeshesThatAreTooFineByTheirNumbers) {
  Plant plant(kStep);
  const auto expect_error = [&plant](double hint, const char* message) {
    DeformableModel<double>& model = plant.mutable_deformable_model();
    EXPECT_THROWS_MESSAGE(
        model.RegisterDeformableBody(MakeBox("fruit"), MakeConfig(), hint),
        std::logic_error, message);
    EXPECT_EQ(model.num_bodies(), 0);
  };
  // 42 x 21² bricks of six, and by the million, which are not made at all.
  expect_error(0.4 / 42 * (1 + 1e-9),
               "'fruit': its mesh has 111132 tetrahedra; at most 100000 are "
               "simulated");
  expect_error(0.4 / 120, "geometry 'fruit'");
  expect_error(0.4 / 120, "elements; the most is 1e+06");
  expect_error(1e-300, "geometry 'fruit'");
}

TEST(DeformableModel, RefusesMeshesThatAreNoBodyByTheirName) {
  Plant plant(kStep);
  const auto add = [&plant](const std::string& points, const char* cells) {
    const geometry::InMemoryMesh mesh{
        MemoryFile("# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET "
                   "UNSTRUCTURED_GRID\nPOINTS 8 double\n" +
                       points + cells,
                   ".vtk", "pieces"),
        {}};
    plant.mutable_deformable_model().RegisterDeformableBody(
        std::make_unique<GeometryInstance>(RigidTransformd(),
                                           geometry::Mesh(mesh), "fruit"),
        MakeConfig(), 1);
  };
  const std::string first = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  const std::string second = "5 0 0\n6 0 0\n5 1 0\n5 0 1\n";
  EXPECT_THROWS_MESSAGE(
      add(first + second,
          "CELLS 2 10\n4 0 1 2 3\n4 4 5 6 7\nCELL_TYPES 2\n10\n10\n"),
      std::logic_error,
      "'fruit': vertex 4 of its mesh is not connected with vertex 0");
  EXPECT_THROWS_MESSAGE(
      add(first + second, "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"),
      std::logic_error, "'fruit': vertex 4 of its mesh is not connected");
  EXPECT_THROWS_MESSAGE(add("nan 0 0\n1 0 0\n0 1 0\n0 0 1\n" + second,
                            "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"),
                        std::runtime_error, "geometry 'fruit'");
  EXPECT_EQ(plant.deformable_model().num_bodies(), 0);
}

// Meshes of files that are no body, by the body's name and the file's.
TEST(DeformableModel, AnErrorOfAMeshFileNamesTheBody) {
  const auto expect_error = [](const std::string& cells,
                               const std::string& points,
                               const std::string& message) {
    const std::string file = testing::TempDir() + "/deformable_model_test.vtk";
    std::ofstream(file) << "# vtk DataFile Version 3.0\nmesh\nASCII\n"
                           "DATASET UNSTRUCTURED_GRID\n"
                        << points << cells;
    Plant plant(kStep);
    auto fruit = std::make_unique<GeometryInstance>(
        RigidTransformd(), geometry::Mesh(file), "fruit");
    EXPECT_THROWS_MESSAGE(
        plant.mutable_deformable_model().RegisterDeformableBody(
            std::move(fruit), MakeConfig(), 1),
        std::runtime_error, "geometry 'fruit'");
    fruit = std::make_unique<GeometryInstance>(RigidTransformd(),
                                               geometry::Mesh(file), "fruit");
    EXPECT_THROWS_MESSAGE(
        plant.mutable_deformable_model().RegisterDeformableBody(
            std::move(fruit), MakeConfig(), 1),
        std::runtime_error, message);
  };
  const std::string points = "POINTS 4 double\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  const std::string types = "CELL_TYPES 1\n10\n";
  expect_error("CELLS 1 5\n4 0 2 1 3\n" + types, points, "volume");
  expect_error("CELLS 1 5\n4 0 1 2 3\n" + types,
               "POINTS 4 double\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n", "volume");
  expect_error("CELLS 1 5\n4 0 1 2 7\n" + types, points, "7");
}

}  // namespace deformable_model_test
}  // namespace wyvern::multibody
