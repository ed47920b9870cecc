"""The stubs say what the modules have, in types that exist."""
import ast
import importlib
import inspect
import pathlib
import typing

import pytest
import wyvern

MODULES = ["math", "trajectories", "geometry", "systems.framework",
           "systems.primitives", "systems.controllers", "systems.analysis",
           "multibody.math", "multibody.tree", "multibody.plant",
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


def test_the_package_is_typed():
    assert (pathlib.Path(wyvern.__file__).parent / "py.typed").exists()
    assert typing.get_type_hints(wyvern.load_scenario) == {}
