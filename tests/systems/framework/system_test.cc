#include "wyvern/systems/framework/system.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/system_visitor.h"

// Laws of a System beyond ports and events: maps between q and v, energy,
// implicit form, constraints, random Contexts, visitors and conversion.

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Scale;
using ::wyvern::test::Near;

// A body on a spring, stiffness k: one angle q in degrees, its speed v in rad/s
// and the work z that the input force has done.
template <typename T>
class Spring final : public LeafSystem<T> {
 public:
  Spring() : LeafSystem<T>(SystemTypeTag<Spring>{}) {
    this->DeclareVectorInputPort("force", 1);
    this->DeclareVectorInputPort("noise", BasicVector<T>(2),
                                 RandomDistribution::kGaussian);
    this->DeclareAbstractInputPort("label", Value<std::string>("none"));
    this->DeclareContinuousState(BasicVector<T>(Vector3<T>(180.0, 0.5, 0.0)), 1,
                                 1, 1);
    this->DeclareNumericParameter(BasicVector<T>(Vector2<T>(2.0, 3.0)));
    this->DeclareVectorOutputPort("q", 1, &Spring::CopyQ,
                                  {SystemBase::q_ticket()});
    this->DeclareEqualityConstraint(&Spring::CalcAngle, 1, "at rest");
    this->DeclareInequalityConstraint(&Spring::CalcAngle,
                                      {Vector1(-4.0), Vector1(4.0)}, "stops");
  }
  template <typename U>
  explicit Spring(const Spring<U>&) : Spring() {}

  static VectorXd Vector1(double value) { return VectorXd{{value}}; }
  T angle(const Context<T>& context) const {
    return context.get_continuous_state()[0] * (M_PI / 180);
  }

 private:
  void CopyQ(const Context<T>& context, BasicVector<T>* y) const {
    (*y)[0] = context.get_continuous_state()[0];
  }
  void CalcAngle(const Context<T>& context, VectorX<T>* value) const {
    (*value)[0] = angle(context);
  }
  T DoCalcPotentialEnergy(const Context<T>& context) const final {
    return 0.5 * context.get_numeric_parameter(0)[1] * angle(context) *
           angle(context);
  }
  T DoCalcKineticEnergy(const Context<T>& context) const final {
    const T& v = context.get_continuous_state()[1];
    return 0.5 * context.get_numeric_parameter(0)[0] * v * v;
  }
  T DoCalcConservativePower(const Context<T>& context) const final {
    return -context.get_numeric_parameter(0)[1] * angle(context) *
           context.get_continuous_state()[1];
  }
  T DoCalcNonConservativePower(const Context<T>& context) const final {
    return this->get_input_port(0).Eval(context)[0] *
           context.get_continuous_state()[1];
  }
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    const auto& p = context.get_numeric_parameter(0);
    const T& v = context.get_continuous_state()[1];
    const T& force = this->get_input_port(0).Eval(context)[0];
    (*derivatives)[0] = v * (180 / M_PI);
    (*derivatives)[1] = (force - p[1] * angle(context)) / p[0];
    (*derivatives)[2] = force * v;
  }
  void DoMapVelocityToQDot(const Context<T>&,
                           const Eigen::Ref<const VectorX<T>>& v,
                           VectorBase<T>* qdot) const final {
    (*qdot)[0] = v[0] * (180 / M_PI);
  }
  void DoMapQDotToVelocity(const Context<T>&,
                           const Eigen::Ref<const VectorX<T>>& qdot,
                           VectorBase<T>* v) const final {
    (*v)[0] = qdot[0] * (M_PI / 180);
  }
  void SetRandomState(const Context<T>&, State<T>* state,
                      RandomGenerator* generator) const final {
    std::uniform_real_distribution<double> angle_deg(-90, 90);
    state->get_mutable_continuous_state().SetFromVector(
        Vector3<T>(angle_deg(*generator), 0.0, 0.0));
  }
  void SetRandomParameters(const Context<T>&, Parameters<T>* parameters,
                           RandomGenerator* generator) const final {
    std::uniform_real_distribution<double> mass(1, 2);
    parameters->get_mutable_numeric_parameter(0)[0] = mass(*generator);
  }
};

