#pragma once

#include <map>
#include <memory>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/scalar_conversion_traits.h"
#include "wyvern/systems/framework/system_type_tag.h"

namespace wyvern::systems {

template <typename T>
class System;

/** Makes a System of one scalar from that of another, by the converting
constructor of the class S that a SystemTypeTag names: of `S<T>`, from a
`const S<U>&`. */
class SystemScalarConverter {
 public:
  /** Converts nothing. */
  SystemScalarConverter() = default;

  /** Converts between double and AutoDiffXd, and between double and
  symbolic::Expression in a program that links wyvern::symbolic, where
  scalar_conversion::Traits<S> and the constructors of S allow it. A class
  derived from S that forgets to name itself is refused when converted. */
  template <template <typename> class S, bool for_symbolic = kForSymbolic>
  SystemScalarConverter(SystemTypeTag<S> tag) {  // NOLINT(runtime/explicit)
    AddAll<S, for_symbolic>(tag, /* check_subtype */ true);
  }
  /** Variant without the check, for a class whose derived classes add nothing
  to convert. */
  template <template <typename> class S, bool for_symbolic = kForSymbolic>
  static SystemScalarConverter MakeWithoutSubtypeChecking() {
    SystemScalarConverter result;
    result.AddAll<S, for_symbolic>(SystemTypeTag<S>{},
                                   /* check_subtype */ false);
    return result;
  }

  /** True if no conversion is supported. */
  bool empty() const { return functions_.empty(); }
  /** True if Convert<T, U>() is supported: to T from U. */
  template <typename T, typename U>
  bool IsConvertible() const {
    return IsConvertible(typeid(T), typeid(U));
  }
  /** Overload for types that are known at run time. */
  bool IsConvertible(const std::type_info& t_info,
                     const std::type_info& u_info) const {
    return functions_.contains(Key{t_info, u_info});
  }
  /** Forgets the conversion to T from U. */
  template <typename T, typename U>
  void Remove() {
    functions_.erase(Key{typeid(T), typeid(U)});
  }
  /** Removes the conversions that `other` does not support. */
  void RemoveUnlessAlsoSupportedBy(const SystemScalarConverter& other) {
    std::erase_if(functions_, [&other](const auto& item) {
      return !other.functions_.contains(item.first);
    });
  }

  /** The converted System, or null if the conversion is not supported.
  @throws std::logic_error if `other` is of a class derived from the one that
  was named. */
  template <typename T, typename U>
  std::unique_ptr<System<T>> Convert(const System<U>& other) const {
    const auto found = functions_.find(Key{typeid(T), typeid(U)});
    if (found == functions_.end()) return nullptr;
    const Conversion& conversion = found->second;
    return std::unique_ptr<System<T>>(static_cast<System<T>*>(
        conversion.convert(&other, conversion.check_subtype)));
  }

  /** Lets every S made from now on convert between double and Expression: for
  classes of libraries, which are compiled before it is known who wants that.
  To be called before main(), where Expression is compiled for them. */
  template <template <typename> class S>
  static void OfferSymbolic() {
    SystemScalarConverter ways;
    ways.MaybeAdd<S, symbolic::Expression, double>(true);
    ways.MaybeAdd<S, double, symbolic::Expression>(true);
    Offer(typeid(SystemTypeTag<S>), ways);
  }

 private:
  using Key = std::pair<std::type_index, std::type_index>;
  struct Conversion {
    // Takes a const System<U>*, gives a new System<T>*.
    void* (*convert)(const void* from, bool check_subtype);
    bool check_subtype;
  };

  template <template <typename> class S, bool for_symbolic>
  void AddAll(SystemTypeTag<S>, bool check_subtype) {
    MaybeAdd<S, AutoDiffXd, double>(check_subtype);
    MaybeAdd<S, double, AutoDiffXd>(check_subtype);
    if constexpr (for_symbolic) {
      MaybeAdd<S, symbolic::Expression, double>(check_subtype);
      MaybeAdd<S, double, symbolic::Expression>(check_subtype);
    } else {
      AddOffered(typeid(SystemTypeTag<S>), check_subtype);
    }
  }
  static void Offer(const std::type_info& tag,
                    const SystemScalarConverter& ways);
  void AddOffered(const std::type_info& tag, bool check_subtype);

  template <template <typename> class S, typename T, typename U>
  void MaybeAdd(bool check_subtype) {
    using Traits = scalar_conversion::Traits<S>;
    if constexpr (kHasScalar<T> && kHasScalar<U> &&
                  Traits::template supported<T, U>::value) {
      static_assert(
          std::is_constructible_v<S<T>, const S<U>&>,
          "This System has no converting constructor S<T>(const S<U>&). Add "
          "`template <typename U> explicit S(const S<U>& other);`, or "
          "specialize scalar_conversion::Traits for it.");
      functions_.emplace(
          Key{typeid(T), typeid(U)},
          Conversion{[](const void* from, bool check) -> void* {
                       const auto& system =
                           *static_cast<const System<U>*>(from);
                       const std::type_info& actual = typeid(system);
                       if (check && actual != typeid(S<U>)) {
                         ThrowSubtype(actual, typeid(S<U>));
                       }
                       const S<U>& source = dynamic_cast<const S<U>&>(system);
                       auto result = std::make_unique<S<T>>(source);
                       static_cast<System<T>&>(*result).set_name(
                           static_cast<const System<U>&>(source).get_name());
                       return static_cast<System<T>*>(result.release());
                     },
                     check_subtype});
    }
  }
  [[noreturn]] static void ThrowSubtype(const std::type_info& actual,
                                        const std::type_info& named);

  std::map<Key, Conversion> functions_;
};

}  // namespace wyvern::systems
