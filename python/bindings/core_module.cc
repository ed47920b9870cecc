// The extension module wyvern._core. Each of its submodules has the name under
// which users import it, wyvern.systems.framework for one, so that classes,
// messages and stubs show that name.
#include <cstdlib>

#include <nanobind/nanobind.h>

#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/docstrings.h"

namespace nb = nanobind;

namespace {

// The submodule _core.<name>, which users import as `public_name`.
nb::module_ Submodule(nb::module_ core, const char* name,
                      const char* public_name) {
  nb::module_ m = core.def_submodule(name);
  m.attr("__name__") = nb::str(public_name);
  return m;
}

}  // namespace

NB_MODULE(_core, core) {
  using namespace wyvern::python;  // NOLINT(build/namespaces)
  core.attr("__version__") = nb::str(WYVERN_VERSION);
  core.attr("num_header_comments") = CountHeaderComments();
  RegisterErrors();
  // A block that keeps its own Diagram is never freed, which is no fault here.
  nb::set_leak_warnings(std::getenv("WYVERN_PYTHON_LEAKS") != nullptr);
  BindMath(Submodule(core, "math", "wyvern.math"));
  BindTrajectories(Submodule(core, "trajectories", "wyvern.trajectories"));
  nb::module_ framework =
      Submodule(core, "framework", "wyvern.systems.framework");
  BindFrameworkValues(framework);
  BindFrameworkSystems(framework);
  BindLeafSystem(framework);
  BindSimulator(Submodule(core, "analysis", "wyvern.systems.analysis"));
  BindPrimitives(Submodule(core, "primitives", "wyvern.systems.primitives"));
  BindControllers(Submodule(core, "controllers", "wyvern.systems.controllers"));
  nb::module_ geometry = Submodule(core, "geometry", "wyvern.geometry");
  BindGeometry(geometry);
  BindViewer(geometry);
  BindSpatialAlgebra(
      Submodule(core, "multibody_math", "wyvern.multibody.math"));
  BindTree(Submodule(core, "tree", "wyvern.multibody.tree"));
  BindPlant(Submodule(core, "plant", "wyvern.multibody.plant"));
  BindParsing(Submodule(core, "parsing", "wyvern.multibody.parsing"));
  BindSensors(Submodule(core, "sensors", "wyvern.systems.sensors"));
  nb::module_ scenario = Submodule(core, "scenario", "wyvern._core.scenario");
  BindScenario(scenario);
  BindSweep(scenario);
}
