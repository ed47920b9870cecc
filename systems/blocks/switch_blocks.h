#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/system.h"

/** @file
Limits, switches and routing as data. Each struct has the name of its block,
whose header says more. */

namespace wyvern::systems::blocks {

struct Saturation {
  static constexpr char kSummary[] =
      "Limits each element. Input u0, output y0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(min_value, "Lower limits; -.inf: none."));
    a->Visit(WYVERN_DNVP(max_value, "Upper limits; .inf: none."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Saturation> From(const System<double>& system);

  VectorX<double> min_value{VectorX<double>::Constant(1, -1)};
  VectorX<double> max_value{VectorX<double>::Ones(1)};
};

struct ManualSwitch {
  static constexpr char kSummary[] =
      "Passes one of the inputs u0, u1, ..., which a parameter selects.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(num_inputs, "Number of inputs."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
    a->Visit(
        WYVERN_DNVP(selected, "Index of the input that is passed at first."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<ManualSwitch> From(const System<double>& system);

  int num_inputs{2};
  int size{1};
  int selected{0};
};

struct ThresholdSwitch {
  static constexpr char kSummary[] =
      "y = u_on if control is at the threshold or above, else u_off.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(threshold, "Threshold of control."));
    a->Visit(WYVERN_DNVP(hysteresis,
                         "Distance of the points that switch on and off."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
    a->Visit(
        WYVERN_DNVP(control_size, "1, or size for a control per element."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<ThresholdSwitch> From(const System<double>& system);

  double threshold{0};
  double hysteresis{0};
  int size{1};
  int control_size{1};
};

struct Relay {
  static constexpr char kSummary[] =
      "Two-point switch with hysteresis: input u, output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(on_point, "u at which it switches on."));
    a->Visit(WYVERN_DNVP(off_point, "u at which it switches off."));
    a->Visit(WYVERN_DNVP(on_value, "Value of y when it is on."));
    a->Visit(WYVERN_DNVP(off_value, "Value of y when it is off."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Relay> From(const System<double>& system);

  double on_point{1};
  double off_point{0};
  double on_value{1};
  double off_value{0};
  int size{1};
};

struct Multiplexer {
  static constexpr char kSummary[] =
      "Puts the inputs u0, u1, ... behind each other. Output y0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(input_sizes, "Size of each input."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Multiplexer> From(const System<double>& system);

  std::vector<int> input_sizes{1, 1};
};

struct Demultiplexer {
  static constexpr char kSummary[] =
      "Cuts the input u0 into the outputs y0, y1, ...";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(output_ports_sizes, "Size of each output."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Demultiplexer> From(const System<double>& system);

  std::vector<int> output_ports_sizes{1, 1};
};

struct PassThrough {
  static constexpr char kSummary[] = "y = u.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(value,
                         "Output while the input is not connected; its size is "
                         "that of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<PassThrough> From(const System<double>& system);

  VectorX<double> value{VectorX<double>::Zero(1)};
};

/** An input port of a Selector. */
struct SelectorInput {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(name, "Name of the port (default: u0, u1, ...)."));
    a->Visit(WYVERN_DNVP(size, "Size of the vector."));
  }
  std::string name;
  int size{1};
};

/** An output port of a Selector. */
struct SelectorOutput {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(name, "Name of the port (default: y0, y1, ...)."));
    a->Visit(WYVERN_DNVP(selections,
                         "For each element, the index of an input port and of "
                         "an element there: [[0, 2], [1, 0]]."));
  }
  std::string name;
  std::vector<std::array<int, 2>> selections;
};

struct Selector {
  static constexpr char kSummary[] =
      "Puts together outputs from chosen elements of the inputs.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(inputs, "The input ports."));
    a->Visit(WYVERN_DNVP(outputs, "The output ports."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Selector> From(const System<double>& system);

  std::vector<SelectorInput> inputs{{}};
  std::vector<SelectorOutput> outputs;
};

}  // namespace wyvern::systems::blocks
