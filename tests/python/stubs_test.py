"""The stubs say what the modules have, in types that exist."""
import ast
import importlib
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import typing

import pytest
import wyvern

MODULES = ["math", "trajectories", "geometry", "systems.framework",
           "systems.primitives", "systems.controllers", "systems.analysis",
           "systems.sensors", "multibody.math", "multibody.tree", "multibody.plant",
           "multibody.parsing"]


def stub_of(name):
    """Returns the syntax tree of a module's stub."""
    folder = pathlib.Path(wyvern.__file__).parent
    file = folder / (name.replace(".", "/") + ".pyi")
    return ast.parse(file.read_text())


@pytest.mark.parametrize("name", MODULES)
def test_a_stub_has_the_classes_and_methods_of_its_module(name):
    module = importlib.import_module(f"wyvern.{name}")
    tree = stub_of(name)
    classes = {node.name: node for node in tree.body
               if isinstance(node, ast.ClassDef)}
    ours = {key: value for key, value in vars(module).items()
            if inspect.isclass(value)
            and value.__module__ == f"wyvern.{name}"
            and value.__name__ == key}  # Not another name of a class.
    assert ours and set(ours) <= set(classes)
    for key, value in ours.items():
        methods = {node.name for node in ast.walk(classes[key])
                   if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        for method in vars(value):
            if not method.startswith("_") and callable(getattr(value, method)):
                assert method in methods or "Enum" in ast.dump(
                    classes[key]), f"{key}.{method}"


@pytest.mark.parametrize("name", MODULES)
def test_a_stub_names_no_type_of_cpp(name):
    tree = stub_of(name)
    # Docstrings are comments of the C++ headers, which name types of C++.
    docstrings = {id(node.body[0].value) for node in ast.walk(tree)
                  if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module))
                  and ast.get_docstring(node) is not None}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert "::" not in node.value or id(node) in docstrings, node.value


def test_signatures_have_arrays():
    for node in ast.walk(stub_of("multibody.plant")):
        if isinstance(node, ast.FunctionDef) and node.name == "CalcMassMatrix":
            assert "numpy" in ast.unparse(node.returns)
            return
    raise AssertionError("CalcMassMatrix is not in the stub")


def run_mypy(folder, *arguments):
    """Runs mypy on the package in the build tree."""
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    package = pathlib.Path(wyvern.__file__).parent.parent
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"),
         "--no-error-summary", *arguments],
        cwd=folder, env={**os.environ, "MYPYPATH": str(package)},
        capture_output=True, text=True, timeout=300, check=False)


def test_mypy_finds_no_mistake_in_the_stubs(tmp_path):
    modules = [word for name in MODULES for word in ("-m", f"wyvern.{name}")]
    shown = run_mypy(tmp_path, *modules)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "", "")


PROGRAM = """
import numpy as np
from wyvern.multibody.plant import AddMultibodyPlantSceneGraph
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import DiagramBuilder, LeafSystem
from wyvern.systems.primitives import Gain, LogVectorOutput

builder = DiagramBuilder()
plant, scene_graph = AddMultibodyPlantSceneGraph(builder, 0.001)
plant.Finalize()
gain = builder.AddNamedSystem("gain", Gain([1.0, 2.0]))
log = LogVectorOutput(gain.get_output_port(), builder, 0.1)
simulator = Simulator(builder.Build())
status = simulator.AdvanceTo(1.0)
times: np.ndarray = log.FindLog(simulator.get_context()).sample_times()
"""


def test_mypy_accepts_a_program_and_finds_its_mistakes(tmp_path):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(PROGRAM)
    shown = run_mypy(tmp_path, str(good))
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "", "")
    mistakes = ["simulator.AdvanceTo('late')", "plant.NoSuchFunction()",
                "text: str = plant.num_positions()", "builder.Connect(1, 2)"]
    bad.write_text(PROGRAM + "\n".join(mistakes) + "\n")
    shown = run_mypy(tmp_path, str(bad))
    first = len(PROGRAM.splitlines()) + 1
    for i in range(len(mistakes)):
        assert f"bad.py:{first + i}: error" in shown.stdout
    assert shown.returncode == 1


def test_the_package_is_typed():
    assert (pathlib.Path(wyvern.__file__).parent / "py.typed").exists()
    assert typing.get_type_hints(wyvern.load_scenario) == {}
