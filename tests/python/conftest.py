"""What the tests share."""
import importlib
import os
import pathlib
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture
def models():
    """Returns a function that finds the folder of a model file."""
    return Models()


class Models:
    """models / "arm.urdf" is the file, in whatever folder it lies."""

    def __truediv__(self, name):
        for folder in ("app/scenarios", "examples/models"):
            if (SOURCE / folder / name).exists():
                return SOURCE / folder / name
        raise FileNotFoundError(name)


class ModulesOf:
    """While it lasts, `import pydrake` imports another package."""

    def __init__(self, package):
        self.package = package

    def __enter__(self):
        self.before = {name: module for name, module in sys.modules.items()
                       if name.split(".")[0] == "pydrake"}
        for name in self.before:
            del sys.modules[name]
        for name in ("", ".math", ".trajectories", ".geometry", ".systems",
                     ".systems.framework", ".systems.analysis",
                     ".systems.primitives", ".systems.controllers",
                     ".systems.sensors",
                     ".multibody", ".multibody.plant", ".multibody.tree",
                     ".multibody.parsing", ".multibody.math"):
            sys.modules["pydrake" + name] = importlib.import_module(
                self.package + name)

    def __exit__(self, *_):
        for name in list(sys.modules):
            if name.split(".")[0] == "pydrake":
                del sys.modules[name]
        sys.modules.update(self.before)


def load_program(name, package):
    """Loads programs/<name>.py with its imports taken from the package."""
    file = pathlib.Path(__file__).parent / "programs" / f"{name}.py"
    namespace = {"__name__": f"program_{name}"}
    code = compile(file.read_text(), str(file), "exec")
    if package == "pydrake":
        exec(code, namespace)
    else:
        with ModulesOf(package):
            exec(code, namespace)
    return namespace
