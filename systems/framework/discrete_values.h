#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

/** Groups of numbers that change only at events, each a BasicVector: discrete
states, and numeric parameters. Members without an index are for the common case
of one group and throw std::logic_error unless there is exactly one; an index
out of range throws std::out_of_range. */
template <typename T>
class DiscreteValues {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiscreteValues);

  /** No groups. */
  DiscreteValues();
  /** Does not own the groups, which must outlive it.
  @throws std::logic_error if any is null; so do the others. */
  explicit DiscreteValues(const std::vector<BasicVector<T>*>& data);
  /** Owns the groups. */
  explicit DiscreteValues(std::vector<std::unique_ptr<BasicVector<T>>>&& data);
  /** Owns the one group. */
  explicit DiscreteValues(std::unique_ptr<BasicVector<T>> datum);
  virtual ~DiscreteValues();

  /** Adds a group at the end and returns its index. */
  int AppendGroup(std::unique_ptr<BasicVector<T>> datum);

  /** Number of groups. */
  int num_groups() const { return static_cast<int>(data_.size()); }
  /** Pointers to all groups, which live as long as this unless owned
  elsewhere. */
  const std::vector<BasicVector<T>*>& get_data() const { return data_; }

  /** @name One group, by index
  @{ */
  /** The group as a BasicVector. */
  const BasicVector<T>& get_vector(int index) const { return Group(index); }
  /** The group as a writable BasicVector. */
  BasicVector<T>& get_mutable_vector(int index) { return Group(index); }
  /** The elements of the group. */
  const VectorX<T>& value(int index) const { return Group(index).value(); }
  /** A view of the elements of the group. */
  Eigen::VectorBlock<const VectorX<T>> get_value(int index) const {
    return static_cast<const BasicVector<T>&>(Group(index)).get_value();
  }
  /** A writable view of the elements of the group. */
  Eigen::VectorBlock<VectorX<T>> get_mutable_value(int index) {
    return Group(index).get_mutable_value();
  }
  /** Sets all elements of the group.
  @throws std::logic_error if the size differs. */
  void set_value(int index, const Eigen::Ref<const VectorX<T>>& value) {
    Group(index).set_value(value);
  }
  /** @} */

  /** @name The only group
  @{ */
  /** Number of elements. */
  int size() const { return OnlyGroup().size(); }
  /** A writable element.
  @throws std::out_of_range on a bad index. */
  T& operator[](std::size_t idx) { return OnlyGroup()[static_cast<int>(idx)]; }
  /** An element.
  @throws std::out_of_range on a bad index. */
  const T& operator[](std::size_t idx) const {
    return OnlyGroup()[static_cast<int>(idx)];
  }
  /** The group as a BasicVector. */
  const BasicVector<T>& get_vector() const { return OnlyGroup(); }
  /** The group as a writable BasicVector. */
  BasicVector<T>& get_mutable_vector() { return OnlyGroup(); }
  /** The elements. */
  const VectorX<T>& value() const { return OnlyGroup().value(); }
  /** A view of the elements. */
  Eigen::VectorBlock<const VectorX<T>> get_value() const {
    return get_vector().get_value();
  }
  /** A writable view of the elements. */
  Eigen::VectorBlock<VectorX<T>> get_mutable_value() {
    return OnlyGroup().get_mutable_value();
  }
  /** Sets the elements.
  @throws std::logic_error if the size differs. */
  void set_value(const Eigen::Ref<const VectorX<T>>& value) {
    OnlyGroup().set_value(value);
  }
  /** @} */

  /** Copies the values of `other`, with the same number and sizes of groups.
  @throws std::logic_error if not. */
  template <typename U>
  void SetFrom(const DiscreteValues<U>& other) {
    RequireNumGroups(other.num_groups());
    for (int i = 0; i < num_groups(); ++i) {
      const BasicVector<U>& from = other.get_vector(i);
      if constexpr (std::is_same_v<T, U>) {
        if (from.size() == data_[i]->size()) {  // All at once.
          data_[i]->get_mutable_value() = from.value();
          continue;
        }
      }
      internal::ConvertVector("DiscreteValues::SetFrom", from,
                              static_cast<VectorBase<T>*>(data_[i]));
    }
  }

  /** A deep copy that owns its groups, which keep their types. */
  std::unique_ptr<DiscreteValues<T>> Clone() const;

  /** The id of the System that this was made for. */
  internal::SystemId get_system_id() const { return system_id_; }
  /** For the framework: says which System this was made for. */
  void set_system_id(internal::SystemId id) { system_id_ = id; }

 protected:
  virtual std::unique_ptr<DiscreteValues<T>> DoClone() const;

 private:
  BasicVector<T>& Group(int index) const {
    if (index < 0 || index >= num_groups()) ThrowOutOfRange(index);
    return *data_[index];
  }
  BasicVector<T>& OnlyGroup() const {
    if (data_.size() != 1) ThrowNotOneGroup();
    return *data_[0];
  }
  void RequireNumGroups(int given) const;
  [[noreturn]] void ThrowOutOfRange(int index) const;
  [[noreturn]] void ThrowNotOneGroup() const;

  std::vector<BasicVector<T>*> data_;
  std::vector<std::unique_ptr<BasicVector<T>>> owned_data_;
  internal::SystemId system_id_;
};

}  // namespace wyvern::systems
