"""Wrong arguments raise Python exceptions that say what is wanted."""
import numpy as np
import pytest
from wyvern.math import RigidTransform, RotationMatrix
from wyvern.multibody.plant import MultibodyPlant
from wyvern.systems.controllers import PidController
from wyvern.systems.framework import (
    BasicVector, DiagramBuilder, EventStatus, LeafSystem)
from wyvern.systems.primitives import (
    Adder, ConstantVectorSource, Demultiplexer, DiscreteTimeDelay,
    FirstOrderLowPassFilter, Gain, Integrator, Multiplexer, PassThrough,
    Saturation, Sine, VectorLogSink, ZeroOrderHold)

CONSTRUCTORS = [
    lambda: Adder(2, 3), lambda: Adder("+-", 1), lambda: Gain(2.0, 3),
    lambda: Gain([1, 2]), lambda: Integrator(2), lambda: Multiplexer(2),
    lambda: Multiplexer([1, 2]), lambda: Demultiplexer([1, 2]),
    lambda: Demultiplexer(4, 2), lambda: PassThrough(2),
    lambda: Saturation([-1], [1]), lambda: Sine(1.0, 2.0, 0.0, 1),
    lambda: VectorLogSink(2, 0.1), lambda: ZeroOrderHold(0.1, 2),
    lambda: DiscreteTimeDelay(0.1, 2, 1),
    lambda: FirstOrderLowPassFilter(0.1, 2),
    lambda: ConstantVectorSource(1.0), lambda: ConstantVectorSource([1, 2]),
    lambda: PidController([1], [0], [2]), lambda: MultibodyPlant(0.0),
]


@pytest.mark.parametrize("make", CONSTRUCTORS)
def test_a_block_is_made_added_and_built(make):
    block = make()
    builder = DiagramBuilder()
    assert builder.AddSystem(block) is block
    if isinstance(block, MultibodyPlant):
        block.Finalize()
    diagram = builder.Build()
    assert diagram.GetSystems() == [block]
    diagram.CreateDefaultContext()


GOOD = [[1.0, 2.0], (1, 2), np.array([1.0, 2.0]), np.array([1, 2]),
        np.array([1.0, 2.0], dtype=np.float32), np.array([[1.0], [2.0]]),
        np.array([1.0, 9.0, 2.0, 9.0])[::2], np.array([2.0, 1.0])[::-1],
        np.array([1.0, 2.0], dtype=">f8")]


@pytest.mark.parametrize("numbers", GOOD)
def test_numbers_of_all_kinds_are_a_vector(numbers):
    assert BasicVector(numbers).value().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("numbers", [
    None, "12", ["a", "b"], [1j, 2j], np.array([1j]), [[1.0, 2.0]],
    [[1.0, 2.0], [3.0, 4.0]], [[[1.0]]], [[1.0], [2.0, 3.0]], {"a": 1},
    object(), np.zeros((2, 2, 2)), [None, 1.0]])
def test_anything_else_is_a_type_error(numbers):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        BasicVector(numbers)


def test_fixed_sizes_are_held():
    with pytest.raises(TypeError, match="RigidTransform"):
        RigidTransform([1.0, 2.0])
    with pytest.raises(TypeError, match="RotationMatrix"):
        RotationMatrix(np.zeros((2, 2)))
    with pytest.raises(RuntimeError, match="orthonormal"):
        RotationMatrix(np.ones((3, 3)))


def test_messages_of_the_library_arrive_whole():
    plant = MultibodyPlant(0.0)
    plant.Finalize()
    with pytest.raises(RuntimeError, match="Finalize"):
        plant.Finalize()
    context = Gain(2.0, 1).CreateDefaultContext()
    with pytest.raises(RuntimeError, match="Context"):
        Integrator(1).ValidateContext(context)
    with pytest.raises(IndexError):
        BasicVector(2).GetAtIndex(5)
    with pytest.raises(RuntimeError, match="finite"):
        ConstantVectorSource([np.nan])


def test_wrong_sizes_are_errors_of_the_library():
    vector = BasicVector([1.0, 2.0])
    with pytest.raises(RuntimeError, match="3"):
        vector.SetFromVector([1.0, 2.0, 3.0])
    context = Integrator(2).CreateDefaultContext()
    with pytest.raises(RuntimeError):
        context.SetContinuousState([1.0])


