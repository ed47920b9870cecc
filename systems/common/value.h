#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace wyvern {

template <typename T>
class Value;

/** A value of a type known only at run time: what flows through an abstract
port, and what abstract states, parameters and cache entries hold.

The object is a Value<V>. Reading it as its own V costs one comparison of
pointers; reading it as any other type, a base class included, throws
std::logic_error naming both types. */
class AbstractValue {
 public:
  virtual ~AbstractValue() = default;
  AbstractValue(const AbstractValue&) = delete;
  AbstractValue& operator=(const AbstractValue&) = delete;

  /** A new Value<V> holding a default-constructed V. */
  template <typename V>
  static std::unique_ptr<AbstractValue> Make() {
    return std::make_unique<Value<V>>();
  }
  /** A new Value<V> holding a copy. */
  template <typename V>
  static std::unique_ptr<AbstractValue> Make(const V& value) {
    return std::make_unique<Value<V>>(value);
  }

  /** Returns the stored value. @throws std::logic_error if it is not a V. */
  template <typename V>
  const V& get_value() const;
  /** Returns the stored value, writable.
  @throws std::logic_error if it is not a V. */
  template <typename V>
  V& get_mutable_value();
  /** Copies `value` in. @throws std::logic_error if it does not hold a V. */
  template <typename V>
  void set_value(const V& value);
  /** Returns the stored value, or null if it is not a V. */
  template <typename V>
  const V* maybe_get_value() const;
  /** Returns the stored value, writable, or null if it is not a V. */
  template <typename V>
  V* maybe_get_mutable_value();

  /** A deep copy. */
  virtual std::unique_ptr<AbstractValue> Clone() const = 0;
  /** Copies what `other` holds. @throws std::logic_error if it is of another
  type. */
  virtual void SetFrom(const AbstractValue& other) = 0;

  /** The type of the object held; of a derived one if V is polymorphic. */
  virtual const std::type_info& type_info() const = 0;
  /** The V of the Value<V>. */
  const std::type_info& static_type_info() const { return *static_type_; }
  /** The readable name of type_info(). */
  std::string GetNiceTypeName() const;

  /** Says in errors what this is, such as "abstract state 0 of System ::plant".
  Copies do not inherit it. */
  void set_description(std::string description);
  /** Takes over the description of `other`. */
  void ShareDescriptionOf(const AbstractValue& other) {
    description_ = other.description_;
  }

 protected:
  explicit AbstractValue(const std::type_info& static_type)
      : static_type_(&static_type) {}

 private:
  template <typename V>
  bool Holds() const {
    // One type can have several type_info objects when libraries are loaded at
    // run time; equal addresses settle nearly every case.
    return static_type_ == &typeid(V) || *static_type_ == typeid(V);
  }
  [[noreturn]] void ThrowWrongType(const std::type_info& wanted) const;

  const std::type_info* const static_type_;
  std::shared_ptr<const std::string> description_;
};

namespace internal {

template <typename V>
concept CopyableValue =
    std::is_copy_constructible_v<V> && std::is_copy_assignable_v<V>;

/** Has a `Clone()` const that returns a unique_ptr to V or to a base of V. */
template <typename V>
concept CloneableValue = requires(const V& v) {
  requires std::is_base_of_v<
      typename std::remove_cvref_t<decltype(v.Clone())>::element_type, V>;
};

/** How Value<V> stores a V that can be copied: directly. */
template <typename V>
class ValueStorage {
  static_assert(CopyableValue<V>,
                "Value<V> needs a V that can be copied, or that has a Clone() "
                "returning a std::unique_ptr to it.");

 public:
  ValueStorage() = default;
  explicit ValueStorage(const V& value) : value_(value) {}
  explicit ValueStorage(std::unique_ptr<V> value) : value_(std::move(*value)) {}
  template <typename... Args>
  explicit ValueStorage(std::in_place_t, Args&&... args)
      : value_(std::forward<Args>(args)...) {}

  const V& get() const { return value_; }
  V& get() { return value_; }
  void set(const V& value) { value_ = value; }

