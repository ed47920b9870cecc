#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/context_base.h"

namespace wyvern::systems {

/** How a cache entry or output port makes its value: one function that
allocates an object of the right type and shape, and one that computes into it.

Constructors take the forms a System author has at hand: member functions of the
System or free callables, that return the result or write it through a pointer;
a model value, a member that allocates, or nothing (then the type must be
default constructible). A null System, allocator or calculator throws
std::logic_error. */
class ValueProducer {
 public:
  /** Makes an object to compute into. */
  using AllocateCallback = std::function<std::unique_ptr<AbstractValue>()>;
  /** Computes the value from a Context. */
  using CalcCallback = std::function<void(const ContextBase&, AbstractValue*)>;

  /** An empty producer, of no use until assigned. */
  ValueProducer() = default;

  /** Takes the two functions. */
  ValueProducer(AllocateCallback allocate, CalcCallback calc)
      : calc_(std::move(calc)), allocate_(std::move(allocate)) {
    RequireCallbacks();
  }

  // Member function that writes through a pointer.
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance,
                void (SomeClass::*calc)(const SomeContext&, SomeOutput*) const)
      : ValueProducer(DefaultAllocate<SomeOutput>(),
                      MemberCalc(instance, calc)) {}

  // Member function that returns its result.
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance,
                SomeOutput (SomeClass::*calc)(const SomeContext&) const)
      : ValueProducer(DefaultAllocate<SomeOutput>(),
                      MemberCalc(instance, calc)) {}

  // Overloads with a model value to clone.
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance, const SomeOutput& model_value,
                void (SomeClass::*calc)(const SomeContext&, SomeOutput*) const)
      : ValueProducer(CloneAllocate(model_value), MemberCalc(instance, calc)) {}
  /** Copies `model_value`; the member function returns the result. */
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance, const SomeOutput& model_value,
                SomeOutput (SomeClass::*calc)(const SomeContext&) const)
      : ValueProducer(CloneAllocate(model_value), MemberCalc(instance, calc)) {}

  // Overloads with an allocate callback.
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance, AllocateCallback allocate,
                void (SomeClass::*calc)(const SomeContext&, SomeOutput*) const)
      : ValueProducer(std::move(allocate), MemberCalc(instance, calc)) {}
  /** Calls `allocate`; the member function returns the result. */
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance, AllocateCallback allocate,
                SomeOutput (SomeClass::*calc)(const SomeContext&) const)
      : ValueProducer(std::move(allocate), MemberCalc(instance, calc)) {}

  // Overloads with a member function that allocates.
  template <class SomeInstance, class SomeClass, class AllocClass,
            class SomeContext, class SomeOutput>
  ValueProducer(const SomeInstance* instance,
                std::unique_ptr<SomeOutput> (AllocClass::*allocate)() const,
                void (SomeClass::*calc)(const SomeContext&, SomeOutput*) const)
      : ValueProducer(MemberAllocate(instance, allocate),
                      MemberCalc(instance, calc)) {}
  /** Both are member functions; `calc` returns the result. */
  template <class SomeInstance, class SomeClass, class AllocClass,
            class SomeContext, class SomeOutput>
  ValueProducer(const SomeInstance* instance,
                std::unique_ptr<SomeOutput> (AllocClass::*allocate)() const,
                SomeOutput (SomeClass::*calc)(const SomeContext&) const)
      : ValueProducer(MemberAllocate(instance, allocate),
                      MemberCalc(instance, calc)) {}

  // A member that allocates, and a plain callback.
  template <class SomeInstance, class SomeClass, class SomeOutput>
  ValueProducer(const SomeInstance* instance,
                std::unique_ptr<SomeOutput> (SomeClass::*allocate)() const,
                CalcCallback calc)
      : ValueProducer(MemberAllocate(instance, allocate), std::move(calc)) {}

  // A member that allocates, and a free callable with concrete types.
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance,
                std::unique_ptr<SomeOutput> (SomeClass::*allocate)() const,
                std::function<void(const SomeContext&, SomeOutput*)> calc)
      : ValueProducer(MemberAllocate(instance, allocate), FreeCalc(calc)) {}
  /** `allocate` is a member function; `calc` returns the result. */
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  ValueProducer(const SomeInstance* instance,
                std::unique_ptr<SomeOutput> (SomeClass::*allocate)() const,
                std::function<SomeOutput(const SomeContext&)> calc)
      : ValueProducer(MemberAllocate(instance, allocate), FreeCalc(calc)) {}

  // A model value and a plain callback.
  template <class SomeOutput>
  requires(!std::is_convertible_v<SomeOutput, AllocateCallback> &&
           !std::is_pointer_v<SomeOutput>)
      ValueProducer(const SomeOutput& model_value, CalcCallback calc)
      : ValueProducer(CloneAllocate(model_value), std::move(calc)) {}

  // A model value and a free callable with concrete types.
  template <class SomeContext, class SomeOutput>
  ValueProducer(const SomeOutput& model_value,
                std::function<void(const SomeContext&, SomeOutput*)> calc)
      : ValueProducer(CloneAllocate(model_value), FreeCalc(calc)) {}
  /** Copies `model_value`; `calc` returns the result. */
  template <class SomeContext, class SomeOutput>
  ValueProducer(const SomeOutput& model_value,
                std::function<SomeOutput(const SomeContext&)> calc)
      : ValueProducer(CloneAllocate(model_value), FreeCalc(calc)) {}

  // Free callables with concrete types.
  template <class SomeContext, class SomeOutput>
  explicit ValueProducer(
      std::function<void(const SomeContext&, SomeOutput*)> calc)
      : ValueProducer(DefaultAllocate<SomeOutput>(), FreeCalc(calc)) {}
  /** The type must be default constructible; `calc` returns the result. */
  template <class SomeContext, class SomeOutput>
  explicit ValueProducer(std::function<SomeOutput(const SomeContext&)> calc)
      : ValueProducer(DefaultAllocate<SomeOutput>(), FreeCalc(calc)) {}
  /** Calls `allocate`; `calc` writes its result through a pointer. */
  template <class SomeContext, class SomeOutput>
  ValueProducer(AllocateCallback allocate,
                std::function<void(const SomeContext&, SomeOutput*)> calc)
      : ValueProducer(std::move(allocate), FreeCalc(calc)) {}
  /** Calls `allocate`; `calc` returns the result. */
  template <class SomeContext, class SomeOutput>
  ValueProducer(AllocateCallback allocate,
                std::function<SomeOutput(const SomeContext&)> calc)
      : ValueProducer(std::move(allocate), FreeCalc(calc)) {}

  /** A calculation that leaves the value as it is. */
  static void NoopCalc(const ContextBase&, AbstractValue*) {}

  /** True unless this is empty. */
  bool is_valid() const { return allocate_ != nullptr && calc_ != nullptr; }

  /** Returns a new value of the type that Calc() computes into.
  @throws std::logic_error if this is empty. */
  std::unique_ptr<AbstractValue> Allocate() const;
  /** Computes into `output`, which must be of the allocated type. */
  void Calc(const ContextBase& context, AbstractValue* output) const {
    calc_(context, output);
  }

 private:
  friend class CacheEntry;
  void RequireCallbacks() const;
  [[noreturn]] static void ThrowNull(const char* what);

  template <class SomeOutput>
  static AllocateCallback DefaultAllocate() {
    static_assert(std::is_default_constructible_v<SomeOutput>,
                  "the value type has no default constructor; give a model "
                  "value or an allocator");
    return [] { return std::make_unique<Value<SomeOutput>>(SomeOutput{}); };
  }
  template <class SomeOutput>
  static AllocateCallback CloneAllocate(const SomeOutput& model) {
    std::shared_ptr<const AbstractValue> kept =
        std::make_shared<Value<SomeOutput>>(model);
    return [kept] { return kept->Clone(); };
  }
  template <class SomeInstance, class SomeClass, class SomeOutput>
  static AllocateCallback MemberAllocate(
      const SomeInstance* instance,
      std::unique_ptr<SomeOutput> (SomeClass::*allocate)() const) {
    const SomeClass* self = instance;
    if (self == nullptr) ThrowNull("instance");
    if (allocate == nullptr) ThrowNull("allocate");
    return [self, allocate]() -> std::unique_ptr<AbstractValue> {
      if constexpr (std::is_same_v<SomeOutput, AbstractValue>) {
        return (self->*allocate)();
      } else {
        return std::make_unique<Value<SomeOutput>>((self->*allocate)());
      }
    };
  }

  // The context's type is not in doubt: a System only ever computes on the
  // Context that it made, which callers have checked by system id.
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  static CalcCallback MemberCalc(const SomeInstance* instance,
                                 void (SomeClass::*calc)(const SomeContext&,
                                                         SomeOutput*) const) {
    if (instance == nullptr) ThrowNull("instance");
    if (calc == nullptr) ThrowNull("calc");
    const SomeClass* self = Downcast<SomeClass>(instance);
    return [self, calc](const ContextBase& context, AbstractValue* out) {
      if constexpr (std::is_same_v<SomeOutput, AbstractValue>) {
        (self->*calc)(static_cast<const SomeContext&>(context), out);
      } else {
        (self->*calc)(static_cast<const SomeContext&>(context),
                      &out->get_mutable_value<SomeOutput>());
      }
    };
  }
  template <class SomeInstance, class SomeClass, class SomeContext,
            class SomeOutput>
  static CalcCallback MemberCalc(
      const SomeInstance* instance,
      SomeOutput (SomeClass::*calc)(const SomeContext&) const) {
    if (instance == nullptr) ThrowNull("instance");
    if (calc == nullptr) ThrowNull("calc");
    const SomeClass* self = Downcast<SomeClass>(instance);
    return [self, calc](const ContextBase& context, AbstractValue* out) {
      out->get_mutable_value<SomeOutput>() =
          (self->*calc)(static_cast<const SomeContext&>(context));
    };
  }
  template <class SomeContext, class SomeOutput>
  static CalcCallback FreeCalc(
      std::function<void(const SomeContext&, SomeOutput*)> calc) {
    if (calc == nullptr) ThrowNull("calc");
    return [calc](const ContextBase& context, AbstractValue* out) {
      if constexpr (std::is_same_v<SomeOutput, AbstractValue>) {
        calc(static_cast<const SomeContext&>(context), out);
      } else {
        calc(static_cast<const SomeContext&>(context),
             &out->get_mutable_value<SomeOutput>());
      }
    };
  }
  template <class SomeContext, class SomeOutput>
  static CalcCallback FreeCalc(
      std::function<SomeOutput(const SomeContext&)> calc) {
    if (calc == nullptr) ThrowNull("calc");
    return [calc](const ContextBase& context, AbstractValue* out) {
      out->get_mutable_value<SomeOutput>() =
          calc(static_cast<const SomeContext&>(context));
    };
  }
  // `this` in a base class constructor may be less derived than the member.
  template <class SomeClass, class SomeInstance>
  static const SomeClass* Downcast(const SomeInstance* instance) {
    if constexpr (std::derived_from<SomeInstance, SomeClass>) {
      return instance;
    } else {
      const auto* self = dynamic_cast<const SomeClass*>(instance);
      if (self == nullptr) {
        throw std::logic_error(
            "ValueProducer: the calc function is a member of " +
            NiceTypeName::Get<SomeClass>() + ", which the instance is not.");
      }
      return self;
    }
  }

  // The one that each evaluation calls comes first.
  CalcCallback calc_;
  AllocateCallback allocate_;
};

}  // namespace wyvern::systems