def test_none_is_no_system():
    builder = DiagramBuilder()
    for value in (None, 3, "gain", object()):
        with pytest.raises((TypeError, RuntimeError)):
            builder.AddSystem(value)
    with pytest.raises(TypeError):
        builder.Connect(None, None)
    with pytest.raises(TypeError):
        MultibodyPlant(None)
    with pytest.raises(TypeError):
        MultibodyPlant("0.1")


def test_a_port_is_fixed_at_what_fits_alone():
    gain = Gain(2.0, 2)
    context = gain.CreateDefaultContext()
    port = gain.get_input_port()
    for value in ([1, 2], np.array([1.0, 2.0]), BasicVector([1.0, 2.0])):
        port.FixValue(context, value)
        assert gain.get_output_port().Eval(context).tolist() == [2.0, 4.0]
    for value in (None, "1", [1.0], 1.0, [1j, 2]):
        with pytest.raises((TypeError, RuntimeError)):
            port.FixValue(context, value)


def test_connect_takes_ports_systems_and_names():
    builder = DiagramBuilder()
    one = builder.AddNamedSystem("one", ConstantVectorSource([1.0]))
    add = builder.AddNamedSystem("add", Adder(3, 1))
    builder.connect("one", add.get_input_port(0))
    builder.connect(one, "add/u1")
    builder.connect(one.get_output_port(), add.GetInputPort("u2"))
    for source, target in (("two", "add/u1"), ("one/z", "add/u1"),
                           ("one", "add/u9"), ("one", "add")):
        with pytest.raises(RuntimeError):
            builder.connect(source, target)
    with pytest.raises((TypeError, RuntimeError)):
        builder.connect(3, add)
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    mine = add.GetMyContextFromRoot(context)
    assert add.get_output_port().Eval(mine) == [3.0]


def test_a_block_that_forgets_its_base_is_an_error():
    class Forgetful(LeafSystem):
        def __init__(self):
            self.DeclareContinuousState(1)

    with pytest.raises((TypeError, RuntimeError)), pytest.warns(
            RuntimeWarning, match="uninitialized"):
        Forgetful()


def test_only_blocks_of_python_declare_ports():
    with pytest.raises(TypeError, match="derives from"):
        Gain(1.0, 1).DeclareVectorInputPort("u", 1)


def test_a_diagram_is_drawn():
    builder = DiagramBuilder()
    builder.AddNamedSystem("a_gain", Gain(1.0, 1))
    diagram = builder.Build()
    assert "a_gain" in diagram._repr_html_()
    assert "a_gain" in str(diagram)


def test_event_status_is_shown():
    status = EventStatus.Failed(None, "too hot")
    assert status.severity() == EventStatus.Severity.kFailed
    assert status.message() == "too hot"


def test_wiring_mistakes_are_one_error_with_their_lines():
    builder = DiagramBuilder()
    one = builder.AddNamedSystem("one", Gain(2.0, 1))
    wide = builder.AddNamedSystem("wide", Gain(2.0, 3))
    builder.Connect(one.get_output_port(), wide.get_input_port())
    builder.connect("wide", "one")
    builder.ExportOutput(one.get_output_port(), "")
    with pytest.raises(RuntimeError) as error:
        builder.Build()
    text = str(error.value)
    assert "3 mistakes in the wiring" in text
    line = test_wiring_mistakes_are_one_error_with_their_lines.__code__
    for i in range(4, 7):
        assert f"arguments_test.py:{line.co_firstlineno + i}: " in text
    builder.set_throws_at_once(True)
    with pytest.raises(RuntimeError, match="carries a vector of 3 elements"):
        builder.Connect(wide.get_output_port(), one.get_input_port())


def test_units_of_ports_must_agree():
    builder = DiagramBuilder()
    builder.set_throws_at_once(True)
    one = builder.AddSystem(Gain(2.0, 1))
    other = builder.AddSystem(Gain(2.0, 1))
    one.get_output_port().set_unit("rad")
    other.get_input_port().set_units(["deg"])
    assert other.get_input_port().units() == ["deg"]
    with pytest.raises(RuntimeError, match="is in rad, but .* in deg"):
        builder.Connect(one.get_output_port(), other.get_input_port())
