// Muscles: figures of MuJoCo, both modes of a plant, copies, and errors.
#include "wyvern/multibody/control/muscle_actuation.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"

namespace wyvern::multibody {
namespace muscle_actuation_test {

using systems::Context;
using systems::DiagramBuilder;
using systems::Simulator;
using wyvern::test::Near;
using Block = MuscleActuation<double>;

const std::string kFolder = WYVERN_SOURCE_DIR "/tests/oracles/";

// The arm of muscles.xml: a motor, which is the third actuator, and 5 muscles.
struct Arm {
  explicit Arm(double time_step)
      : owned(std::make_unique<MultibodyPlant<double>>(time_step)),
        plant(*owned) {
    Parser parser(&plant);
    parser.SetWarningHandler({});
    instance = parser.AddModels(kFolder + "muscles.xml").at(0);
    plant.Finalize();
    for (const auto& [index, facts] : parser.actuator_facts()) {
      if (facts.muscle.has_value()) muscles.emplace(index, *facts.muscle);
    }
  }
  std::unique_ptr<MultibodyPlant<double>> owned;
  MultibodyPlant<double>& plant;
  ModelInstanceIndex instance;
  Block::PropertiesMap muscles;
};

VectorX<double> ReadRow(std::istream* file) {
  std::string line;
  std::getline(*file, line);
  std::istringstream words(line);
  std::vector<double> row;
  for (double x{}; words >> x;) row.push_back(x);
  return Eigen::Map<VectorX<double>>(row.data(), row.size());
}

// Figures by tests/oracles/muscles.py. The motor's input is its force here.
TEST(MuscleActuation, ForcesAndRatesOfActivationAreMujocos) {
  Arm arm(0);
  ASSERT_EQ(arm.muscles.size(), 5u);
  const Block block(arm.plant, arm.instance, arm.muscles);
  const auto context = block.CreateDefaultContext();
  const auto plant_context = arm.plant.CreateDefaultContext();
  std::ifstream file(kFolder + "muscles.txt");
  for (int state = 0; state < 40; ++state) {
    const VectorX<double> row = ReadRow(&file);
    ASSERT_EQ(row.size(), 4 + 6 + 5);
    const VectorX<double> forces = ReadRow(&file);
    const VectorX<double> rates = ReadRow(&file);
    const VectorX<double> vdot = ReadRow(&file);
    VectorX<double> control = row.segment(4, 6);
    control[2] *= 3;
    block.get_state_input_port().FixValue(context.get(), row.head(4).eval());
    block.get_control_input_port().FixValue(context.get(), control);
    block.SetActivations(context.get(), row.tail(5));
    const VectorX<double> ours =
        block.get_actuation_output_port().Eval(*context);
    EXPECT_TRUE(Near(ours, forces, 1e-10 * (1 + forces.norm()))) << state;
    EXPECT_TRUE(Near(block.EvalTimeDerivatives(*context).CopyToVector(), rates,
                     1e-12 * (1 + rates.norm())))
        << state;
    arm.plant.SetPositionsAndVelocities(plant_context.get(), row.head(4));
    arm.plant.get_actuation_input_port().FixValue(plant_context.get(), ours);
    EXPECT_TRUE(Near(arm.plant.get_generalized_acceleration_output_port().Eval(
                         *plant_context),
                     vdot, 1e-9 * (1 + vdot.norm())))
        << state;
  }
}

// A diagram of the arm, whose muscles get constant excitations.
struct DrivenArm {
  explicit DrivenArm(double time_step) : arm(time_step) {
    DiagramBuilder<double> builder;
    plant = builder.AddSystem(std::move(arm.owned));
    block = builder.AddSystem<Block>(*plant, arm.instance, arm.muscles);
    VectorX<double> control(6);
    control << 0.5, 0.2, 0, 0.4, 0.1, 0.7;
    const auto* source =
        builder.AddSystem<systems::ConstantVectorSource<double>>(control);
    builder.Connect(plant->get_state_output_port(),
                    block->get_state_input_port());
    builder.Connect(source->get_output_port(), block->get_control_input_port());
    builder.Connect(block->get_actuation_output_port(),
                    plant->get_actuation_input_port(arm.instance));
    diagram = builder.Build();
    simulator = std::make_unique<Simulator<double>>(*diagram);
  }
  // The plant's state and the activations.
  VectorX<double> state() const {
    const Context<double>& root = simulator->get_context();
    VectorX<double> result(9);
    result << plant->GetPositionsAndVelocities(
        plant->GetMyContextFromRoot(root)),
        block->get_activation_output_port().Eval(
            block->GetMyContextFromRoot(root));
    return result;
  }
  Arm arm;
  MultibodyPlant<double>* plant{};
  Block* block{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<Simulator<double>> simulator;
};

// The error of a discrete plant is of first order in its step.
TEST(MuscleActuation, MovesTheArmAlikeInBothModes) {
  DrivenArm continuous(0);
  continuous.simulator->AdvanceTo(0.1);
  const VectorX<double> wanted = continuous.state();
  EXPECT_GT(wanted.head(2).norm(), 0.05);
  EXPECT_GT(wanted.tail(5).minCoeff(), 0.05);
  double error = 0;
  for (const double time_step : {1e-3, 2.5e-4}) {
    DrivenArm discrete(time_step);
    discrete.simulator->AdvanceTo(0.1);
    const double last = error;
    error = (discrete.state() - wanted).norm();
    if (last == 0) continue;
    EXPECT_NEAR(error, last / 4, 0.15 * last);
  }
  EXPECT_LT(error, 0.02 * wanted.norm());
}

TEST(MuscleActuation, ADiscreteActivationNeverPassesTheExcitation) {
  Arm arm(0.5);
  const Block block(arm.plant, arm.instance, arm.muscles);
  const auto context = block.CreateDefaultContext();
  block.get_state_input_port().FixValue(context.get(),
                                        VectorX<double>::Zero(4).eval());
  for (const double u : {0.3, 0.0, 0.7}) {
    block.get_control_input_port().FixValue(
        context.get(), VectorX<double>::Constant(6, u).eval());
    const VectorX<double> before =
        block.get_activation_output_port().Eval(*context);
    const auto& values = block.EvalUniquePeriodicDiscreteUpdate(*context);
    const VectorX<double> after = values.value();
    for (int i = 0; i < 5; ++i) {
      EXPECT_LE(std::abs(after[i] - u), 1e-3);
      EXPECT_GE((u - after[i]) * (u - before[i]), 0) << i;
    }
    context->SetDiscreteState(after.eval());
  }
}

TEST(MuscleActuation, AllocatesNothingInAStep) {
  if (!wyvern::test::AllocationGuard::is_active()) {
    GTEST_SKIP() << "malloc is not counted in this build";
  }
  for (const double time_step : {0.0, 1e-3}) {
    DrivenArm driven(time_step);
    driven.simulator->AdvanceTo(0.02);
    const wyvern::test::AllocationGuard guard;
    driven.simulator->AdvanceTo(0.04);
    EXPECT_EQ(guard.count(), 0) << time_step;
  }
}

// Another Simulator begins with another step, if the integrator chooses it.
TEST(MuscleActuation, ACopiedContextGoesOnAlike) {
  for (const double time_step : {0.0, 1e-3}) {
    DrivenArm driven(time_step);
    driven.simulator->AdvanceTo(0.03);
    Simulator<double> other(*driven.diagram,
                            driven.simulator->get_context().Clone());
    driven.simulator->AdvanceTo(0.05);
    other.AdvanceTo(0.05);
    const auto& context =
        driven.block->GetMyContextFromRoot(other.get_context());
    EXPECT_TRUE(Near(driven.block->get_activation_output_port().Eval(context),
                     driven.state().tail(5), time_step > 0 ? 1e-15 : 1e-4));
  }
}

TEST(MuscleActuation, DerivativesAreDifferences) {
  Arm arm(0);
  const Block block(arm.plant, arm.instance, arm.muscles);
  const auto copy = block.ToAutoDiffXd();
  const auto* autodiff =
      dynamic_cast<const MuscleActuation<AutoDiffXd>*>(copy.get());
  ASSERT_NE(autodiff, nullptr);
  const Vector4<double> x(0.3, 1.2, -0.4, 0.6);
  const VectorX<double> a = VectorX<double>::Constant(5, 0.4);
  const VectorX<double> u = VectorX<double>::Constant(6, 0.5);
  const auto dual = autodiff->CreateDefaultContext();
  autodiff->get_state_input_port().FixValue(
      dual.get(), VectorX<AutoDiffXd>(math::InitializeAutoDiff(x)));
  autodiff->get_control_input_port().FixValue(
      dual.get(), VectorX<AutoDiffXd>(u.cast<AutoDiffXd>()));
  autodiff->SetActivations(dual.get(), a.cast<AutoDiffXd>());
  const MatrixX<double> J =
      math::ExtractGradient(autodiff->get_actuation_output_port().Eval(*dual));
  const auto context = block.CreateDefaultContext();
  block.get_control_input_port().FixValue(context.get(), u);
  block.SetActivations(context.get(), a);
  const auto force_at = [&](const Vector4<double>& at) {
    block.get_state_input_port().FixValue(context.get(), VectorX<double>(at));
    return VectorX<double>(block.get_actuation_output_port().Eval(*context));
  };
  const double h = 1e-5;
  for (int i = 0; i < 4; ++i) {
    const Vector4<double> step = h * Vector4<double>::Unit(i);
    EXPECT_TRUE(Near(J.col(i),
                     (force_at(x + step) - force_at(x - step)) / (2 * h),
                     1e-5 * (1 + J.norm())))
        << i;
  }
}

TEST(MuscleActuation, RefusesBadArguments) {
  Arm arm(0);
  const auto refuse = [&](auto change, const char* message) {
    Block::PropertiesMap muscles = arm.muscles;
    change(&muscles.begin()->second);
    EXPECT_THROWS_MESSAGE(Block(arm.plant, arm.instance, muscles),
                          std::logic_error, message);
  };
  using Properties = MuscleProperties;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  refuse(
      [](Properties* m) {
        m->length_range = {2, 2};
      },
      "MuscleActuation: muscle 'by_force': length_range is 2 2; give");
  refuse([](Properties* m) { m->operating_range[0] = kNan; },
         "operating_range");
  refuse([](Properties* m) { m->control_range = {1, 0}; }, "control_range");
  refuse([](Properties* m) { m->peak_force = kNan; }, "peak_force is nan");
  refuse([](Properties* m) { m->force_scale = 0; }, "force_scale is 0");
  refuse([](Properties* m) { m->min_length = 1; }, "min_length is 1");
  refuse([](Properties* m) { m->max_length = 1; }, "max_length is 1");
  refuse([](Properties* m) { m->max_velocity = 0; }, "max_velocity is 0");
  refuse([](Properties* m) { m->max_passive_force = -1; }, "max_passive_force");
  refuse([](Properties* m) { m->max_lengthening_force = 0.9; },
         "max_lengthening_force is 0.9");
  refuse([](Properties* m) { m->activation_time = 0; }, "activation_time is 0");
  refuse([](Properties* m) { m->deactivation_time = kNan; },
         "deactivation_time");
  refuse([](Properties* m) { m->smoothing = -1; }, "smoothing is -1");
  refuse([](Properties* m) { m->gear = 0; }, "gear is 0");
  EXPECT_THROWS_MESSAGE(Block(arm.plant, ModelInstanceIndex(0), arm.muscles),
                        std::logic_error, "has no actuator of index 0");
  MultibodyPlant<double> open(0.0);
  EXPECT_THROWS_MESSAGE(Block(open, ModelInstanceIndex(0), {}),
                        std::logic_error, "is not finalized");
  const Block block(arm.plant, arm.instance, arm.muscles);
  const auto context = block.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      block.SetActivations(context.get(), VectorX<double>::Zero(4)),
      std::logic_error, "activations");
  EXPECT_THROWS_MESSAGE(
      block.SetActivations(context.get(), VectorX<double>::Constant(5, 1.5)),
      std::logic_error, "an activation is 1.5; give numbers from 0 to 1");
}

}  // namespace muscle_actuation_test
}  // namespace wyvern::multibody
