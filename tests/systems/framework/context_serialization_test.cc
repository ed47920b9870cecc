#include "wyvern/systems/framework/context_serialization.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems {
namespace {

using test::FreeMass;
using test::Scale;
using test::Ticker;

// Abstract state of a type that is known, or is not.
template <typename V>
class Holder final : public LeafSystem<double> {
 public:
  Holder() { DeclareAbstractState(Value<V>()); }
};
struct Unknown {};

std::unique_ptr<Diagram<double>> MakeDiagram(int scale_size = 2) {
  DiagramBuilder<double> builder;
  auto* scale = builder.AddNamedSystem<Scale>("scale", 2.0, scale_size);
  builder.AddNamedSystem<FreeMass>("mass");
  builder.AddNamedSystem<Ticker>("ticker", 0.1, 0.0);
  builder.AddNamedSystem<Holder<std::string>>("holder");
  builder.ExportInput(scale->get_input_port(), "u");
  builder.ExportOutput(scale->get_output_port(), "y");
  return builder.Build();
}

std::unique_ptr<Context<double>> MakeContext(const Diagram<double>& diagram) {
  auto context = diagram.CreateDefaultContext();
  context->SetTime(0.1 + 0.2);
  context->SetAccuracy(1e-5);
  context->SetContinuousState(Eigen::Vector2d(1.0 / 3, -0.0));
  context->get_mutable_discrete_state(0)[0] = 1e-310;
  context->get_mutable_abstract_state<std::string>(0) = std::string("a\0b", 3);
  context->get_mutable_numeric_parameter(0)[0] = 7.5;
  diagram.get_input_port().FixValue(context.get(),
                                    Eigen::Vector2d(std::sqrt(2), 0));
  return context;
}

TEST(ContextSerialization, EveryBitComesBack) {
  const auto diagram = MakeDiagram();
  const auto saved = MakeContext(*diagram);
  std::stringstream stream;
  SaveContext(*saved, &stream);
  const auto loaded = MakeDiagram()->CreateDefaultContext();
  LoadContext(&stream, loaded.get());
  EXPECT_EQ(loaded->get_time(), 0.1 + 0.2);
  EXPECT_EQ(loaded->get_accuracy(), 1e-5);
  EXPECT_EQ(loaded->get_continuous_state()[0], 1.0 / 3);
  EXPECT_TRUE(std::signbit(loaded->get_continuous_state()[1]));
  EXPECT_EQ(loaded->get_discrete_state(0)[0], 1e-310);
  EXPECT_EQ(loaded->get_abstract_state<std::string>(0), std::string("a\0b", 3));
  EXPECT_EQ(loaded->get_numeric_parameter(0)[0], 7.5);
  std::stringstream again;
  SaveContext(*loaded, &again);
  EXPECT_EQ(again.str(), stream.str());
}

TEST(ContextSerialization, EveryTruncationIsRefusedAndChangesNothing) {
  const auto diagram = MakeDiagram();
  std::stringstream stream;
  SaveContext(*MakeContext(*diagram), &stream);
  const std::string whole = stream.str();
  const auto target = diagram->CreateDefaultContext();
  for (size_t n = 0; n < whole.size(); ++n) {
    std::stringstream part(whole.substr(0, n));
    EXPECT_THROW(LoadContext(&part, target.get()), std::runtime_error) << n;
  }
  EXPECT_EQ(target->get_time(), 0.0);
  EXPECT_EQ(target->get_continuous_state()[0], 1.0);
}

TEST(ContextSerialization, EveryFlippedByteIsRefusedOrHarmless) {
  const auto diagram = MakeDiagram();
  std::stringstream stream;
  SaveContext(*MakeContext(*diagram), &stream);
  const std::string whole = stream.str();
  int refused = 0;
  for (size_t n = 0; n < whole.size(); ++n) {
    std::string bad = whole;
    bad[n] = static_cast<char>(~bad[n]);
    std::stringstream part(bad);
    const auto target = diagram->CreateDefaultContext();
    try {
      LoadContext(&part, target.get());
    } catch (const std::exception&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(ContextSerialization, ASystemOfAnotherShapeIsRefused) {
  std::stringstream stream;
  const auto diagram = MakeDiagram(2);
  SaveContext(*MakeContext(*diagram), &stream);
  const auto other = MakeDiagram(3)->CreateDefaultContext();
  EXPECT_THROW(LoadContext(&stream, other.get()), std::exception);
}

TEST(ContextSerialization, AStreamThatFailsOrIsNoContextIsRefused) {
  const auto diagram = MakeDiagram();
  const auto context = MakeContext(*diagram);
  std::stringstream full;
  full.setstate(std::ios::failbit);
  EXPECT_THROWS_MESSAGE(SaveContext(*context, &full), std::runtime_error,
                        "the stream cannot be written");
  std::stringstream other("another file altogether, long enough to be read");
  EXPECT_THROWS_MESSAGE(LoadContext(&other, context.get()), std::runtime_error,
                        "does not start as a saved Context does");
  EXPECT_EQ(context->get_time(), 0.1 + 0.2);
}

TEST(ContextSerialization, ATypeNobodyRegisteredIsNamed) {
  const Holder<Unknown> holder;
  std::stringstream stream;
  EXPECT_THROWS_MESSAGE(SaveContext(*holder.CreateDefaultContext(), &stream),
                        std::logic_error, "Unknown");
}

}  // namespace
}  // namespace wyvern::systems
