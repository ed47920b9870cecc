"""Compares the names of wyvern's Python package with those of pydrake 1.51 and
writes docs/python_names.md. Needs both packages:

    PYTHONPATH=build/check/python python3 tests/oracles/python_names.py

A class of both has a row: the functions that both have, and those whose
arguments have other names here."""
import importlib
import inspect
import pathlib
import re

MODULES = ["math", "trajectories", "geometry", "systems.framework",
           "systems.primitives", "systems.controllers", "systems.analysis",
           "systems.sensors", "multibody.math", "multibody.tree",
           "multibody.plant", "multibody.parsing"]
# Where pydrake keeps a class that is elsewhere here.
ELSEWHERE = {"Quaternion": "pydrake.common.eigen_geometry",
             "Rgba": "pydrake.geometry"}


def argument_names(function):
    """Returns the names of the arguments of all overloads, from the docstring
    that pybind11 and nanobind make."""
    names = set()
    for line in (getattr(function, "__doc__", None) or "").splitlines():
        match = re.match(r"\s*(?:\d+\. )?\w+\((.*)\)(?: -> .*)?$", line)
        if not match:
            continue
        depth, part = 0, ""
        for c in match.group(1) + ",":
            depth += c in "[({"
            depth -= c in "])}"
            if c == "," and depth == 0:
                name = re.match(r"\s*\*?(\w+)", part)
                if name:
                    names.add(name.group(1))
                part = ""
            else:
                part += c
    return {n for n in names if not re.fullmatch(r"self|arg\d*|args|kwargs", n)}


def classes(module):
    """Returns the public classes and functions of a module by name."""
    return {name: value for name, value in vars(module).items()
            if not name.startswith("_") and callable(value)
            and not inspect.ismodule(value)}


def members(cls):
    """Returns the public functions of a class, without inherited ones."""
    return {name for name in vars(cls)
            if not name.startswith("_") and callable(getattr(cls, name))}


def row(name, ours, theirs):
    """Returns the row of a class that both packages have."""
    if not inspect.isclass(ours):
        other = sorted(argument_names(ours) - argument_names(theirs))
        return f"| `{name}()` | | {', '.join(f'`{n}`' for n in other)} |"
    both = sorted(name for name in members(ours) if hasattr(theirs, name))
    differences = []
    for member in ["__init__", *both]:
        mine = argument_names(getattr(ours, member))
        drakes = argument_names(getattr(theirs, member))
        # Without names in the docstring there is nothing to compare.
        other = sorted(mine - drakes) if drakes else []
        if other:
            shown = name if member == "__init__" else member
            differences.append(
                f"`{shown}({', '.join(other)})`")
    shown = ", ".join(f"`{member}`" for member in both)
    return f"| `{name}` | {shown} | {', '.join(differences)} |"


def main():
    """Writes the page."""
    lines = ["# Names in Python, beside pydrake", "",
             "Classes and functions that both `wyvern` and pydrake 1.51 have, "
             "by module. The second column lists the functions",
             "of a class that both have, without inherited ones. The third lists arguments that pydrake "
             "does not name so.",
             "`tests/oracles/python_names.py` makes this page."]
    for module in MODULES:
        ours = classes(importlib.import_module(f"wyvern.{module}"))
        theirs = classes(importlib.import_module(f"pydrake.{module}"))
        rows = []
        for name in sorted(ours):
            value = theirs.get(name)
            if value is None and name in ELSEWHERE:
                value = getattr(
                    importlib.import_module(ELSEWHERE[name]), name, None)
            if value is not None and ours[name] is not int:
                rows.append(row(name, ours[name], value))
        if rows:
            lines += ["", f"## {module}", "",
                      "| name | functions of both | other arguments |",
                      "|---|---|---|", *rows]
    here = pathlib.Path(__file__).resolve().parents[2]
    (here / "docs" / "python_names.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