struct Fixture {
  Fixture() : context(spring.CreateDefaultContext()) {
    spring.get_input_port(0).FixValue(context.get(), 4.0);
  }
  Spring<double> spring;
  std::unique_ptr<Context<double>> context;
};

TEST(System, PartitionsContinuousState) {
  const Fixture f;
  const auto& x = f.context->get_continuous_state();
  EXPECT_EQ(x.get_generalized_position()[0], 180.0);
  EXPECT_EQ(x.get_generalized_velocity()[0], 0.5);
  EXPECT_EQ(x.get_misc_continuous_state()[0], 0.0);
  EXPECT_EQ(f.spring.num_continuous_states(), 3);
}

TEST(System, MapsVelocityToQDotAndBack) {
  const Fixture f;
  BasicVector<double> qdot(1), v(1);
  f.spring.MapVelocityToQDot(*f.context, Spring<double>::Vector1(M_PI), &qdot);
  EXPECT_NEAR(qdot[0], 180.0, 1e-13);
  f.spring.MapQDotToVelocity(*f.context, qdot, &v);
  EXPECT_NEAR(v[0], M_PI, 1e-15);
}

TEST(System, WithoutAMapOfItsOwnVelocityIsQDotOfTheSameSize) {
  const test::FreeMass<double> mass;
  const auto context = mass.CreateDefaultContext();
  BasicVector<double> qdot(1), two(2);
  mass.MapVelocityToQDot(*context, Spring<double>::Vector1(3.0), &qdot);
  EXPECT_EQ(qdot[0], 3.0);
  EXPECT_THROWS_MESSAGE(
      mass.MapVelocityToQDot(*context, Spring<double>::Vector1(3.0), &two),
      std::logic_error, "1 elements to map to 2");
  EXPECT_THROWS_MESSAGE(
      mass.MapQDotToVelocity(*context, Spring<double>::Vector1(3.0), nullptr),
      std::logic_error, "null pointer");
}

TEST(System, PowerIsTheRateOfEnergy) {
  Fixture f;
  EXPECT_NEAR(f.spring.EvalPotentialEnergy(*f.context), 1.5 * M_PI * M_PI,
              1e-14);
  EXPECT_EQ(f.spring.EvalKineticEnergy(*f.context), 0.25);
  // d(KE + PE)/dt along the derivatives, by a small step.
  const double before = f.spring.CalcPotentialEnergy(*f.context) +
                        f.spring.CalcKineticEnergy(*f.context);
  const double potential = f.spring.CalcPotentialEnergy(*f.context);
  const double pc = f.spring.EvalConservativePower(*f.context);
  const double pnc = f.spring.EvalNonConservativePower(*f.context);
  const double h = 1e-7;
  f.context->SetContinuousState(
      f.spring.CopyContinuousStateVector(*f.context) +
      h * f.spring.EvalTimeDerivatives(*f.context).CopyToVector());
  const double after = f.spring.EvalPotentialEnergy(*f.context) +
                       f.spring.EvalKineticEnergy(*f.context);
  EXPECT_NEAR((after - before) / h, pnc, 1e-5);
  EXPECT_NEAR(-(f.spring.EvalPotentialEnergy(*f.context) - potential) / h, pc,
              1e-5);
}

TEST(System, ImplicitResidualIsZeroAtTheDerivatives) {
  const Fixture f;
  auto proposed = f.spring.AllocateTimeDerivatives();
  f.spring.CalcTimeDerivatives(*f.context, proposed.get());
  VectorXd residual = f.spring.AllocateImplicitTimeDerivativesResidual();
  residual.setOnes();
  f.spring.CalcImplicitTimeDerivativesResidual(*f.context, *proposed,
                                               &residual);
  EXPECT_TRUE(Near(residual, Vector3d::Zero()));
  (*proposed)[1] += 2.0;
  f.spring.CalcImplicitTimeDerivativesResidual(*f.context, *proposed,
                                               &residual);
  EXPECT_TRUE(Near(residual, Vector3d(0, 2, 0), 1e-14));
  VectorXd wrong(2);
  EXPECT_THROWS_MESSAGE(f.spring.CalcImplicitTimeDerivativesResidual(
                            *f.context, *proposed, &wrong),
                        std::logic_error, "2 elements for the residual");
}

