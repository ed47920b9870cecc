#pragma once

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = max(u_min, min(u, u_max)), element by element.

Input port u0; output port y0, direct feedthrough. The limits are constants, or
come in through two more input ports, u1 = u_max and u2 = u_min, of which at
least one must be connected; the other limit is then infinite. */
template <typename T>
class Saturation final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Saturation);

  /** Constant limits, which may be infinite.
  @throws std::logic_error if the sizes differ, an entry is NaN, or
  min_value > max_value in some entry. */
  Saturation(const VectorX<T>& min_value, const VectorX<T>& max_value);

  /** Uses the same constant limits for each of `size` elements.
  @throws std::logic_error if `size` is below 1, a limit is NaN, or
  min_value > max_value. */
  Saturation(double min_value, double max_value, int size = 1);

  /** Limits from input ports.
  @throws std::logic_error if `input_size` is below 1. */
  explicit Saturation(int input_size);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Saturation(const Saturation<U>& other)
      : Saturation(other.get_size(), other.has_limit_ports_,
                   math::internal::CastTo<T>(other.min_value_),
                   math::internal::CastTo<T>(other.max_value_)) {}

  /** The port u0, whose value is limited. */
  const InputPort<T>& get_input_port() const {
    return LeafSystem<T>::get_input_port(0);
  }
  using LeafSystem<T>::get_input_port;

  /** The ports of the limits.
  @throws std::logic_error if the limits are constants. */
  const InputPort<T>& get_min_value_port() const;
  /** The port u1 of u_max.
  @throws std::logic_error if the limits are constants. */
  const InputPort<T>& get_max_value_port() const;

  /** Number of elements of the input. */
  int get_size() const { return size_; }
  /** Returns true if the limits are inputs. */
  bool has_limit_ports() const { return has_limit_ports_; }
  /** The constant lower limits; with ports, that of a port without a
   * connection.
   */
  const VectorX<T>& min_value() const { return min_value_; }
  /** The constant upper limits; with ports, that of a port without a
   * connection.
   */
  const VectorX<T>& max_value() const { return max_value_; }

 private:
  template <typename U>
  friend class Saturation;

  Saturation(int size, bool has_limit_ports, const VectorX<T>& min_value,
             const VectorX<T>& max_value);

  void RequireLimitPorts(const char* method) const;
  // @throws std::logic_error naming the first i with u_min[i] > u_max[i].
  void RequireOrdered(const VectorX<T>& u_min, const VectorX<T>& u_max) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const int size_;
  const bool has_limit_ports_;
  // Where a limit port is not connected: -inf and inf.
  const VectorX<T> min_value_;
  const VectorX<T> max_value_;
};

}  // namespace wyvern::systems
