"""Wrong input is a Python exception and never a crash."""
import gc
import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import Models
from wyvern.multibody.math import SpatialInertia
from wyvern.multibody.parsing import Parser
from wyvern.multibody.plant import MultibodyPlant
from wyvern.multibody.tree import JacobianWrtVariable
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import (
    BasicVector, DiagramBuilder, LeafSystem)
from wyvern.systems.primitives import Gain, Integrator, LogVectorOutput
from wyvern.trajectories import PiecewisePolynomial


def arm():
    """Returns a plant with seven joints and a Context."""
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(Models() / "arm.urdf")
    plant.Finalize()
    return plant, plant.CreateDefaultContext()


ERRORS = (TypeError, RuntimeError, IndexError, ValueError)
WRONG = [None, "q", 1.0, [1.0] * 6, [1.0] * 8, np.zeros((7, 2)), [1j] * 7,
         np.array([object()] * 7), np.full(7, np.nan), np.full(7, np.inf),
         np.array(["x"] * 7), {}, [[1.0, 2.0]] * 7]


@pytest.mark.parametrize("value", WRONG)
def test_a_plant_takes_only_vectors_of_its_size(value):
    plant, context = arm()
    before = plant.GetPositionsAndVelocities(context)
    for set_value in (plant.SetPositions, plant.SetVelocities,
                      plant.SetPositionsAndVelocities):
        with pytest.raises(ERRORS):
            set_value(context, value)
    with pytest.raises(ERRORS):
        plant.MapVelocityToQDot(context, value)
    with pytest.raises(ERRORS):
        plant.get_actuation_input_port().FixValue(context, value)
    assert np.array_equal(plant.GetPositionsAndVelocities(context), before)


def test_matrices_of_any_order_are_the_same_matrix():
    plant, context = arm()
    frame = plant.GetBodyByName("tool").body_frame()
    points = np.arange(6.0).reshape(3, 2)
    wanted = plant.CalcPointsPositions(
        context, frame, points, plant.world_frame())
    big = np.zeros((6, 4))
    big[::2, ::2] = points
    read_only = points.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(points), points.astype(">f8"),
                 points.astype(np.float32), points.astype(np.int8),
                 big[::2, ::2], points[::-1][::-1], points.tolist(),
                 read_only, np.frombuffer(points.tobytes()).reshape(3, 2)):
        np.testing.assert_array_equal(plant.CalcPointsPositions(
            context, frame, same, plant.world_frame()), wanted)
    for wrong in (points.T, points[:2], np.zeros((3, 2, 1)),
                  np.zeros((3, 2), dtype=complex), np.zeros((3, 2), dtype="S3"),
                  [[1, 2], [3, 4], [5]]):
        with pytest.raises(ERRORS):
            plant.CalcPointsPositions(
                context, frame, wrong, plant.world_frame())
    # No byte of a misaligned array is read as a number of another place.
    raw = np.zeros(49, dtype=np.uint8)
    odd = raw[1:].view(np.float64).reshape(3, 2)
    odd[:] = points
    np.testing.assert_array_equal(plant.CalcPointsPositions(
        context, frame, odd, plant.world_frame()), wanted)


def test_none_and_strangers_are_no_elements():
    plant, context = arm()
    other, other_context = arm()
    world = plant.world_frame()
    calls = [
        lambda: plant.CalcMassMatrix(None),
        lambda: plant.CalcMassMatrix(Gain(1.0, 1).CreateDefaultContext()),
        lambda: plant.EvalBodyPoseInWorld(context, None),
        lambda: plant.get_body(-1), lambda: plant.get_body(2**40),
        lambda: plant.get_body(1.5), lambda: plant.get_body(10**6),
        lambda: plant.GetBodyByName(None), lambda: plant.GetBodyByName(b"tool"),
        lambda: plant.GetBodyByName("\ud800"),
        lambda: plant.CalcJacobianSpatialVelocity(
            context, 7, world, [0, 0, 0], world, world),
        lambda: plant.CalcJacobianSpatialVelocity(
            context, JacobianWrtVariable.kV, None, [0, 0, 0], world, world),
        lambda: plant.CalcRelativeTransform(context, world, None),
        lambda: plant.CalcMassMatrix(other_context),
        lambda: SpatialInertia(-1.0, [0, 0, 0], None),
        lambda: Simulator(None), lambda: Simulator(plant, 3),
        lambda: Simulator(plant, other_context),
        lambda: Parser(None), lambda: Parser(plant).AddModels(7),
        lambda: PiecewisePolynomial.FirstOrderHold([0, 0], [[1, 2]]),
        lambda: PiecewisePolynomial.FirstOrderHold([0, 1], [[1, 2, 3]]),
        lambda: BasicVector(-1),
        lambda: plant.get_state_output_port(99),
    ]
    for i, call in enumerate(calls):
        with pytest.raises((*ERRORS, UnicodeError, MemoryError)):
            call()
            pytest.fail(f"call {i} raised nothing")
    assert other.num_positions() == 7


def test_a_time_that_is_none_is_an_error():
    simulator = Simulator(Integrator(0))
    for time in (None, "1", np.nan, np.inf, -1.0, 1j, [1.0, 2.0]):
        with pytest.raises(ERRORS):
            simulator.AdvanceTo(time)
    simulator.AdvanceTo(np.float32(0.5))
    assert simulator.get_context().get_time() == 0.5


class Misuse(LeafSystem):
    """Does something else than its job in the middle of a step."""

    def __init__(self, action):
        super().__init__()
        self.action = action
        self.DeclareDiscreteState(1)
        self.DeclarePeriodicDiscreteUpdateEvent(0.1, 0.0, self.update)

    def update(self, context, discrete_state):
        """Misbehaves."""
        self.action(self, context, discrete_state)