// 0 = x1' - x2, 0 = x1 + x2': two states, three residuals, the third x1' + x2'.
class Implicit final : public LeafSystem<double> {
 public:
  explicit Implicit(bool computes) : computes_(computes) {
    DeclareContinuousState(2);
    DeclareImplicitTimeDerivativesResidualSize(3);
  }

 private:
  void DoCalcImplicitTimeDerivativesResidual(
      const Context<double>& context, const ContinuousState<double>& dx,
      EigenPtr<VectorXd> residual) const final {
    if (!computes_) {
      LeafSystem<double>::DoCalcImplicitTimeDerivativesResidual(context, dx,
                                                                residual);
      return;
    }
    const auto& x = context.get_continuous_state();
    *residual << dx[0] - x[1], x[0] + dx[1], dx[0] + dx[1];
  }
  bool computes_;
};

TEST(System, ImplicitResidualMayHaveAnotherSize) {
  const Implicit system(true);
  const auto context = system.CreateDefaultContext();
  context->SetContinuousState(Vector2d(1, 2));
  auto proposed = system.AllocateTimeDerivatives();
  proposed->SetFromVector(Vector2d(5, 7));
  VectorXd residual = system.AllocateImplicitTimeDerivativesResidual();
  system.CalcImplicitTimeDerivativesResidual(*context, *proposed, &residual);
  EXPECT_TRUE(Near(residual, Vector3d(3, 8, 12)));
  const Implicit lazy(false);
  const auto lazy_context = lazy.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      lazy.CalcImplicitTimeDerivativesResidual(
          *lazy_context, *lazy.AllocateTimeDerivatives(), &residual),
      std::logic_error, "a residual of 3 elements for 2");
  EXPECT_THROWS_MESSAGE(lazy.EvalTimeDerivatives(*lazy_context),
                        std::logic_error, "override DoCalcTimeDerivatives()");
}

TEST(System, ConstraintsTellWhatIsViolated) {
  Fixture f;
  ASSERT_EQ(f.spring.num_constraints(), 2);
  const auto& rest = f.spring.get_constraint(SystemConstraintIndex(0));
  const auto& stops = f.spring.get_constraint(SystemConstraintIndex(1));
  EXPECT_TRUE(rest.is_equality_constraint());
  EXPECT_FALSE(stops.is_equality_constraint());
  EXPECT_EQ(rest.description(), "at rest");
  VectorXd value;
  rest.Calc(*f.context, &value);
  EXPECT_NEAR(value[0], M_PI, 1e-15);
  EXPECT_FALSE(rest.CheckSatisfied(*f.context, 3.0));
  EXPECT_TRUE(rest.CheckSatisfied(*f.context, 3.2));
  EXPECT_TRUE(stops.CheckSatisfied(*f.context, 0.0));
  EXPECT_FALSE(f.spring.CheckSystemConstraintsSatisfied(*f.context, 1.0));
  EXPECT_TRUE(f.spring.CheckSystemConstraintsSatisfied(*f.context, 3.2));
  EXPECT_THROWS_MESSAGE(
      f.spring.CheckSystemConstraintsSatisfied(*f.context, -1.0),
      std::logic_error, "tolerance -1");
  EXPECT_THROWS_MESSAGE(f.spring.get_constraint(SystemConstraintIndex(2)),
                        std::out_of_range, "no constraint 2");
}

TEST(System, ExternalConstraintSurvivesConversion) {
  Fixture f;
  f.spring.AddExternalConstraint(ExternalSystemConstraint::MakeForAllScalars(
      "time is one", SystemConstraintBounds::Equality(1),
      [](const auto&, const auto& context, auto* value) {
        (*value)[0] = context.get_time() - 1.0;
      }));
  const auto converted = f.spring.ToAutoDiffXd();
  ASSERT_EQ(converted->num_constraints(), 3);
  const auto context = converted->CreateDefaultContext();
  const auto& constraint = converted->get_constraint(SystemConstraintIndex(2));
  EXPECT_FALSE(constraint.CheckSatisfied(*context, 0.5));
  context->SetTime(1.0);
  EXPECT_TRUE(constraint.CheckSatisfied(*context, 0.0));
}

