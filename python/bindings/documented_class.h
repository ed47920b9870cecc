#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <nanobind/nanobind.h>

#include "python/bindings/docstrings.h"

namespace wyvern::python {

/** A nanobind::class_ whose docstrings have the comments of the C++ headers;
see Docstring(). It is used like its base. */
template <typename T, typename... Others>
class DocumentedClass : public nanobind::class_<T, Others...> {
 public:
  using Base = nanobind::class_<T, Others...>;

  template <typename... Extra>
  DocumentedClass(nanobind::handle scope, const char* name,
                  const Extra&... extra)
      : Base(scope, name, extra..., Docstring(name, "", {}, TextOf(extra...))),
        name_(name) {}

  /** Returns a class that was bound before, to add to it. */
  static DocumentedClass Borrow(nanobind::handle type) {
    return DocumentedClass(nanobind::borrow<Base>(type));
  }

  template <typename Function, typename... Extra>
  DocumentedClass& def(const char* name, Function&& f, const Extra&... extra) {
    Base::def(name, std::forward<Function>(f), extra..., Doc(name, extra...));
    return *this;
  }
  /** Binds a constructor. */
  template <typename Constructor, typename... Extra>
  requires(!std::convertible_to<Constructor, const char*>)
      DocumentedClass& def(Constructor&& constructor, const Extra&... extra) {
    Base::def(std::forward<Constructor>(constructor), extra...,
              Doc("__init__", extra...));
    return *this;
  }
  template <typename Function, typename... Extra>
  DocumentedClass& def_static(const char* name, Function&& f,
                              const Extra&... extra) {
    Base::def_static(name, std::forward<Function>(f), extra...,
                     Doc(name, extra...));
    return *this;
  }
  template <typename Field, typename... Extra>
  DocumentedClass& def_ro(const char* name, Field field,
                          const Extra&... extra) {
    Base::def_ro(name, field, extra..., Doc(name, extra...));
    return *this;
  }
  template <typename Field, typename... Extra>
  DocumentedClass& def_rw(const char* name, Field field,
                          const Extra&... extra) {
    Base::def_rw(name, field, extra..., Doc(name, extra...));
    return *this;
  }
  template <typename Getter, typename Setter, typename... Extra>
  DocumentedClass& def_prop_rw(const char* name, Getter&& getter,
                               Setter&& setter, const Extra&... extra) {
    Base::def_prop_rw(name, std::forward<Getter>(getter),
                      std::forward<Setter>(setter), extra...,
                      Doc(name, extra...));
    return *this;
  }

 private:
  explicit DocumentedClass(const Base& base)
      : Base(base), name_(nanobind::cast<std::string>(base.attr("__name__"))) {}

  // The text among the extras of a binding, or null.
  template <typename... Extra>
  static const char* TextOf(const Extra&... extra) {
    const char* text{};
    (
        [&] {
          if constexpr (std::is_convertible_v<const Extra&, const char*>) {
            text = extra;
          }
        }(),
        ...);
    return text;
  }

  template <typename... Extra>
  const char* Doc(const char* member, const Extra&... extra) const {
    std::array<const char*, sizeof...(Extra)> names{};
    std::size_t count = 0;
    (
        [&] {
          if constexpr (nanobind::detail::arg_traits<Extra>::is_arg) {
            names[count++] = extra.name_;
          }
        }(),
        ...);
    return Docstring(name_, member, std::span(names.data(), count),
                     TextOf(extra...));
  }

  std::string name_;
};

}  // namespace wyvern::python
