"""The programs of the pages run as they stand."""
import re

import pytest
from conftest import SOURCE


def programs():
    """Returns the blocks of Python in the pages, with a name each."""
    result = []
    for page in ("python/README.md", "docs/python.md"):
        text = (SOURCE / page).read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        assert blocks, page
        result += [pytest.param(block, id=f"{page}-{i}")
                   for i, block in enumerate(blocks)]
    return result


@pytest.mark.parametrize("program", programs())
def test_a_program_of_a_page_runs(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "import pandas" in program or "dataframe()" in program:
        pytest.importorskip("pandas")
        pytest.importorskip("matplotlib")
    exec(compile(program, "page", "exec"), {"__name__": "__main__"})
