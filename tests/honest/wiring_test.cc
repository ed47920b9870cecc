/** @file
Law 8 of this folder's README: all mistakes of a wiring are told at once.
*/

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/gain.h"

namespace wyvern::systems {
namespace honest_wiring {

TEST(FiveWiringMistakes, AreOneExceptionThatNamesAllFive) {
  DiagramBuilder<double> builder;
  const Gain<double> stranger(2, 1);
  auto* one = builder.AddSystem<ConstantVectorSource<double>>(1.0);
  auto* text =
      builder.AddSystem<ConstantValueSource<double>>(Value<std::string>("a"));
  auto* wide = builder.AddNamedSystem<Gain<double>>("wide", 2, 3);
  auto* twice = builder.AddNamedSystem<Gain<double>>("twice", 2, 1);
  auto* abstract = builder.AddNamedSystem<Gain<double>>("abstract", 2, 1);
  auto* foreign = builder.AddNamedSystem<Gain<double>>("foreign", 2, 1);
  builder.AddNamedSystem<Gain<double>>("open", 2, 1);
  builder.Connect(*one, *twice);
  const int line = __LINE__;
  builder.Connect(*one, *wide);
  builder.Connect(stranger, *foreign);
  builder.Connect(*text, *abstract);
  builder.Connect(*one, *twice);
  std::string message;
  try {
    builder.Build();
  } catch (const std::logic_error& error) {
    message = error.what();
  }
  for (int i = 1; i <= 4; ++i) {
    EXPECT_NE(message.find(fmt::format("wiring_test.cc:{}: ", line + i)),
              std::string::npos)
        << message;
  }
  for (const char* named :
       {"a vector of 1 elements", "a vector of 3 elements", "::wide",
        "System ::_ (Gain<double>) has not been added", "an abstract value",
        "::abstract", "::twice (Gain<double>) is connected or exported already",
        "Nothing feeds", "InputPort[0] (u0) of System ::open"}) {
    EXPECT_NE(message.find(named), std::string::npos) << named << "\n"
                                                      << message;
  }
}

}  // namespace honest_wiring
}  // namespace wyvern::systems
