"""Programs that run on pydrake and here, by one import exchanged."""
import json
import pathlib

import numpy as np
import pytest
from conftest import SOURCE, load_program

PROGRAMS = sorted(
    file.stem for file in (pathlib.Path(__file__).parent / "programs").glob(
        "*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_pydrake_gives_the_same_figures(name, models):
    figures = json.loads(
        (SOURCE / "tests/oracles/python_programs.json").read_text())[name]
    results = load_program(name, "wyvern")["run"](models)
    np.testing.assert_allclose(results, figures, rtol=1e-9, atol=1e-9)


def test_there_are_programs():
    assert len(PROGRAMS) >= 10