TEST(System, ExternalConstraintWithoutAFunctionForAScalarSaysSo) {
  Fixture f;
  f.spring.AddExternalConstraint(ExternalSystemConstraint(
      "doubles only", SystemConstraintBounds::Equality(1),
      [](const System<double>&, const Context<double>&, VectorXd*) {}));
  const auto converted = f.spring.ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  VectorX<AutoDiffXd> value;
  EXPECT_THROWS_MESSAGE(converted->get_constraint(SystemConstraintIndex(2))
                            .Calc(*context, &value),
                        std::logic_error, "'doubles only'");
}

TEST(SystemConstraint, MayBeEmpty) {
  const Fixture f;
  const SystemConstraint<double> nothing(&f.spring, "nothing");
  EXPECT_EQ(nothing.size(), 0);
  EXPECT_TRUE(nothing.is_equality_constraint());
  EXPECT_TRUE(nothing.CheckSatisfied(*f.context, 0.0));
}

TEST(SystemConstraintBounds, RefuseNonsense) {
  using Bounds = SystemConstraintBounds;
  EXPECT_THROWS_MESSAGE(Bounds(std::nullopt, std::nullopt), std::logic_error,
                        "both the lower and the upper");
  EXPECT_THROWS_MESSAGE(Bounds(Vector2d(0, 0), VectorXd{{1.0}}),
                        std::logic_error, "2 lower bounds and 1 upper");
  EXPECT_THROWS_MESSAGE(Bounds(Vector2d(0, 2), Vector2d(1, 1)),
                        std::logic_error, "element 1 has the bounds [2, 1]");
  EXPECT_EQ(Bounds(std::nullopt, Vector2d(1, 1)).lower()[0], -INFINITY);
}

TEST(System, RandomContextsDifferAndRepeatWithTheSeed) {
  const Fixture f;
  RandomGenerator generator(1), again(1);
  auto a = f.spring.CreateDefaultContext();
  auto b = f.spring.CreateDefaultContext();
  f.spring.SetRandomContext(a.get(), &generator);
  f.spring.SetRandomContext(b.get(), &again);
  EXPECT_EQ(a->get_continuous_state()[0], b->get_continuous_state()[0]);
  EXPECT_EQ(a->get_numeric_parameter(0)[0], b->get_numeric_parameter(0)[0]);
  EXPECT_GE(a->get_numeric_parameter(0)[0], 1.0);
  EXPECT_LE(a->get_numeric_parameter(0)[0], 2.0);
  f.spring.SetRandomContext(b.get(), &again);
  EXPECT_NE(a->get_continuous_state()[0], b->get_continuous_state()[0]);
}

TEST(System, RandomContextOfADiagramReachesItsParts) {
  DiagramBuilder<double> builder;
  auto* one = builder.AddNamedSystem<Spring>("one");
  auto* two = builder.AddNamedSystem<Spring>("two");
  const auto diagram = builder.Build();
  auto context = diagram->CreateDefaultContext();
  RandomGenerator generator(7);
  diagram->SetRandomContext(context.get(), &generator);
  const double q1 =
      one->GetMyContextFromRoot(*context).get_continuous_state()[0];
  const double q2 =
      two->GetMyContextFromRoot(*context).get_continuous_state()[0];
  EXPECT_NE(q1, q2);
  EXPECT_LE(std::abs(q1), 90.0);
  EXPECT_LE(std::abs(q2), 90.0);
}

TEST(System, InputPortsKnowKindSizeAndDistribution) {
  const Fixture f;
  EXPECT_TRUE(f.spring.HasInputPort("noise"));
  EXPECT_FALSE(f.spring.HasInputPort("nois"));
  EXPECT_TRUE(f.spring.HasOutputPort("q"));
  const auto& noise = f.spring.GetInputPort("noise");
  EXPECT_TRUE(noise.is_random());
  EXPECT_EQ(noise.get_random_type(), RandomDistribution::kGaussian);
  EXPECT_FALSE(f.spring.get_input_port(0).is_random());
  EXPECT_EQ(f.spring.get_input_port_selection(InputPortSelection::kNoInput),
            nullptr);
  EXPECT_EQ(f.spring.get_input_port_selection(
                InputPortSelection::kUseFirstInputIfItExists),
            &f.spring.get_input_port(0));
  EXPECT_EQ(f.spring.get_input_port_selection(InputPortIndex(1)), &noise);
  EXPECT_EQ(f.spring.AllocateInputVector(noise)->size(), 2);
  EXPECT_EQ(f.spring.AllocateInputAbstract(f.spring.get_input_port(2))
                ->get_value<std::string>(),
            "none");
  EXPECT_THROWS_MESSAGE(
      f.spring.AllocateInputVector(f.spring.get_input_port(2)),
      std::logic_error, "is abstract-valued");
  EXPECT_THROWS_MESSAGE(
      f.spring.AllocateInputVector(test::Scale<double>(1.0).get_input_port()),
      std::logic_error, "not a port of");
}

