"""The page of names that pydrake has too names what is there."""
import importlib
import re

from conftest import SOURCE

PAGE = (SOURCE / "docs" / "python_names.md").read_text()


def test_each_name_of_the_page_exists():
    module, count = None, 0
    for line in PAGE.splitlines():
        if line.startswith("## "):
            module = importlib.import_module(f"wyvern.{line[3:]}")
        match = re.match(r"\| `(\w+)(\(\))?` \| (.*?) \|", line)
        if not match:
            continue
        name, is_function, members = match.groups()
        value = getattr(module, name)
        assert isinstance(value, type) != bool(is_function) or callable(value)
        for member in re.findall(r"`(\w+)`", members):
            assert hasattr(value, member), f"{name}.{member}"
            count += 1
    assert count > 400


def test_the_page_has_what_programs_use():
    for name in ("MultibodyPlant", "DiagramBuilder", "Simulator", "LeafSystem",
                 "Context", "Parser", "RigidTransform"):
        assert f"| `{name}` |" in PAGE
