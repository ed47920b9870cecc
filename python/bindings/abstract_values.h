#pragma once

#include <functional>
#include <memory>

#include <nanobind/nanobind.h>

#include "wyvern/systems/common/value.h"

/** @file
Values of abstract ports in Python. A port of a type that is registered here
gives and takes objects of that type; a port that Python declared has any
object. */

namespace wyvern::python {

/** Any Python object, as the value of an abstract port. Copies take the GIL. */
class PythonObject final {
 public:
  PythonObject();
  explicit PythonObject(nanobind::object object);
  PythonObject(const PythonObject& other);
  PythonObject& operator=(const PythonObject& other);
  ~PythonObject();

  const nanobind::object& object() const { return object_; }

 private:
  nanobind::object object_;
};

/** How values of one C++ type are shown, and made. */
struct AbstractType {
  /** Returns a copy as a Python object, or an invalid one for another type. */
  std::function<nanobind::object(const AbstractValue&)> show;
  /** Returns the value, or null if `model` is of another type.
  @throws nanobind::cast_error if the object does not fit. */
  std::function<std::unique_ptr<AbstractValue>(nanobind::handle,
                                               const AbstractValue& model)>
      make;
};
void RegisterAbstractType(AbstractType type);

/** Registers a type that nanobind copies. */
template <typename V>
void RegisterAbstractType() {
  RegisterAbstractType(
      {[](const AbstractValue& value) -> nanobind::object {
         const V* found = value.maybe_get_value<V>();
         if (found == nullptr) return {};
         return nanobind::cast(*found, nanobind::rv_policy::copy);
       },
       [](nanobind::handle object,
          const AbstractValue& model) -> std::unique_ptr<AbstractValue> {
         if (model.maybe_get_value<V>() == nullptr) return nullptr;
         return AbstractValue::Make(nanobind::cast<V>(object));
       }});
}

/** Returns a copy of the value as a Python object.
@throws nanobind::type_error that names the type if it is not registered. */
nanobind::object ShowAbstractValue(const AbstractValue& value);
/** Returns the object as a value of the type of `model`.
@throws nanobind::type_error if that is not possible. */
std::unique_ptr<AbstractValue> ToAbstractValue(nanobind::handle object,
                                               const AbstractValue& model);

}  // namespace wyvern::python
