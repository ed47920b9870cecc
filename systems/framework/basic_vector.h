#pragma once

#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>

#include "wyvern/systems/framework/vector_base.h"

namespace wyvern::systems {

/** A vector that owns its elements, side by side in one VectorX<T>: what a
vector-valued port carries and what states and parameters are made of.

Derive from it to give the elements names; override DoClone() so that clones
keep the type:
@code
template <typename T>
class PendulumState final : public BasicVector<T> {
 public:
  PendulumState() : BasicVector<T>(2) {}
  const T& theta() const { return this->value()[0]; }
 private:
  PendulumState<T>* DoClone() const final { return new PendulumState<T>; }
};
@endcode */
template <typename T>
class BasicVector : public VectorBase<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BasicVector);

  BasicVector() = default;
  /** Elements are NaN until set. @throws std::logic_error if `size` < 0. */
  explicit BasicVector(int size);
  /** Takes the elements of `vec`; its size becomes size(). */
  explicit BasicVector(VectorX<T> vec) : values_(std::move(vec)) {}
  /** Takes the elements of `init`, in order. */
  BasicVector(const std::initializer_list<T>& init);

  /** BasicVector<double>::Make(1.0, 2.0), from anything that converts to T. */
  template <typename... Fargs>
  static std::unique_ptr<BasicVector<T>> Make(Fargs&&... args) {
    auto data = std::make_unique<BasicVector<T>>(int{sizeof...(args)});
    BasicVector<T>::MakeRecursive(data.get(), 0, std::forward<Fargs>(args)...);
    return data;
  }
  /** Makes a vector of the elements of `init`, in order. */
  static std::unique_ptr<BasicVector<T>> Make(
      const std::initializer_list<T>& init) {
    return std::make_unique<BasicVector<T>>(init);
  }

  int size() const final { return static_cast<int>(values_.size()); }

  /** The elements as a column of size() rows, valid as long as this vector. */
  const VectorX<T>& value() const { return values_; }
  /** A view of the elements, valid as long as this vector. */
  Eigen::VectorBlock<const VectorX<T>> get_value() const {
    return values_.head(values_.size());
  }
  /** A writable view of the elements, valid as long as this vector. */
  Eigen::VectorBlock<VectorX<T>> get_mutable_value() {
    return values_.head(values_.size());
  }
  /** Sets all elements.
  @throws std::logic_error if the size differs. */
  void set_value(const Eigen::Ref<const VectorX<T>>& value) {
    this->RequireFittingSize("set_value", value.size());
    values_ = value;
  }

  void SetFromVector(const Eigen::Ref<const VectorX<T>>& value) final {
    this->RequireFittingSize("SetFromVector", value.size());
    values_ = value;
  }
  void SetZero() final { values_.setZero(); }
  VectorX<T> CopyToVector() const final { return values_; }
  void ScaleAndAddToVector(const T& scale,
                           EigenPtr<VectorX<T>> vec) const final;

  /** A copy of the same derived type. */
  std::unique_ptr<BasicVector<T>> Clone() const;

 protected:
  /** The elements; values() = v may change their number. */
  const VectorX<T>& values() const { return values_; }
  VectorX<T>& values() { return values_; }

  const T& DoGetAtIndexUnchecked(int index) const final {
    return values_.coeffRef(index);
  }
  T& DoGetAtIndexUnchecked(int index) final { return values_.coeffRef(index); }
  const T& DoGetAtIndexChecked(int index) const final {
    if (index < 0 || index >= size()) this->ThrowOutOfRange(index);
    return values_.coeffRef(index);
  }
  T& DoGetAtIndexChecked(int index) final {
    if (index < 0 || index >= size()) this->ThrowOutOfRange(index);
    return values_.coeffRef(index);
  }
  std::span<const T> DoContiguousFrom(int first) const final {
    return {values_.data() + first,
            static_cast<std::size_t>(values_.size() - first)};
  }
  void DoPlusEqScaled(
      const std::initializer_list<std::pair<T, const VectorBase<T>&>>&
          rhs_scale) override {
    VectorBase<T>::DoPlusEqScaled(rhs_scale);
  }

  /** A new object of this object's type and size, owned by the caller. Clone()
  fills in the elements. */
  virtual BasicVector<T>* DoClone() const { return new BasicVector<T>(size()); }

  /** Sets elements from `index` on, one per argument. */
  template <typename F, typename... Fargs>
  static void MakeRecursive(BasicVector<T>* data, int index, F constructor_arg,
                            Fargs&&... recursive_args) {
    data->SetAtIndex(index++, T(constructor_arg));
    BasicVector<T>::MakeRecursive(data, index,
                                  std::forward<Fargs>(recursive_args)...);
  }
  template <typename F>
  static void MakeRecursive(BasicVector<T>* data, int index,
                            F constructor_arg) {
    data->SetAtIndex(index, T(constructor_arg));
  }
  static void MakeRecursive(BasicVector<T>*, int) {}

 private:
  VectorX<T> values_;
};

}  // namespace wyvern::systems
