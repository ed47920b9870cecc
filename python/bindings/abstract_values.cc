#include "python/bindings/abstract_values.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "python/bindings/gil.h"

namespace wyvern::python {

namespace nb = nanobind;

PythonObject::PythonObject() {
  const GilAcquire gil;
  object_ = nb::none();
}

PythonObject::PythonObject(nb::object object) : object_(std::move(object)) {}

PythonObject::PythonObject(const PythonObject& other) {
  const GilAcquire gil;
  object_ = other.object_;
}

PythonObject& PythonObject::operator=(const PythonObject& other) {
  const GilAcquire gil;
  object_ = other.object_;
  return *this;
}

PythonObject::~PythonObject() { DropReference(&object_); }

namespace {

std::vector<AbstractType>& Types() {
  static std::vector<AbstractType> types;
  return types;
}

}  // namespace

void RegisterAbstractType(AbstractType type) {
  Types().push_back(std::move(type));
}

nb::object ShowAbstractValue(const AbstractValue& value) {
  if (const auto* held = value.maybe_get_value<PythonObject>()) {
    return held->object();
  }
  for (const AbstractType& type : Types()) {
    nb::object shown = type.show(value);
    if (shown.is_valid()) return shown;
  }
  throw nb::type_error(fmt::format("A port has a value of the C++ type {}, "
                                   "which Python cannot show.",
                                   value.GetNiceTypeName())
                           .c_str());
}

std::unique_ptr<AbstractValue> ToAbstractValue(nb::handle object,
                                               const AbstractValue& model) {
  if (model.maybe_get_value<PythonObject>() != nullptr) {
    return AbstractValue::Make(PythonObject(nb::borrow(object)));
  }
  try {
    for (const AbstractType& type : Types()) {
      if (auto value = type.make(object, model)) return value;
    }
  } catch (const nb::cast_error&) {
    // The message below names both types.
  }
  throw nb::type_error(
      fmt::format("A {} does not fit a port with values of the C++ type {}.",
                  nb::inst_name(object).c_str(), model.GetNiceTypeName())
          .c_str());
}

}  // namespace wyvern::python
