#pragma once

#include <nanobind/nanobind.h>

#include "wyvern/systems/common/type_safe_index.h"

/** @file
Declarations that all bindings share: short names, the functions that bind one
module each, and indices as Python integers. */

namespace wyvern::systems {
template <typename T>
class Context;
}  // namespace wyvern::systems

namespace nanobind::detail {

/** A Python integer; the kind of the index is left to C++. */
template <typename Tag>
struct type_caster<wyvern::TypeSafeIndex<Tag>> {
  NB_TYPE_CASTER(wyvern::TypeSafeIndex<Tag>, const_name("int"))

  bool from_python(handle src, uint32_t flags, cleanup_list* list) noexcept {
    make_caster<int> number;
    if (!number.from_python(src, flags, list) || number.value < 0) return false;
    value = wyvern::TypeSafeIndex<Tag>(number.value);
    return true;
  }
  static handle from_cpp(wyvern::TypeSafeIndex<Tag> index, rv_policy,
                         cleanup_list*) noexcept {
    return PyLong_FromLong(static_cast<int>(index));
  }
};

}  // namespace nanobind::detail

namespace wyvern::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using Ctx = systems::Context<double>;

/** For results that are part of the object that was asked: they keep it alive.
 */
inline constexpr auto kInside = nb::rv_policy::reference_internal;

/** @name Modules
Each binds the classes of one or more sources. A class comes after its bases, so
the order is that of the layers.
@{ */
void BindMath(nb::module_ m);
void BindTrajectories(nb::module_ m);
void BindFrameworkValues(nb::module_ m);
void BindFrameworkSystems(nb::module_ m);
void BindLeafSystem(nb::module_ m);
void BindSimulator(nb::module_ m);
void BindPrimitives(nb::module_ m);
void BindControllers(nb::module_ m);
void BindViewer(nb::module_ m);
void BindGeometry(nb::module_ m);
void BindSpatialAlgebra(nb::module_ m);
void BindTree(nb::module_ m);
void BindPlant(nb::module_ m);
void BindPlantDynamics(nb::module_ m);
void BindParsing(nb::module_ m);
void BindSensors(nb::module_ m);
void BindScenario(nb::module_ m);
void BindSweep(nb::module_ m);
/** @} */

}  // namespace wyvern::python