TEST(System, AllocatedInputsAreFixedAtTheirModelValues) {
  const Fixture f;
  auto context = f.spring.CreateDefaultContext();
  EXPECT_EQ(f.spring.EvalVectorInput(*context, 0), nullptr);
  f.spring.AllocateFixedInputs(context.get());
  EXPECT_EQ(f.spring.get_input_port(2).Eval<std::string>(*context), "none");
  EXPECT_EQ(f.spring.EvalVectorInput(*context, 1)->size(), 2);
}

TEST(System, CalculatesAllItsOutputs) {
  const Fixture f;
  auto output = f.spring.AllocateOutput();
  ASSERT_EQ(output->num_ports(), 1);
  f.spring.CalcOutput(*f.context, output.get());
  EXPECT_EQ((*output->get_vector_data(0))[0], 180.0);
  EXPECT_FALSE(f.spring.HasAnyDirectFeedthrough());
  EXPECT_FALSE(f.spring.HasDirectFeedthrough(0, 0));
}

TEST(System, CopiesTimeStateAndParametersAcrossScalars) {
  Fixture f;
  f.context->SetTime(2.5);
  f.context->SetContinuousState(Vector3d(1, 2, 3));
  f.context->get_mutable_numeric_parameter(0).SetFromVector(Vector2d(7, 8));
  const auto other = f.spring.ToAutoDiffXd();
  auto context = other->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*f.context);
  EXPECT_EQ(context->get_time().value(), 2.5);
  EXPECT_EQ(context->get_continuous_state()[2].value(), 3.0);
  EXPECT_EQ(context->get_numeric_parameter(0)[1].value(), 8.0);
  other->FixInputPortsFrom(f.spring, *f.context, context.get());
  EXPECT_EQ(other->get_input_port(0).Eval(*context)[0].value(), 4.0);
}

TEST(System, ConvertsAndClonesWithItsName) {
  Fixture f;
  f.spring.set_name("spring");
  const std::unique_ptr<Spring<AutoDiffXd>> converted =
      System<double>::ToAutoDiffXd(f.spring);
  EXPECT_EQ(converted->get_name(), "spring");
  EXPECT_NE(f.spring.ToAutoDiffXdMaybe(), nullptr);
  const std::unique_ptr<Spring<double>> clone = System<double>::Clone(f.spring);
  EXPECT_EQ(clone->get_name(), "spring");
  EXPECT_NE(clone->get_system_id(), f.spring.get_system_id());
  const Implicit inconvertible(true);
  EXPECT_EQ(inconvertible.ToAutoDiffXdMaybe(), nullptr);
  EXPECT_THROWS_MESSAGE(inconvertible.ToAutoDiffXd(), std::logic_error,
                        "does not support conversion");
}

TEST(System, TellsItsNamesAndKind) {
  DiagramBuilder<double> builder;
  auto* spring = builder.AddNamedSystem<Spring>("spring");
  const auto diagram = builder.Build();
  diagram->set_name("top");
  EXPECT_EQ(spring->GetSystemPathname(), "::top::spring");
  EXPECT_NE(spring->GetSystemType().find("Spring<double>"), std::string::npos);
  EXPECT_NE(spring->GetMemoryObjectName().find("Spring"), std::string::npos);
  EXPECT_TRUE(spring->IsDifferentialEquationSystem() ||
              spring->num_input_ports() > 0);
  EXPECT_FALSE(spring->IsDifferenceEquationSystem());
  EXPECT_TRUE(test::Accumulator<double>().IsDifferentialEquationSystem());
  double period{};
  EXPECT_FALSE(test::Accumulator<double>().IsDifferenceEquationSystem(&period));
}

