#include "wyvern/systems/primitives/multiplexer.h"

#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

std::vector<int> ScalarSizes(int count) {
  wyvern::internal::RequireAtLeast("Multiplexer", "num_scalar_inputs", count,
                                   0);
  return std::vector<int>(count, 1);
}

int Total(const std::vector<int>& sizes) {
  int total = 0;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    wyvern::internal::RequireAtLeast(
        "Multiplexer", fmt::format("input_sizes[{}]", i), sizes[i], 0);
    total += sizes[i];
  }
  return total;
}

}  // namespace

template <typename T>
Multiplexer<T>::Multiplexer(int num_scalar_inputs)
    : Multiplexer(ScalarSizes(num_scalar_inputs)) {}

template <typename T>
Multiplexer<T>::Multiplexer(std::vector<int> input_sizes)
    : Multiplexer(input_sizes, BasicVector<T>(Total(input_sizes))) {}

template <typename T>
Multiplexer<T>::Multiplexer(const systems::BasicVector<T>& model_vector)
    : Multiplexer(ScalarSizes(model_vector.size()), model_vector) {}

template <typename T>
Multiplexer<T>::Multiplexer(std::vector<int> input_sizes,
                            const BasicVector<T>& model_vector)
    : LeafSystem<T>(SystemTypeTag<Multiplexer>{}),
      input_sizes_(std::move(input_sizes)) {
  for (int size : input_sizes_) {
    this->DeclareVectorInputPort(kUseDefaultName, size);
  }
  this->DeclareVectorOutputPort(kUseDefaultName, model_vector,
                                &Multiplexer<T>::CombineInputsToOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void Multiplexer<T>::CombineInputsToOutput(const Context<T>& context,
                                           BasicVector<T>* output) const {
  auto y = output->get_mutable_value();
  int start = 0;
  for (int i = 0; i < this->num_input_ports(); ++i) {
    const int size = input_sizes_[i];
    y.segment(start, size) = this->get_input_port(i).Eval(context);
    start += size;
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Multiplexer);
