#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

// Errors that name who, what was given and what was wanted, where the standard
// library would say "bad_cast", and numbers that are refused where they arise.

namespace wyvern::systems {
namespace framework_messages_test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kMost = std::numeric_limits<int>::max();

/** A vector with a class of its own. */
template <typename T>
class Pair final : public BasicVector<T> {
 public:
  Pair() : BasicVector<T>(2) { this->SetZero(); }

 private:
  Pair* DoClone() const final { return new Pair; }
};

/** Declares what it is told to, and writes `written` elements of its output. */
class Open final : public LeafSystem<double> {
 public:
  Open() {
    set_name("open");
    DeclareVectorInputPort("u", 2);
    DeclareAbstractInputPort("a", Value<int>(3));
    DeclareNumericParameter(BasicVector<double>({1, 2}));
    DeclareVectorOutputPort("y", 3, &Open::CalcY);
  }
  using CalcVectorCallback = LeafSystem<double>::CalcVectorCallback;
  using LeafSystem<double>::DeclareAbstractOutputPort;
  using LeafSystem<double>::DeclareContinuousState;
  using LeafSystem<double>::DeclareDiscreteState;
  using LeafSystem<double>::DeclareEqualityConstraint;
  using LeafSystem<double>::DeclareNumericParameter;
  using LeafSystem<double>::DeclarePerStepEvent;
  using LeafSystem<double>::DeclareVectorInputPort;
  using LeafSystem<double>::DeclareVectorOutputPort;
  using LeafSystem<double>::GetMutableNumericParameter;
  using LeafSystem<double>::GetNumericParameter;
  using LeafSystem<double>::MakeWitnessFunction;

  int written{3};
  double value{1};

