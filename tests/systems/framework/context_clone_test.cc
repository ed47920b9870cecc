#include <functional>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/context_view.h"
#include "wyvern/systems/framework/diagram_builder.h"

// Copies of Contexts that hold values that show their Context, and of Contexts
// in which something is being computed.

namespace wyvern::systems {
namespace context_clone_test {

/** y = x, and a count of how often it was computed. */
class Source final : public LeafSystem<double> {
 public:
  Source() {
    DeclareDiscreteState(BasicVector<double>(Eigen::VectorXd::Zero(1)));
    DeclareVectorOutputPort("y", 1, &Source::CalcY, {xd_ticket()});
  }
  std::function<void()> while_computing;
  mutable int count{0};

 private:
  void CalcY(const Context<double>& context, BasicVector<double>* y) const {
    ++count;
    y->SetAtIndex(0, -1);  // Not done yet.
    if (while_computing) while_computing();
    y->SetAtIndex(0, context.get_discrete_state(0)[0]);
  }
};

/** Evaluates an input when asked, like a query of geometry; a copy by a user
keeps the figure of the moment. */
class View {
 public:
  View() = default;
  View(const View& other) { *this = other; }
  View& operator=(const View& other) {
    if (this == &other) return *this;
    if (other.context != nullptr) figure = other.Get();
    context = nullptr;
    return *this;
  }
  double Get() const {
    return context == nullptr
               ? figure
               : system->get_input_port(0).Eval(
                     static_cast<const Context<double>&>(*context))[0];
  }
  const ContextBase* context{};
  const System<double>* system{};
  double figure{};
};

class ViewValue final : public Value<View>, public internal::ContextView {
 private:
  std::unique_ptr<AbstractValue> CloneFor(
      const ContextBase& context) const final {
    auto clone = std::make_unique<ViewValue>();
    clone->get_mutable_value().context = &context;
    clone->get_mutable_value().system = get_value().system;
    return clone;
  }
};

class Viewer final : public LeafSystem<double> {
 public:
  Viewer() {
    DeclareVectorInputPort("u", 1);
    DeclareAbstractOutputPort(
        "view", [] { return std::make_unique<ViewValue>(); },
        [this](const Context<double>& context, AbstractValue* value) {
          value->get_mutable_value<View>().context = &context;
          value->get_mutable_value<View>().system = this;
        },
        {input_port_ticket(InputPortIndex(0))});
  }
};

/** Computes from the view. */
class Reader final : public LeafSystem<double> {
 public:
  Reader() {
    DeclareAbstractInputPort("view", Value<View>());
    DeclareVectorOutputPort("y", 1, &Reader::CalcY,
                            {input_port_ticket(InputPortIndex(0))});
  }

 private:
  void CalcY(const Context<double>& context, BasicVector<double>* y) const {
    y->SetAtIndex(0, get_input_port().Eval<View>(context).Get());
  }
};

class ContextClone : public ::testing::Test {
 protected:
  ContextClone() {
    DiagramBuilder<double> builder;
    source_ = builder.AddSystem<Source>();
    viewer_ = builder.AddSystem<Viewer>();
    reader_ = builder.AddSystem<Reader>();
    builder.Cascade(*source_, *viewer_);
    builder.Cascade(*viewer_, *reader_);
    builder.ExportOutput(reader_->get_output_port(), "y");
    diagram_ = builder.Build();
    context_ = diagram_->CreateDefaultContext();
  }
  double Eval(const Context<double>& context) {
    return diagram_->get_output_port(0).Eval(context)[0];
  }
  static void Set(Context<double>* context, double x) {
    context->SetDiscreteState(0, Eigen::VectorXd::Constant(1, x));
  }

  Source* source_;
  Viewer* viewer_;
  Reader* reader_;
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Context<double>> context_;
};

TEST_F(ContextClone, EvaluatesNothing) {
  Set(context_.get(), 1);
  EXPECT_EQ(Eval(*context_), 1);
  Set(context_.get(), 2);
  viewer_->get_output_port().Eval<View>(
      viewer_->GetMyContextFromRoot(*context_));
  const int count = source_->count;
  const auto clone = context_->Clone();
  EXPECT_EQ(source_->count, count);
  Set(clone.get(), 3);
  EXPECT_EQ(Eval(*clone), 3);
  Set(clone.get(), 4);
  EXPECT_EQ(Eval(*clone), 4);
  EXPECT_EQ(Eval(*context_), 2);
}

TEST_F(ContextClone, KeepsWhatIsUpToDateAndNothingElseOfItsSource) {
  Set(context_.get(), 1);
  EXPECT_EQ(Eval(*context_), 1);
  const auto clone = context_->Clone();
  const int count = source_->count;
  clone->FreezeCache();
  EXPECT_EQ(Eval(*clone), 1);
  const auto& view = viewer_->get_output_port().Eval<View>(
      viewer_->GetMyContextFromRoot(*clone));
  EXPECT_EQ(view.context, &viewer_->GetMyContextFromRoot(*clone));
  EXPECT_EQ(source_->count, count);
  clone->UnfreezeCache();
  context_.reset();
  Set(clone.get(), 5);
  EXPECT_EQ(Eval(*clone), 5);
}

TEST_F(ContextClone, KnowsNothingOfWhatIsHalfDone) {
  for (const bool caching : {true, false}) {
    if (!caching) context_->DisableCaching();
    std::unique_ptr<Context<double>> clone;
    source_->while_computing = [this, &clone] {
      if (clone == nullptr) clone = context_->Clone();
    };
    Set(context_.get(), 7);
    EXPECT_EQ(Eval(*context_), 7);
    clone->EnableCaching();
    EXPECT_EQ(Eval(*clone), 7);
  }
}

TEST_F(ContextClone, ResultsOfAFailedComputationAreNotKept) {
  context_->DisableCaching();
  EXPECT_EQ(Eval(*context_), 0);
  source_->while_computing = [] { throw std::runtime_error("failed"); };
  EXPECT_THROW(Eval(*context_), std::runtime_error);
  source_->while_computing = nullptr;
  context_->EnableCaching();
  EXPECT_EQ(source_->get_output_port().Eval(
                source_->GetMyContextFromRoot(*context_))[0],
            0);
}

}  // namespace context_clone_test
}  // namespace wyvern::systems
