#pragma once

#include <nanobind/nanobind.h>

#include "wyvern/systems/common/type_safe_index.h"

/** @file
Declarations that the bindings share: the functions that bind one module each,
and indices as Python integers. */

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

/** @name Modules
Each binds the classes of one or more sources. A class comes after its bases, so
the order is that of the layers.
@{ */
void BindMath(nanobind::module_ m);
void BindTrajectories(nanobind::module_ m);
void BindFrameworkValues(nanobind::module_ m);
void BindFrameworkSystems(nanobind::module_ m);
void BindLeafSystem(nanobind::module_ m);
void BindSimulator(nanobind::module_ m);
void BindPrimitives(nanobind::module_ m);
void BindControllers(nanobind::module_ m);
void BindGeometry(nanobind::module_ m);
void BindSpatialAlgebra(nanobind::module_ m);
void BindTree(nanobind::module_ m);
void BindPlant(nanobind::module_ m);
void BindPlantDynamics(nanobind::module_ m);
void BindParsing(nanobind::module_ m);
void BindScenario(nanobind::module_ m);
/** @} */

}  // namespace wyvern::python
