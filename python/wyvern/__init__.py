"""Wyvern: block diagrams and multibody simulation.

The modules and their names are those of Drake: wyvern.systems.framework,
wyvern.multibody.plant and so on. wyvern.load_scenario() runs a scenario."""

from wyvern import _core  # type: ignore[attr-defined]

__version__ = _core.__version__
# The module of each name, imported when the name is asked for.
_MODULES = {
    "Run": "scenario", "Scenario": "scenario", "load_scenario": "scenario",
    "models_folder": "scenario", "scenarios_folder": "scenario",
    "Sweep": "sweep", "controller": "function_block"}
__all__ = list(_MODULES)


def __getattr__(name):
    """Imports a function or class when it is asked for."""
    if name in _MODULES:
        import importlib
        module = importlib.import_module(f"wyvern.{_MODULES[name]}")
        return getattr(module, name)
    raise AttributeError(f"module 'wyvern' has no attribute '{name}'")
