#include "wyvern/systems/primitives/demultiplexer.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

std::vector<int> EqualSizes(int size, int output_ports_size) {
  wyvern::internal::RequireAtLeast("Demultiplexer", "size", size, 1);
  wyvern::internal::RequireAtLeast("Demultiplexer", "output_ports_size",
                                   output_ports_size, 1);
  if (size % output_ports_size != 0) {
    throw std::logic_error(fmt::format(
        "Demultiplexer: size {} is not a multiple of output_ports_size {}; "
        "give the sizes as a list to cut it unevenly.",
        size, output_ports_size));
  }
  return std::vector<int>(size / output_ports_size, output_ports_size);
}

}  // namespace

template <typename T>
Demultiplexer<T>::Demultiplexer(const std::vector<int>& output_ports_sizes)
    : LeafSystem<T>(SystemTypeTag<Demultiplexer>{}),
      output_ports_sizes_(output_ports_sizes) {
  const int count = static_cast<int>(output_ports_sizes.size());
  wyvern::internal::RequireAtLeast("Demultiplexer",
                                   "the number of output ports", count, 1);
  int start = 0;
  for (int i = 0; i < count; ++i) {
    const int size = output_ports_sizes[i];
    wyvern::internal::RequireAtLeast(
        "Demultiplexer", fmt::format("output_ports_sizes[{}]", i), size, 1);
    this->DeclareVectorOutputPort(
        kUseDefaultName, size,
        [this, start, size](const Context<T>& context, BasicVector<T>* y) {
          y->get_mutable_value() =
              this->get_input_port(0).Eval(context).segment(start, size);
        },
        {this->all_input_ports_ticket()});
    start += size;
  }
  this->DeclareVectorInputPort(kUseDefaultName, start);
}

template <typename T>
Demultiplexer<T>::Demultiplexer(int size, int output_ports_size)
    : Demultiplexer(EqualSizes(size, output_ports_size)) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Demultiplexer);
