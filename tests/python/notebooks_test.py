"""The notebooks run, cell by cell, and are stored without results."""
import json

import pytest
from conftest import SOURCE

FOLDER = SOURCE / "python" / "notebooks"
NOTEBOOKS = sorted(file.stem for file in FOLDER.glob("*.ipynb"))


def cells_of(name):
    """Returns the cells of a notebook."""
    return json.loads((FOLDER / f"{name}.ipynb").read_text())["cells"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    code = [cell for cell in cells_of(name) if cell["cell_type"] == "code"]
    for i, cell in enumerate(code):
        text = "".join(cell["source"])
        exec(compile(text, f"{name}, cell {i + 1}", "exec"), namespace)
    assert len(code) >= 2
    assert "assert" in text, "a notebook ends in a check"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_stored_without_results(name):
    cells = cells_of(name)
    assert cells[0]["cell_type"] == "markdown"
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


def test_there_are_six_notebooks():
    assert len(NOTEBOOKS) == 6
    page = (SOURCE / "python/README.md").read_text()
    for name in NOTEBOOKS:
        assert f"{name}.ipynb" in page