 private:
  void CalcY(const Context<double>&, BasicVector<double>* y) const {
    // Whatever was there before.
    y->SetFromVector(Eigen::Vector3d::Constant(kNan));
    for (int i = 0; i < written; ++i) (*y)[i] = value;
  }
};

class Messages : public ::testing::Test {
 protected:
  Messages() {
    DiagramBuilder<double> builder;
    open_ = builder.AddSystem<Open>();
    diagram_ = builder.Build();
    diagram_->set_name("whole");
    root_ = diagram_->CreateDefaultContext();
    context_ = &open_->GetMyMutableContextFromRoot(root_.get());
    open_->get_input_port(0).FixValue(context_, Eigen::Vector2d(1, 2));
    open_->get_input_port(1).FixValue(context_, 7);
  }
  Open* open_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Context<double>> root_;
  Context<double>* context_{};
};

TEST_F(Messages, OfAPortThatIsReadAsAnotherTypeNameBothTypesAndThePort) {
  const InputPort<double>& u = open_->get_input_port(0);
  const InputPort<double>& a = open_->get_input_port(1);
  const OutputPort<double>& y = open_->get_output_port(0);
  EXPECT_THROWS_MESSAGE(
      u.Eval<Pair<double>>(*context_), std::logic_error,
      "InputPort[0] (u) of System ::whole::open (Open) holds a "
      "wyvern::systems::BasicVector<double>, and was read as a ");
  EXPECT_THROWS_MESSAGE(u.Eval<int>(*context_), std::logic_error,
                        "was read as a int");
  EXPECT_THROWS_MESSAGE(a.Eval(*context_), std::logic_error,
                        "InputPort[1] (a) of System ::whole::open (Open) holds "
                        "a int, and was read as a Eigen");
  EXPECT_THROWS_MESSAGE(a.Eval<double>(*context_), std::logic_error,
                        "was read as a double; read it as what it holds");
  EXPECT_THROWS_MESSAGE(open_->EvalVectorInput<Pair>(*context_, 0),
                        std::logic_error, "InputPort[0] (u)");
  EXPECT_THROWS_MESSAGE(open_->EvalVectorInput(*context_, 1), std::logic_error,
                        "InputPort[1] (a)");
  EXPECT_THROWS_MESSAGE(y.Eval<std::string>(*context_), std::logic_error,
                        "OutputPort::Eval(): OutputPort[0] (y)");
  EXPECT_EQ(u.Eval<BasicVector<double>>(*context_)[1], 2);
  EXPECT_EQ(a.Eval<int>(*context_), 7);
}

TEST_F(Messages, OfAParameterThatIsReadAsAnotherTypeNameBothTypes) {
  EXPECT_THROWS_MESSAGE(
      open_->GetNumericParameter<Pair>(*context_, 0), std::logic_error,
      "numeric parameter 0 of System ::whole::open (Open) is a "
      "wyvern::systems::BasicVector<double>, and was read as a ");
  EXPECT_THROWS_MESSAGE(open_->GetMutableNumericParameter<Pair>(context_, 0),
                        std::logic_error, "and was read as a ");
  EXPECT_EQ(open_->GetNumericParameter(*context_, 0)[1], 2);
  Open another;
  const int index = another.DeclareNumericParameter(Pair<double>());
  auto context = another.CreateDefaultContext();
  another.GetMutableNumericParameter<Pair>(context.get(), index)[1] = 5;
  EXPECT_EQ(another.GetNumericParameter<Pair>(*context, index)[1], 5);
}

TEST_F(Messages, OfAForeignCollectionNameWhatWasWanted) {
  const auto of_diagram = diagram_->AllocateCompositeEventCollection();
  const auto of_leaf = open_->AllocateCompositeEventCollection();
  EXPECT_THROWS_MESSAGE(
      open_->Publish(*context_, of_diagram->get_publish_events()),
      std::logic_error, "must be a wyvern::systems::LeafEventCollection");
  EXPECT_THROWS_MESSAGE(
      diagram_->Publish(*root_, of_leaf->get_publish_events()),
      std::logic_error, "must be a wyvern::systems::DiagramEventCollection");
  const auto state = context_->CloneState();
  EXPECT_THROWS_MESSAGE(diagram_->GetMutableSubsystemState(*open_, state.get()),
                        std::logic_error,
                        "must be a wyvern::systems::DiagramState");
}

TEST_F(Messages, OfAnIndexOutOfRangeSayHowManyThereAre) {
  const auto events = diagram_->AllocateCompositeEventCollection();
  auto& parts = static_cast<DiagramCompositeEventCollection<double>&>(*events);
  auto& publish = static_cast<DiagramEventCollection<PublishEvent<double>>&>(
      parts.get_mutable_publish_events());
  for (const int i : {-1, 1, kMost}) {
    EXPECT_THROWS_MESSAGE(parts.get_subevent_collection(i), std::out_of_range,
                          "there are 1 subsystems");
    EXPECT_THROWS_MESSAGE(publish.get_mutable_subevent_collection(i),
                          std::out_of_range, "there are 1 subsystems");
    EXPECT_THROWS_MESSAGE(publish.set_subevent_collection(i, nullptr),
                          std::out_of_range, "there are 1 subsystems");
    EXPECT_THROWS_MESSAGE(open_->AllocateOutput()->get_data(i),
                          std::out_of_range, "there are 1 ports");
  }
  const auto of_leaf = open_->AllocateCompositeEventCollection();
  EXPECT_THROWS_MESSAGE(
      of_leaf->get_mutable_publish_events().AddEventReference(nullptr),
      std::logic_error, "the event given is null");
}

TEST_F(Messages, OfASizeThatIsNegativeOrAbsurdComeAtDeclaration) {
  Open open;
  for (const int size : {-1, std::numeric_limits<int>::min(), kMost}) {
    const std::string wanted =
        size < 0 ? "it must be at least 0" : "it must be at most 100000000";
    EXPECT_THROWS_MESSAGE(open.DeclareVectorInputPort("v", size),
                          std::logic_error, wanted);
    EXPECT_THROWS_MESSAGE(
        open.DeclareVectorOutputPort(
            "w", size, [](const Context<double>&, BasicVector<double>*) {}),
        std::logic_error, wanted);
    EXPECT_THROWS_MESSAGE(open.DeclareDiscreteState(size), std::logic_error,
                          wanted);
    EXPECT_THROWS_MESSAGE(open.DeclareContinuousState(size), std::logic_error,
                          wanted);
  }
  EXPECT_THROWS_MESSAGE(open.DeclareContinuousState(99999999, 99999999, 0),
                        std::logic_error,
                        "size is 199999998; it must be at most 100000000");
  EXPECT_THROWS_MESSAGE(SystemConstraintBounds::Equality(-1), std::logic_error,
                        "the number of equations is -1");
}

TEST_F(Messages, OfAnEmptyFunctionComeAtDeclaration) {
  using Publish =
      std::function<void(const Context<double>&, const PublishEvent<double>&)>;
  using Update = std::function<void(const Context<double>&,
                                    const DiscreteUpdateEvent<double>&,
                                    DiscreteValues<double>*)>;
  EXPECT_THROWS_MESSAGE(PublishEvent<double>{Publish()}, std::logic_error,
                        "is an empty function");
  EXPECT_THROWS_MESSAGE(
      DiscreteUpdateEvent<double>(TriggerType::kTimed, Update()),
      std::logic_error, "is an empty function");
  // None at all is another matter.
  EXPECT_NO_THROW(open_->DeclarePerStepEvent(PublishEvent<double>()));
  EXPECT_THROWS_MESSAGE(
      WitnessFunction<double>(open_, open_, "w",
                              WitnessFunctionDirection::kCrossesZero,
                              std::function<double(const Context<double>&)>()),
      std::logic_error, "'w' has no function");
  EXPECT_THROWS_MESSAGE(
      open_->DeclareVectorOutputPort("w", 1, Open::CalcVectorCallback()),
      std::logic_error, "declares a null or empty function");
  EXPECT_THROWS_MESSAGE(
      open_->DeclareEqualityConstraint(ContextConstraintCalc<double>(), 1, "c"),
      std::logic_error, "'c' of ::whole::open has no function");
}

TEST(MessagesOfOutputs, NameThePortOfSeveral) {
  Open open;
  open.DeclareVectorOutputPort(
      "z", 1,
      [](const Context<double>&, BasicVector<double>* z) { (*z)[0] = kNan; });
  const auto context = open.CreateDefaultContext();
  EXPECT_EQ(open.get_output_port(0).Eval(*context)[0], 1);
  EXPECT_THROWS_MESSAGE(open.get_output_port(1).Eval(*context),
                        std::runtime_error, "element 0 of OutputPort[1] (z)");
}

TEST_F(Messages, OfAnOutputThatIsNotFilledNameThePortAndTheElement) {
  const OutputPort<double>& y = open_->get_output_port(0);
  root_->SetTime(0.5);
  EXPECT_EQ(y.Eval(*context_)[2], 1);
  open_->written = 2;
  root_->SetTime(0.75);
  const char* const wanted =
      "element 2 of OutputPort[0] (y) of System ::whole::open (Open) is nan at "
      "time 0.75";
  EXPECT_THROWS_MESSAGE(y.Eval(*context_), std::runtime_error, wanted);
  // Nothing bad is kept: it fails again, and works again.
  EXPECT_THROWS_MESSAGE(y.Eval(*context_), std::runtime_error, wanted);
  EXPECT_THROWS_MESSAGE(
      open_->CalcOutput(*context_, open_->AllocateOutput().get()),
      std::runtime_error, wanted);
  open_->written = 3;
  EXPECT_EQ(y.Eval(*context_)[2], 1);
  // Infinity is a number: a limit that is none.
  open_->value = std::numeric_limits<double>::infinity();
  root_->SetTime(1);
  EXPECT_EQ(y.Eval(*context_)[2], open_->value);
}

TEST_F(Messages, OfAModelVectorThatIsFilledInPartComeAtDeclaration) {
  Open open;
  EXPECT_THROWS_MESSAGE(
      open.DeclareContinuousState(BasicVector<double>({1, kNan})),
      std::logic_error, "model vector whose element 1 is nan");
  EXPECT_THROWS_MESSAGE(open.DeclareDiscreteState(Eigen::Vector2d(kNan, 1)),
                        std::logic_error,
                        "model vector whose element 0 is nan");
  EXPECT_THROWS_MESSAGE(
      open.DeclareNumericParameter(BasicVector<double>({kNan, 1})),
      std::logic_error, "LeafSystem::DeclareNumericParameter(): System ::open");
  // One that is not filled at all gives a size.
  EXPECT_NO_THROW(open.DeclareContinuousState(BasicVector<double>(2)));
  EXPECT_NO_THROW(open.DeclareDiscreteState(BasicVector<double>(2)));
  EXPECT_NO_THROW(open.DeclareNumericParameter(BasicVector<double>(2)));
}

}  // namespace framework_messages_test
}  // namespace wyvern::systems
