#pragma once

#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Cuts its input into consecutive pieces.

Input port u0; output ports y0, y1, ... of the given sizes, direct
feedthrough. */
template <typename T>
class Demultiplexer final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Demultiplexer);

  /** One output port per entry, of that size; the input has their total.
  @throws std::logic_error if there is none, or an entry is below 1. */
  explicit Demultiplexer(const std::vector<int>& output_ports_sizes);

  /** An input of `size` cut into equal pieces of `output_ports_size`.
  @throws std::logic_error if they are below 1 or do not divide. */
  explicit Demultiplexer(int size, int output_ports_size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Demultiplexer(const Demultiplexer<U>& other)
      : Demultiplexer(other.get_output_ports_sizes()) {}

  /** The size of each output port. */
  const std::vector<int>& get_output_ports_sizes() const {
    return output_ports_sizes_;
  }

 private:
  const std::vector<int> output_ports_sizes_;
};

}  // namespace wyvern::systems
