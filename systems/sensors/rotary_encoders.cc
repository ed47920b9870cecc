#include "wyvern/systems/sensors/rotary_encoders.h"

#include <numbers>
#include <numeric>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/sensors/quantize.h"

namespace wyvern::systems::sensors {

namespace {

std::vector<int> FirstIndices(std::size_t count) {
  std::vector<int> indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

const std::vector<int>& RequireTicks(const std::vector<int>& ticks,
                                     std::size_t count) {
  wyvern::internal::RequireSize("RotaryEncoders", "ticks_per_revolution",
                                static_cast<int64_t>(ticks.size()),
                                static_cast<int64_t>(count));
  for (int one : ticks) {
    wyvern::internal::RequireAtLeast(
        "RotaryEncoders", "an element of ticks_per_revolution", one, 1);
  }
  return ticks;
}

}  // namespace

template <typename T>
RotaryEncoders<T>::RotaryEncoders(const std::vector<int>& ticks_per_revolution)
    : RotaryEncoders(
          Checked{}, static_cast<int>(ticks_per_revolution.size()),
          FirstIndices(ticks_per_revolution.size()),
          RequireTicks(ticks_per_revolution, ticks_per_revolution.size())) {}

template <typename T>
RotaryEncoders<T>::RotaryEncoders(int input_port_size,
                                  const std::vector<int>& input_vector_indices)
    : RotaryEncoders(Checked{}, input_port_size, input_vector_indices, {}) {}

template <typename T>
RotaryEncoders<T>::RotaryEncoders(int input_port_size,
                                  const std::vector<int>& input_vector_indices,
                                  const std::vector<int>& ticks_per_revolution)
    : RotaryEncoders(
          Checked{}, input_port_size, input_vector_indices,
          RequireTicks(ticks_per_revolution, input_vector_indices.size())) {}

template <typename T>
RotaryEncoders<T>::RotaryEncoders(Checked, int input_port_size,
                                  const std::vector<int>& input_vector_indices,
                                  const std::vector<int>& ticks_per_revolution)
    : LeafSystem<T>(SystemTypeTag<RotaryEncoders>{}),
      indices_(input_vector_indices),
      ticks_per_revolution_(ticks_per_revolution) {
  wyvern::internal::RequireNotEmpty("RotaryEncoders", "the list of encoders",
                                    indices_.empty());
  wyvern::internal::RequireAtLeast("RotaryEncoders", "input_port_size",
                                   input_port_size, 1);
  for (int index : indices_) {
    wyvern::internal::RequireIndex("RotaryEncoders",
                                   "an element of input_vector_indices", index,
                                   input_port_size);
  }
  const int size = static_cast<int>(indices_.size());
  this->DeclareNumericParameter(BasicVector<T>(VectorX<T>::Zero(size)));
  this->DeclareVectorInputPort(kUseDefaultName, input_port_size);
  this->DeclareVectorOutputPort(
      kUseDefaultName, size, &RotaryEncoders<T>::CalcAngles,
      {this->all_input_ports_ticket(), this->all_parameters_ticket()});
}

template <typename T>
void RotaryEncoders<T>::set_calibration_offsets(
    Context<T>* context,
    const Eigen::Ref<const VectorX<T>>& calibration_offsets) const {
  constexpr char kName[] = "RotaryEncoders::set_calibration_offsets";
  wyvern::internal::RequireNotNull(kName, "context", context);
  this->ValidateContext(*context);
  wyvern::internal::RequireSize(kName, "calibration_offsets",
                                calibration_offsets.size(),
                                static_cast<int64_t>(indices_.size()));
  wyvern::internal::RequireFinite(kName, "calibration_offsets",
                                  calibration_offsets);
  context->get_mutable_numeric_parameter(0).SetFromVector(calibration_offsets);
}

template <typename T>
const VectorX<T>& RotaryEncoders<T>::get_calibration_offsets(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(0).value();
}

template <typename T>
void RotaryEncoders<T>::CalcAngles(const Context<T>& context,
                                   BasicVector<T>* angles) const {
  const VectorX<T>& u = this->get_input_port().Eval(context);
  const VectorX<T>& offsets = context.get_numeric_parameter(0).value();
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    const T angle = u[indices_[i]] - offsets[i];
    (*angles)[i] =
        ticks_per_revolution_.empty()
            ? angle
            : internal::FloorToStep(
                  angle, 2 * std::numbers::pi / ticks_per_revolution_[i]);
  }
}

}  // namespace wyvern::systems::sensors

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::sensors::RotaryEncoders);