// Lists the Systems of a tree.
class Lister final : public SystemVisitor<double> {
 public:
  void VisitSystem(const System<double>& system) final {
    names.push_back(system.get_name());
  }
  void VisitDiagram(const Diagram<double>& diagram) final {
    names.push_back("[" + diagram.get_name());
    for (const auto* system : diagram.GetSystems()) system->Accept(this);
    names.push_back("]");
  }
  std::vector<std::string> names;
};

TEST(SystemVisitor, ReachesEverySystemThroughDiagrams) {
  DiagramBuilder<double> inner;
  inner.AddNamedSystem<Scale>("a", 1.0);
  DiagramBuilder<double> builder;
  builder.AddNamedSystem("inner", inner.Build());
  builder.AddNamedSystem<Scale>("b", 1.0);
  const auto diagram = builder.Build();
  diagram->set_name("top");
  Lister lister;
  diagram->Accept(&lister);
  EXPECT_EQ(lister.names,
            (std::vector<std::string>{"[top", "[inner", "a", "]", "b", "]"}));
  EXPECT_THROWS_MESSAGE(diagram->Accept(nullptr), std::logic_error,
                        "Diagram::Accept(): v is null");
}

TEST(Diagram, HasTheConstraintsOfItsParts) {
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<Spring>("one");
  auto* two = builder.AddNamedSystem<Spring>("two");
  const auto diagram = builder.Build();
  auto context = diagram->CreateDefaultContext();
  ASSERT_EQ(diagram->num_constraints(), 4);
  EXPECT_EQ(&diagram->get_constraint(SystemConstraintIndex(2)).get_system(),
            diagram.get());
  EXPECT_TRUE(diagram->CheckSystemConstraintsSatisfied(*context, 3.2));
  two->GetMyMutableContextFromRoot(context.get())
      .SetContinuousState(Vector3d(300, 0, 0));
  EXPECT_FALSE(diagram->CheckSystemConstraintsSatisfied(*context, 3.2));
}

TEST(Diagram, EnergyAndPowerAreSumsOverItsParts) {
  DiagramBuilder<double> builder;
  auto* one = builder.AddNamedSystem<Spring>("one");
  auto* two = builder.AddNamedSystem<Spring>("two");
  const auto diagram = builder.Build();
  auto context = diagram->CreateDefaultContext();
  const Fixture f;
  for (auto* part : {one, two}) {
    part->get_input_port(0).FixValue(
        &part->GetMyMutableContextFromRoot(context.get()), 4.0);
  }
  EXPECT_EQ(diagram->EvalPotentialEnergy(*context),
            2 * f.spring.EvalPotentialEnergy(*f.context));
  EXPECT_EQ(diagram->EvalKineticEnergy(*context),
            2 * f.spring.EvalKineticEnergy(*f.context));
  EXPECT_EQ(diagram->EvalConservativePower(*context),
            2 * f.spring.EvalConservativePower(*f.context));
  EXPECT_EQ(diagram->EvalNonConservativePower(*context),
            2 * f.spring.EvalNonConservativePower(*f.context));
}

TEST(Diagram, ImplicitResidualIsThatOfItsParts) {
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<Implicit>("one", true);
  builder.AddNamedSystem<Implicit>("two", true);
  const auto diagram = builder.Build();
  auto context = diagram->CreateDefaultContext();
  context->SetContinuousState(Eigen::Vector4d(1, 2, 3, 4));
  auto proposed = diagram->AllocateTimeDerivatives();
  proposed->SetFromVector(Eigen::Vector4d(5, 7, 9, 11));
  VectorXd residual = diagram->AllocateImplicitTimeDerivativesResidual();
  ASSERT_EQ(residual.size(), 6);
  diagram->CalcImplicitTimeDerivativesResidual(*context, *proposed, &residual);
  Vector6<double> expected;
  expected << 3, 8, 12, 5, 14, 20;
  EXPECT_TRUE(Near(residual, expected));
}

}  // namespace
}  // namespace wyvern::systems