 private:
  V value_{};
};

/** How Value<V> stores a V that can only be cloned: on the heap. */
template <typename V>
requires(!CopyableValue<V> && CloneableValue<V>) class ValueStorage<V> {
 public:
  ValueStorage() requires std::is_default_constructible_v<V>
      : value_(std::make_unique<V>()) {}
  explicit ValueStorage(const V& value) : value_(CloneOf(value)) {}
  explicit ValueStorage(std::unique_ptr<V> value) : value_(std::move(value)) {}
  template <typename... Args>
  explicit ValueStorage(std::in_place_t, Args&&... args)
      : value_(std::make_unique<V>(std::forward<Args>(args)...)) {}

  const V& get() const { return *value_; }
  V& get() { return *value_; }
  void set(const V& value) { value_ = CloneOf(value); }

 private:
  static std::unique_ptr<V> CloneOf(const V& value) {
    return std::unique_ptr<V>(static_cast<V*>(value.Clone().release()));
  }

  std::unique_ptr<V> value_;
};

}  // namespace internal

/** An AbstractValue that holds a V. V can be copied, or has a Clone(); in that
case it may be an abstract base, such as Trajectory<double>, and the object held
keeps its own derived type. */
template <typename V>
class Value : public AbstractValue {
  static_assert(std::is_same_v<V, std::remove_cvref_t<V>> &&
                    !std::is_pointer_v<V> && !std::is_array_v<V>,
                "Value<V> holds objects, not references, pointers or arrays.");

 public:
  /** Holds a default-constructed V; numbers are zero. */
  Value() requires std::is_default_constructible_v<V>
      : AbstractValue(typeid(V)) {}
  /** Holds a copy. */
  explicit Value(const V& value) : AbstractValue(typeid(V)), storage_(value) {}
  /** Holds the object given, which must not be null. */
  explicit Value(std::unique_ptr<V> value)
      : AbstractValue(typeid(V)), storage_(RequireValue(std::move(value))) {}
  /** Holds a V constructed from the arguments. */
  template <typename Arg, typename... Args>
  requires(std::is_constructible_v<V, Arg, Args...> &&
           !(sizeof...(Args) == 0 &&
             (std::is_base_of_v<V, std::remove_cvref_t<Arg>> ||
              std::is_base_of_v<AbstractValue, std::remove_cvref_t<Arg>> ||
              std::is_convertible_v<
                  Arg, std::unique_ptr<V>>))) explicit Value(Arg&& arg,
                                                             Args&&... args)
      : AbstractValue(typeid(V)),
        storage_(std::in_place, std::forward<Arg>(arg),
                 std::forward<Args>(args)...) {}

  /** The stored value. */
  const V& get_value() const { return storage_.get(); }
  /** The stored value, writable. */
  V& get_mutable_value() { return storage_.get(); }
  /** Copies `value` in. */
  void set_value(const V& value) { storage_.set(value); }

  std::unique_ptr<AbstractValue> Clone() const override {
    return std::make_unique<Value<V>>(get_value());
  }
  void SetFrom(const AbstractValue& other) override {
    storage_.set(other.get_value<V>());
  }
  const std::type_info& type_info() const final { return typeid(get_value()); }

 private:
  static std::unique_ptr<V> RequireValue(std::unique_ptr<V> value);

  internal::ValueStorage<V> storage_;
};

namespace internal {
[[noreturn]] void ThrowNullValue(const std::type_info& type);
}  // namespace internal

template <typename V>
std::unique_ptr<V> Value<V>::RequireValue(std::unique_ptr<V> value) {
  if (value == nullptr) internal::ThrowNullValue(typeid(V));
  return value;
}

template <typename V>
const V& AbstractValue::get_value() const {
  if (!Holds<V>()) [[unlikely]] {
    ThrowWrongType(typeid(V));
  }
  return static_cast<const Value<V>*>(this)->get_value();
}

template <typename V>
V& AbstractValue::get_mutable_value() {
  if (!Holds<V>()) [[unlikely]] {
    ThrowWrongType(typeid(V));
  }
  return static_cast<Value<V>*>(this)->get_mutable_value();
}

template <typename V>
void AbstractValue::set_value(const V& value) {
  if (!Holds<V>()) [[unlikely]] {
    ThrowWrongType(typeid(V));
  }
  static_cast<Value<V>*>(this)->set_value(value);
}

template <typename V>
const V* AbstractValue::maybe_get_value() const {
  if (!Holds<V>()) return nullptr;
  return &static_cast<const Value<V>*>(this)->get_value();
}

template <typename V>
V* AbstractValue::maybe_get_mutable_value() {
  if (!Holds<V>()) return nullptr;
  return &static_cast<Value<V>*>(this)->get_mutable_value();
}

}  // namespace wyvern
