#include "wyvern/systems/primitives/multiplexer.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/selector.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

TEST(Multiplexer, StacksItsInputs) {
  const Multiplexer<double> mux(std::vector<int>{2, 0, 1});
  auto context = mux.CreateDefaultContext();
  mux.get_input_port(0).FixValue(context.get(), Vector2d(1, 2));
  mux.get_input_port(1).FixValue(context.get(), VectorXd(0));
  mux.get_input_port(2).FixValue(context.get(), 3.0);
  EXPECT_EQ(mux.get_output_port().Eval(*context), Vector3d(1, 2, 3));
}

TEST(Multiplexer, TakesScalarsIfGivenACount) {
  const Multiplexer<double> mux(3);
  EXPECT_EQ(mux.num_input_ports(), 3);
  EXPECT_EQ(mux.get_input_port(2).size(), 1);
  const Multiplexer<double> of_model(BasicVector<double>(2));
  EXPECT_EQ(of_model.num_input_ports(), 2);
}

TEST(Multiplexer, RefusesNegativeSizes) {
  EXPECT_THROWS_MESSAGE(Multiplexer<double>(-1), std::logic_error,
                        "num_scalar_inputs is -1");
  EXPECT_THROWS_MESSAGE(Multiplexer<double>(std::vector<int>{1, -2}),
                        std::logic_error, "input_sizes[1] is -2");
}

TEST(Demultiplexer, CutsItsInput) {
  const Demultiplexer<double> demux(std::vector<int>{1, 3});
  auto context = demux.CreateDefaultContext();
  demux.get_input_port().FixValue(context.get(), Vector4d(1, 2, 3, 4));
  EXPECT_EQ(demux.get_output_port(0).Eval(*context)[0], 1);
  EXPECT_EQ(demux.get_output_port(1).Eval(*context), Vector3d(2, 3, 4));
}

TEST(Demultiplexer, CutsEvenlyIfGivenASize) {
  EXPECT_EQ(Demultiplexer<double>(6, 3).get_output_ports_sizes(),
            (std::vector<int>{3, 3}));
  EXPECT_EQ(Demultiplexer<double>(2).get_output_ports_sizes(),
            (std::vector<int>{1, 1}));
}

TEST(Demultiplexer, RefusesSizesThatDoNotDivide) {
  EXPECT_THROWS_MESSAGE(Demultiplexer<double>(5, 2), std::logic_error,
                        "size 5 is not a multiple of output_ports_size 2");
  EXPECT_THROWS_MESSAGE(Demultiplexer<double>(0), std::logic_error,
                        "size is 0; it must be at least 1.");
  EXPECT_THROWS_MESSAGE(Demultiplexer<double>(4, 0), std::logic_error,
                        "output_ports_size is 0");
  EXPECT_THROWS_MESSAGE(Demultiplexer<double>(std::vector<int>{2, 0}),
                        std::logic_error, "output_ports_sizes[1] is 0");
  EXPECT_THROWS_MESSAGE(Demultiplexer<double>(std::vector<int>{}),
                        std::logic_error, "the number of output ports is 0");
}

TEST(Selector, TakesWhatItIsTold) {
  const Selector<double> selector(
      {.inputs = {{"position", 2}, {"", 1}},
       .outputs = {{"mixed", {{1, 0}, {0, 1}}}, {"", {{0, 0}, {0, 0}}}}});
  auto context = selector.CreateDefaultContext();
  selector.GetInputPort("position").FixValue(context.get(), Vector2d(1, 2));
  selector.GetInputPort("u1").FixValue(context.get(), 3.0);
  EXPECT_EQ(selector.GetOutputPort("mixed").Eval(*context), Vector2d(3, 2));
  EXPECT_EQ(selector.GetOutputPort("y1").Eval(*context), Vector2d(1, 1));
  EXPECT_TRUE(selector.HasDirectFeedthrough(1, 0));
  EXPECT_FALSE(selector.HasDirectFeedthrough(1, 1));
}

TEST(Selector, RefusesElementsThatThereAreNot) {
  const SelectorParams::InputPortParams input{"", 2};
  EXPECT_THROWS_MESSAGE(
      Selector<double>({.inputs = {input}, .outputs = {{"", {{0, 2}}}}}),
      std::out_of_range,
      "outputs[0].selections[0] is element 2 of input port 0; there are 1 "
      "input ports, and that one has size 2.");
  EXPECT_THROWS_MESSAGE(
      Selector<double>({.inputs = {input}, .outputs = {{"", {{1, 0}}}}}),
      std::out_of_range, "input port 1; there are 1 input ports.");
  EXPECT_THROWS_MESSAGE(Selector<double>({.inputs = {{"", -1}}, .outputs = {}}),
                        std::logic_error, "inputs[0].size is -1");
}

}  // namespace
}  // namespace wyvern::systems