def run_misuse(action):
    """Runs a diagram with such a block."""
    builder = DiagramBuilder()
    block = builder.AddNamedSystem("misuse", Misuse(action))
    diagram = builder.Build()
    simulator = Simulator(diagram)
    block.simulator, block.diagram = simulator, diagram
    try:
        simulator.AdvanceTo(0.5)
    finally:
        block.simulator = block.diagram = None


@pytest.mark.parametrize("action", [
    lambda self, context, state: state.set_value([1.0, 2.0]),
    lambda self, context, state: state.set_value(None),
    lambda self, context, state: state.get_vector(3),
    lambda self, context, state: state.SetAtIndex(0, 1.0),
    lambda self, context, state: self.simulator.AdvanceTo(9.0),
    lambda self, context, state: self.simulator.reset_context(
        self.diagram.CreateDefaultContext()),
    lambda self, context, state: self.DeclareDiscreteState(1),
    lambda self, context, state: self.DeclareVectorInputPort("late", 1),
    lambda self, context, state: context.get_discrete_state(7),
    lambda self, context, state: 1 / 0,
    lambda self, context, state: self.missing(),
    lambda self, context, state: (_ for _ in ()).throw(KeyboardInterrupt),
    lambda self, context, state: sys.exit(3)])
def test_misuse_inside_a_callback_is_an_exception(action):
    with pytest.raises(BaseException) as caught:
        run_misuse(action)
    assert not isinstance(caught.value, pytest.fail.Exception)
    # The next simulation is as if there had been none.
    run_misuse(lambda self, context, state: state.set_value([1.0]))


def test_an_endless_recursion_inside_a_callback_ends():
    def deeper(self, context, state):
        deeper(self, context, state)

    with pytest.raises(RecursionError):
        run_misuse(deeper)


def test_a_callback_may_drop_everything():
    def drop(self, context, state):
        self.simulator = self.diagram = None
        gc.collect()

    run_misuse(drop)


def test_an_exception_whose_text_fails_is_still_raised():
    class Mute(Exception):
        def __str__(self):
            raise ValueError("no text")

    def fail(self, context, state):
        raise Mute

    with pytest.raises(Mute):
        run_misuse(fail)


def child(code, expected=0):
    """Runs Python code in a process of its own."""
    shown = subprocess.run([sys.executable, "-W", "ignore", "-c", code],
                           capture_output=True, text=True, timeout=120,
                           check=False)
    assert (shown.returncode, shown.stderr) == (expected, ""), shown.stdout
    return shown.stdout


def test_a_forked_child_goes_on():
    integrator = Integrator(1)
    context = integrator.CreateDefaultContext()
    integrator.get_input_port().FixValue(context, [2.0])
    simulator = Simulator(integrator, context)
    simulator.AdvanceTo(1.0)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            simulator.AdvanceTo(2.0)
            plant, _ = arm()
            value = context.get_continuous_state_vector()[0]
            code = 0 if abs(value - 4.0) < 1e-6 and plant else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert context.get_time() == 1.0


def test_a_process_pool_simulates():
    child("""if True:
        import multiprocessing
        from wyvern.systems.analysis import Simulator
        from wyvern.systems.primitives import Integrator

        def work(rate):
            integrator = Integrator(1)
            context = integrator.CreateDefaultContext()
            integrator.get_input_port().FixValue(context, [rate])
            Simulator(integrator, context).AdvanceTo(1.0)
            return context.get_continuous_state_vector()[0]

        work(1.0)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert [round(x, 6) for x in pool.map(work, [1.0, 2.0, 3.0])] == [
                1.0, 2.0, 3.0]
        """)


@pytest.mark.parametrize("end", [
    "", "import sys; sys.exit(0)", "import os; os._exit(0)",
    "import gc; gc.disable()", "import builtins; builtins.kept = simulator"])
def test_a_program_ends_while_objects_are_alive(end):
    child("""if True:
        from wyvern.systems.analysis import Simulator
        from wyvern.systems.framework import DiagramBuilder, LeafSystem

        class Block(LeafSystem):
            def __init__(self):
                super().__init__()
                self.port = self.DeclareVectorOutputPort("y", 1, self.calc)
                self.cycle = lambda: self
                self.DeclarePerStepPublishEvent(lambda context: None)

            def calc(self, context, output):
                output.SetFromVector([1.0])

        builder = DiagramBuilder()
        block = builder.AddSystem(Block())
        block.diagram = builder.Build()
        simulator = Simulator(block.diagram)
        block.simulator = simulator
        simulator.set_monitor(lambda context: simulator and None)
        simulator.AdvanceTo(0.1)
        """ + end)


def test_a_log_is_a_frame_and_a_plot():
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    builder = DiagramBuilder()
    integrator = builder.AddSystem(Integrator(2))
    builder.ExportInput(integrator.get_input_port(), "u")
    sink = LogVectorOutput(integrator.get_output_port(), builder, 0.1)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    diagram.GetInputPort("u").FixValue(
        simulator.get_mutable_context(), [1.0, 2.0])
    simulator.AdvanceTo(1.0)
    log = sink.FindLog(simulator.get_context())
    frame = log.dataframe(["x", "y"])
    assert list(frame.columns) == ["x", "y"] and len(frame) == 11
    assert frame["y"].iloc[-1] == pytest.approx(2.0)
    assert len(log.plot().lines) == 2
    with pytest.raises(ValueError, match="one name for each"):
        log.dataframe(["x"])
