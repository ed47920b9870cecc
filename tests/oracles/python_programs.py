"""Runs the programs of tests/python/programs on pydrake 1.51 and writes their
figures to python_programs.json:  python3 tests/oracles/python_programs.py"""
import json
import pathlib
import sys

import pydrake  # noqa: F401

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "python"))
from conftest import Models, load_program  # noqa: E402

programs = here.parent / "python" / "programs"
figures = {file.stem: load_program(file.stem, "pydrake")["run"](Models())
           for file in sorted(programs.glob("*.py"))}
text = json.dumps(figures, indent=1)
(here / "python_programs.json").write_text(text + "\n")
