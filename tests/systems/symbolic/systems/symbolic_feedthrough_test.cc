// Feedthrough of Systems that declare nothing of it, found by expressions. What
// is right is what their functions read, in sight here.
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/systems/symbolic/systems/symbolic_test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems {
namespace symbolic_feedthrough_test {
namespace {

using symbolic::Expression;
using test::Crossed;
using Pairs = std::multimap<int, int>;

const Pairs kAll{{0, 0}, {0, 1}, {1, 0}, {1, 1}};

template <typename T>
class OfScalar : public testing::Test {};
using Scalars = testing::Types<double, AutoDiffXd, Expression>;
TYPED_TEST_SUITE(OfScalar, Scalars);

TYPED_TEST(OfScalar, OutputsThatListNothingAreToldByExpressions) {
  const Crossed<TypeParam> crossed;
  EXPECT_EQ(crossed.GetDirectFeedthroughs(), (Pairs{{0, 1}, {1, 0}}));
  EXPECT_TRUE(crossed.HasAnyDirectFeedthrough());
  EXPECT_TRUE(crossed.HasDirectFeedthrough(0));
  EXPECT_FALSE(crossed.HasDirectFeedthrough(0, 0));
  EXPECT_TRUE(crossed.HasDirectFeedthrough(0, 1));
}

// y0 = u1 does not read u0, to which it is fed back.
TYPED_TEST(OfScalar, LoopsThatAreNoneAreBuilt) {
  DiagramBuilder<TypeParam> builder;
  const auto* crossed = builder.template AddSystem<Crossed>();
  builder.Connect(crossed->get_output_port(0), crossed->get_input_port(0));
  builder.ExportInput(crossed->get_input_port(1));
  builder.ExportOutput(crossed->get_output_port(1));
  const auto diagram = builder.Build();
  EXPECT_TRUE(diagram->HasDirectFeedthrough(0, 0));
  const auto context = diagram->CreateDefaultContext();
  diagram->get_input_port(0).FixValue(context.get(), Vector1<TypeParam>(3));
  EXPECT_EQ(ToDouble(diagram->get_output_port(0).Eval(*context)[0]), 6);
}

TYPED_TEST(OfScalar, LoopsThatAreSomeAreRefused) {
  DiagramBuilder<TypeParam> builder;
  const auto* crossed = builder.template AddSystem<Crossed>();
  builder.Connect(crossed->get_output_port(0), crossed->get_input_port(1));
  EXPECT_THROW(builder.Build(), std::logic_error);
}

// A pair of inputs and of outputs, with whatever the kind K says.
enum class Kind {
  kListed,
  kDecides,
  kDecidesByTime,
  kDecidesByDiscreteState,
  kDecidesByParameter,
  kAbstract,
  kOfState
};

template <typename T, Kind K>
class Odd : public LeafSystem<T> {
 public:
  template <template <typename> class S>
  explicit Odd(SystemTypeTag<S> tag) : LeafSystem<T>(tag) {
    this->DeclareVectorInputPort("u0", 1);
    this->DeclareVectorInputPort("u1", 1);
    this->DeclareContinuousState(1);
    this->DeclareDiscreteState(1);
    this->DeclareNumericParameter(BasicVector<T>(Vector1<T>(T(0))));
    if constexpr (K == Kind::kListed) {
      this->DeclareVectorOutputPort("y0", 1, &Odd::CalcFirst,
                                    {this->all_input_ports_ticket()});
    } else if constexpr (K != Kind::kAbstract && K != Kind::kOfState) {
      this->DeclareVectorOutputPort("y0", 1, &Odd::CalcDecided);
    } else if constexpr (K == Kind::kOfState) {
      this->DeclareVectorOutputPort("y0", 1, &Odd::CalcOfState);
    } else {
      this->DeclareVectorOutputPort("y0", 1, &Odd::CalcFirst);
      this->DeclareAbstractOutputPort("y1", &Odd::CalcText);
    }
  }

 private:
  void CalcFirst(const Context<T>& context, BasicVector<T>* y) const {
    y->SetFromVector(this->get_input_port(0).Eval(context));
  }
  T Decisive(const Context<T>& context) const {
    if constexpr (K == Kind::kDecidesByTime) return context.get_time();
    if constexpr (K == Kind::kDecidesByDiscreteState) {
      return context.get_discrete_state(0)[0];
    }
    if constexpr (K == Kind::kDecidesByParameter) {
      return context.get_numeric_parameter(0)[0];
    }
    return context.get_continuous_state()[0];
  }
  void CalcDecided(const Context<T>& context, BasicVector<T>* y) const {
    const T x = Decisive(context);
    (*y)[0] = x > 0 ? this->get_input_port(0).Eval(context)[0] : T(0);
  }
  void CalcOfState(const Context<T>& context, BasicVector<T>* y) const {
    y->SetFromVector(context.get_continuous_state().CopyToVector());
  }
  void CalcText(const Context<T>&, std::string* text) const { *text = "y"; }
};

#define ODD_SYSTEM(Name, kind)                      \
  template <typename T>                             \
  class Name final : public Odd<T, kind> {          \
   public:                                          \
    Name() : Odd<T, kind>(SystemTypeTag<Name>{}) {} \
    template <typename U>                           \
    explicit Name(const Name<U>&) : Name() {}       \
  };
ODD_SYSTEM(Listed, Kind::kListed)
ODD_SYSTEM(Decides, Kind::kDecides)
ODD_SYSTEM(DecidesByTime, Kind::kDecidesByTime)
ODD_SYSTEM(DecidesByDiscreteState, Kind::kDecidesByDiscreteState)
ODD_SYSTEM(DecidesByParameter, Kind::kDecidesByParameter)
ODD_SYSTEM(Abstract, Kind::kAbstract)
ODD_SYSTEM(OfState, Kind::kOfState)
#undef ODD_SYSTEM

TYPED_TEST(OfScalar, ListedPrerequisitesAreBelieved) {
  EXPECT_EQ(Listed<TypeParam>().GetDirectFeedthroughs(),
            (Pairs{{0, 0}, {1, 0}}));
}

TYPED_TEST(OfScalar, OutputsOfStateAloneFeedNothingThrough) {
  EXPECT_FALSE(OfState<TypeParam>().HasAnyDirectFeedthrough());
}

TYPED_TEST(OfScalar, WhatDecidesByAVariableFeedsEverythingThrough) {
  const Pairs all{{0, 0}, {1, 0}};
  EXPECT_EQ(Decides<TypeParam>().GetDirectFeedthroughs(), all);
  EXPECT_EQ(DecidesByTime<TypeParam>().GetDirectFeedthroughs(), all);
  EXPECT_EQ(DecidesByDiscreteState<TypeParam>().GetDirectFeedthroughs(), all);
  EXPECT_EQ(DecidesByParameter<TypeParam>().GetDirectFeedthroughs(), all);
}

TYPED_TEST(OfScalar, SystemsWithAbstractPortsFeedEverythingThrough) {
  EXPECT_EQ(Abstract<TypeParam>().GetDirectFeedthroughs(), kAll);
}

// A constant output, of a System of doubles alone.
class Unconvertible final : public LeafSystem<double> {
 public:
  Unconvertible() {
    DeclareVectorInputPort("u", 1);
    DeclareVectorOutputPort("y", 1, &Unconvertible::Calc);
  }

 private:
  void Calc(const Context<double>&, BasicVector<double>* y) const {
    (*y)[0] = 1;
  }
};

TEST(SymbolicFeedthrough, SystemsThatDoNotConvertFeedEverythingThrough) {
  const Unconvertible constant;
  EXPECT_EQ(constant.ToSymbolicMaybe(), nullptr);
  EXPECT_TRUE(constant.HasDirectFeedthrough(0, 0));
}

}  // namespace
}  // namespace symbolic_feedthrough_test
}  // namespace wyvern::systems
