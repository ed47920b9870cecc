#include "wyvern/systems/framework/context_serialization.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"
#include "wyvern/systems/framework/bus_value.h"
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

class Listener final : public LeafSystem<double> {
 public:
  Listener() {
    DeclareAbstractInputPort("bus", Value<BusValue>());
    DeclareAbstractInputPort("selector", Value<InputPortIndex>());
  }
};

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

TEST(ContextSerialization, EveryChangeOfASingleByteIsRefused) {
  const auto diagram = MakeDiagram();
  std::stringstream stream;
  SaveContext(*MakeContext(*diagram), &stream);
  const std::string whole = stream.str();
  const auto target = diagram->CreateDefaultContext();
  for (size_t n = 0; n < whole.size(); ++n) {
    for (const int change : {1, 0x20, 0x80, 0xff}) {
      std::string bad = whole;
      bad[n] = static_cast<char>(bad[n] ^ change);
      std::stringstream part(bad);
      EXPECT_THROWS_MESSAGE(LoadContext(&part, target.get()),
                            std::runtime_error, "LoadContext(): ");
    }
  }
  EXPECT_EQ(target->get_time(), 0.0);
}

TEST(ContextSerialization, WhatIsWrongIsSaid) {
  const auto diagram = MakeDiagram();
  const auto context = MakeContext(*diagram);
  std::stringstream stream;
  SaveContext(*context, &stream);
  const std::string whole = stream.str();
  const auto load = [&](const std::string& bytes) {
    std::stringstream part(bytes);
    LoadContext(&part, context.get());
  };
  std::string bad = whole;
  bad[bad.find('\n') + 1] = 2;
  EXPECT_THROWS_MESSAGE(load(bad), std::runtime_error,
                        "in version 2 of the format, and only version 7");
  bad = whole;
  bad[whole.size() / 2] ^= 1;
  EXPECT_THROWS_MESSAGE(load(bad), std::runtime_error,
                        "has been changed since: its checksum");
  EXPECT_THROWS_MESSAGE(load(whole.substr(0, whole.size() / 2)),
                        std::runtime_error, "is not whole");
  EXPECT_THROWS_MESSAGE(load("another file altogether, long enough"),
                        std::runtime_error,
                        "does not start as a saved Context does");
  EXPECT_EQ(context->get_time(), 0.1 + 0.2);
}

TEST(ContextSerialization, ASystemOfAnotherShapeIsRefused) {
  std::stringstream stream;
  const auto diagram = MakeDiagram(2);
  SaveContext(*MakeContext(*diagram), &stream);
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<FreeMass>("scale");
  const auto other = builder.Build();
  const auto context = other->CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(LoadContext(&stream, context.get()), std::runtime_error,
                        "saved from another model: that has '::Diagram<double>:"
                        " 1 inputs");
}

TEST(ContextSerialization, SizesOfFixedInputsAreChecked) {
  std::stringstream stream;
  const auto diagram = MakeDiagram(2);
  SaveContext(*MakeContext(*diagram), &stream);
  const auto other = MakeDiagram(3)->CreateDefaultContext();
  EXPECT_THROW(LoadContext(&stream, other.get()), std::exception);
}

TEST(ContextSerialization, NullsAreNamed) {
  const FreeMass<double> system;
  const auto context = system.CreateDefaultContext();
  std::stringstream stream;
  EXPECT_THROWS_MESSAGE(SaveContext(*context, nullptr), std::logic_error,
                        "SaveContext(): stream is null");
  EXPECT_THROWS_MESSAGE(LoadContext(nullptr, context.get()), std::logic_error,
                        "LoadContext(): stream is null");
  EXPECT_THROWS_MESSAGE(LoadContext(&stream, nullptr), std::logic_error,
                        "LoadContext(): context is null");
}

TEST(ContextSerialization, AStreamThatFailsIsRefused) {
  const auto diagram = MakeDiagram();
  std::stringstream full;
  full.setstate(std::ios::failbit);
  EXPECT_THROWS_MESSAGE(SaveContext(*MakeContext(*diagram), &full),
                        std::runtime_error, "the stream cannot be written");
}

TEST(ContextSerialization, FixedAbstractInputsComeBack) {
  const Listener saved, loaded;
  const auto context = saved.CreateDefaultContext();
  BusValue inner, bus;
  inner.Set("text", Value<std::string>("a"));
  bus.Set("inner", Value<BusValue>(inner));
  bus.Set("vector", Value<BasicVector<double>>(Eigen::Vector2d(1, 2)));
  saved.get_input_port(0).FixValue(context.get(), Value<BusValue>(bus));
  saved.get_input_port(1).FixValue(context.get(),
                                   Value<InputPortIndex>(InputPortIndex(3)));
  std::stringstream stream;
  SaveContext(*context, &stream);
  const auto other = loaded.CreateDefaultContext();
  LoadContext(&stream, other.get());
  const auto& back = loaded.get_input_port(0).Eval<BusValue>(*other);
  EXPECT_EQ(back.Find("vector")->get_value<BasicVector<double>>().value(),
            Eigen::Vector2d(1, 2));
  EXPECT_EQ(back.Find("inner")
                ->get_value<BusValue>()
                .Find("text")
                ->get_value<std::string>(),
            "a");
  EXPECT_EQ(loaded.get_input_port(1).Eval<InputPortIndex>(*other), 3);
}

TEST(ContextSerialization, ATypeNobodyRegisteredIsNamed) {
  const Holder<Unknown> holder;
  std::stringstream stream;
  EXPECT_THROWS_MESSAGE(SaveContext(*holder.CreateDefaultContext(), &stream),
                        std::logic_error, "Unknown");
}

}  // namespace
}  // namespace wyvern::systems
