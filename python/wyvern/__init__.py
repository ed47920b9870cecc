"""Wyvern: block diagrams and multibody simulation.

The modules and their names are those of Drake: wyvern.systems.framework,
wyvern.multibody.plant and so on. wyvern.load_scenario() runs a scenario."""

from wyvern import _core

__version__ = _core.__version__
__all__ = ["Run", "Scenario", "load_scenario", "models_folder",
           "scenarios_folder"]


def __getattr__(name):
    """Imports the functions of wyvern.scenario when they are asked for."""
    if name in __all__:
        from wyvern import scenario
        return getattr(scenario, name)
    raise AttributeError(f"module 'wyvern' has no attribute '{name}'")
