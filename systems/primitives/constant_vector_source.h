#pragma once

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = c : a vector that only its user changes.

The value is a numeric parameter of the Context, so each Context can hold
another one. Output port y0. */
template <typename T>
class ConstantVectorSource final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ConstantVectorSource);

  /** Takes the value of the output.
  @throws std::logic_error if an entry is not finite. */
  explicit ConstantVectorSource(
      const Eigen::Ref<const VectorX<T>>& source_value);

  /** A vector of size 1. */
  explicit ConstantVectorSource(const T& source_value);

  /** Keeps the subtype of `source_value` on the output port. */
  explicit ConstantVectorSource(const BasicVector<T>& source_value);

  /** Scalar-converting copy constructor: keeps the default value; a subtype of
  BasicVector is not kept. */
  template <typename U>
  explicit ConstantVectorSource(const ConstantVectorSource<U>& other)
      : ConstantVectorSource(
            VectorX<T>(math::internal::CastTo<T>(other.default_value_))) {}

  /** The value in a new Context. */
  const VectorX<T>& default_value() const { return default_value_; }

  /** The value in `context`. */
  const BasicVector<T>& get_source_value(const Context<T>& context) const;
  /** A change takes effect at the next evaluation of the output port. */
  BasicVector<T>& get_mutable_source_value(Context<T>* context);

 private:
  template <typename U>
  friend class ConstantVectorSource;

  void CopyValue(const Context<T>& context, BasicVector<T>* output) const;

  const VectorX<T> default_value_;
  int parameter_index_{};
};

}  // namespace wyvern::systems
