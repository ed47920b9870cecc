"""Docstrings are the comments of the C++ headers."""
import importlib.util
import subprocess
import sys

import pytest
import wyvern._core
from conftest import SOURCE
from wyvern.multibody.plant import MultibodyPlant
from wyvern.systems.framework import Context, LeafSystem, System
from wyvern.systems.primitives import VectorLog, ZeroOrderHold

SCRIPT = SOURCE / "python" / "header_comments.py"


def words(text):
    """Returns the text with single spaces."""
    return " ".join(text.split())


def script():
    """Returns the module of the script."""
    spec = importlib.util.spec_from_file_location("header_comments", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_comment_becomes_a_docstring():
    text, parameters = script().docstring("""/** Sets the state, size n.
      @param context of this System, or null; see @p other.
      @param x state [m],
        in SI units.
      @throws std::logic_error if `x` is nullptr or @f$x < 0@f$.
      @returns true if @c x differs.
      @code
      Hidden();
      @endcode */""")
    assert text == ("Sets the state, size n.\n\nRaises RuntimeError if `x` is "
                    "None or x < 0.\n\nReturns True if x differs.")
    assert parameters == [("context", "of this System, or null; see other."),
                          ("x", "state [m], in SI units.")]


def test_without_libclang_the_table_is_empty_and_says_so(tmp_path):
    # -S leaves out all packages that are installed.
    shown = subprocess.run(
        [sys.executable, "-S", str(SCRIPT), "--output", str(tmp_path / "out"),
         "--depfile", str(tmp_path / "out.d"), "--bindings",
         str(SOURCE / "python" / "bindings")],
        capture_output=True, text=True, timeout=60, check=True)
    assert "libclang is missing" in shown.stderr
    assert (tmp_path / "out").read_text() == ""


needs_comments = pytest.mark.skipif(
    wyvern._core.num_header_comments == 0,
    reason="the package was built without libclang")


def test_a_build_with_libclang_has_comments():
    if importlib.util.find_spec("clang") is None:
        pytest.skip("libclang is not installed")
    assert wyvern._core.num_header_comments > 500


@needs_comments
def test_docstrings_say_units_shapes_and_errors():
    # Each is a sentence of a header.
    folder = SOURCE / "systems/primitives"
    header = words((folder / "zero_order_hold.h").read_text())
    assert words(ZeroOrderHold.__doc__).split(".")[0] in header
    assert "nv x nv" in MultibodyPlant.CalcMassMatrix.__doc__
    shown = words(LeafSystem.DeclareContinuousState.__doc__)
    assert "std::" not in shown
    assert "[s]" in words(MultibodyPlant.time_step.__doc__ + (
        Context.SetTime.__doc__ + Context.get_time.__doc__))
    errors = words(" ".join(getattr(MultibodyPlant, name).__doc__ or ""
                            for name in ("AddJoint", "Finalize", "get_body")))
    assert "Raises RuntimeError" in errors or "Raises IndexError" in errors


@needs_comments
def test_an_overload_has_its_own_comment():
    shown = words(MultibodyPlant.get_actuation_input_port.__doc__)
    assert "u of one model instance" in shown or "u [N, N" in shown
    # A function of a base class in C++.
    assert "[q; v]" in words(MultibodyPlant.get_state_output_port.__doc__)


@needs_comments
def test_most_functions_have_docstrings():
    count = missing = 0
    for cls in (MultibodyPlant, Context, System, LeafSystem, VectorLog):
        for name, value in vars(cls).items():
            if name.startswith("_") or not callable(getattr(cls, name)):
                continue
            count += 1
            # The first line is the signature.
            body = [line for line in (value.__doc__ or "").splitlines()
                    if line.strip() and not line.startswith(name + "(")]
            missing += not body
    assert count > 150
    assert missing < 0.2 * count


@needs_comments
def test_no_command_of_doxygen_is_left():
    import wyvern.multibody.tree as tree
    import wyvern.systems.framework as framework
    for module in (tree, framework):
        for cls in vars(module).values():
            if not isinstance(cls, type):
                continue
            texts = [cls.__doc__] + [
                getattr(value, "__doc__", None) for value in vars(cls).values()]
            for text in texts:
                for command in ("@param", "@throws", "@return", "@code", "@p ",
                                "/**", "*/", "\x01", "\x02"):
                    assert command not in (text or ""), (cls, text)
