"""Functions as blocks, and witness functions."""
import math
import weakref

import numpy as np
import pytest
import wyvern
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import (
    DiagramBuilder, DiscreteUpdateEvent, LeafSystem, PublishEvent,
    UnrestrictedUpdateEvent, WitnessFunctionDirection)
from wyvern.systems.primitives import (
    ConstantVectorSource, Gain, Integrator, LogVectorOutput, ZeroOrderHold)


def samples_of(feedback):
    """Integrates dx/dt = -2 x, from 1, through a block; returns x."""
    builder = DiagramBuilder()
    plant = builder.AddNamedSystem("plant", Integrator(2))
    feedback(builder)
    log = LogVectorOutput(plant.get_output_port(), builder, 0.05)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    plant.set_integral_value(
        plant.GetMyMutableContextFromRoot(simulator.get_context()), [1.0, 2.0])
    simulator.AdvanceTo(1.0)
    return log.FindLog(simulator.get_context()).data()


def test_a_function_without_a_period_is_its_twin_bit_for_bit():
    @wyvern.controller(sizes={"x": 2}, output=2)
    def law(x):
        return -2.0 * x

    def ours(builder):
        builder.AddNamedSystem("law", law())
        builder.connect("plant", "law/x")
        builder.connect("law/control", "plant")

    def theirs(builder):
        builder.AddNamedSystem("law", Gain(-2.0, 2))
        builder.connect("plant", "law")
        builder.connect("law", "plant")

    assert np.array_equal(samples_of(ours), samples_of(theirs))


def test_a_function_with_a_period_is_held():
    @wyvern.controller(period=0.1, sizes={"x": 2}, output=2)
    def law(x):
        return -2.0 * x

    def ours(builder):
        builder.AddNamedSystem("law", law())
        builder.connect("plant", "law/x")
        builder.connect("law", "plant")

    def theirs(builder):
        builder.AddNamedSystem("gain", Gain(-2.0, 2))
        builder.AddNamedSystem("hold", ZeroOrderHold(0.1, 2))
        builder.connect("plant", "gain")
        builder.connect("gain", "hold")
        builder.connect("hold", "plant")

    assert np.array_equal(samples_of(ours), samples_of(theirs))


def test_a_function_gets_time_and_makes_many_blocks():
    @wyvern.controller
    def wave(t, level):
        """A sine."""
        return level[0] + math.sin(t)

    one, two = wave(), wave()
    assert one is not two and one.get_name() == "wave"
    assert wave.__doc__ == "A sine." and wave.function(0.0, [2.0]) == 2.0
    context = one.CreateDefaultContext()
    one.GetInputPort("level").FixValue(context, 3.0)
    context.SetTime(0.5)
    assert one.GetOutputPort("control").Eval(context) == [3.0 + math.sin(0.5)]


def test_a_function_that_is_no_block_is_refused():
    with pytest.raises(TypeError, match="wants a function"):
        wyvern.controller(3)
    with pytest.raises(TypeError, match="args"):
        wyvern.controller(lambda *args: 0)
    with pytest.raises(ValueError, match="the inputs of law"):
        @wyvern.controller(sizes={"y": 2})
        def law(x):
            return x

    @wyvern.controller(period=-1.0)
    def late():
        return 0.0

    with pytest.raises(RuntimeError, match="period"):
        late()


@pytest.mark.parametrize("result", [[1.0, 2.0], math.nan, math.inf, "up", None])
def test_a_wrong_result_is_an_error_with_the_place(result):
    @wyvern.controller(period=0.1)
    def law():
        return result

    builder = DiagramBuilder()
    builder.AddNamedSystem("law", law())
    simulator = Simulator(builder.Build())
    with pytest.raises((TypeError, ValueError)) as caught:
        simulator.AdvanceTo(1.0)
    assert "::law" in "\n".join(caught.value.__notes__)


class Ball(LeafSystem):
    """A ball that bounces at height 0, without loss."""

    def __init__(self, event=DiscreteUpdateEvent, direction=None):
        super().__init__()
        self.times = []
        self.DeclareContinuousState(2)
        self.DeclareDiscreteState(1)
        bounce = {UnrestrictedUpdateEvent: self.bounce,
                  PublishEvent: self.note, DiscreteUpdateEvent: self.count}
        self.witness = self.MakeWitnessFunction(
            "height", direction
            or WitnessFunctionDirection.kPositiveThenNonPositive,
            self.height, event and event(bounce[event]))

    def DoCalcTimeDerivatives(self, context, derivatives):
        """Gravity alone."""
        velocity = context.get_continuous_state_vector()[1]
        derivatives.SetFromVector([velocity, -10.0])

    def DoGetWitnessFunctions(self, context):
        """The height."""
        return [self.witness]

    def height(self, context):
        """The witness function."""
        return context.get_continuous_state_vector()[0]

    def bounce(self, context, event, state):
        """Turns the velocity around."""
        assert isinstance(event, UnrestrictedUpdateEvent)
        self.times.append(context.get_time())
        x = state.get_mutable_continuous_state().get_mutable_vector()
        x.SetFromVector([0.0, abs(x[1])])

    def note(self, context, event):
        """Notes the time."""
        assert isinstance(event, PublishEvent)
        self.times.append(context.get_time())

    def count(self, context, event, discrete_state):
        """Counts crossings."""
        assert isinstance(event, DiscreteUpdateEvent)
        self.times.append(context.get_time())
        discrete_state.set_value([len(self.times)])


def fall(ball, until):
    """Drops a ball from 5 m at rest; it is down after 1 s."""
    simulator = Simulator(ball)
    simulator.get_mutable_context().SetContinuousState([5.0, 0.0])
    simulator.get_mutable_integrator().set_target_accuracy(1e-9)
    simulator.AdvanceTo(until)
    return simulator.get_context()


def test_a_witness_function_finds_the_moment():
    for event in (DiscreteUpdateEvent, PublishEvent):
        ball = Ball(event)
        context = fall(ball, 1.5)
        assert ball.times == [pytest.approx(1.0, abs=1e-6)]
        if event is DiscreteUpdateEvent:
            assert context.get_discrete_state_vector().value() == [1.0]


def test_a_witness_function_changes_the_state():
    ball = Ball(UnrestrictedUpdateEvent)
    context = fall(ball, 4.0)
    # From 5 m each bounce takes 2 s: it is at the top again after 2 and 4 s.
    assert ball.times == [pytest.approx(1.0, abs=1e-6),
                          pytest.approx(3.0, abs=1e-6)]
    assert context.get_continuous_state_vector()[0] == pytest.approx(
        5.0, abs=1e-5)


def test_a_direction_leaves_crossings_out():
    ball = Ball(PublishEvent, WitnessFunctionDirection.kNegativeThenNonNegative)
    fall(ball, 1.5)
    assert ball.times == []
    assert ball.witness.description() == "height"


def test_wrong_witness_functions_are_errors():
    class Returns(Ball):
        def __init__(self, value):
            super().__init__(PublishEvent)
            self.value = value

        def DoGetWitnessFunctions(self, context):
            return self.value

    others = Ball().witness
    for value in (3, [3], [None], [others], None):
        with pytest.raises(TypeError):
            fall(Returns(value), 1.5)

    class Text(Ball):
        def height(self, context):
            return "high"

    with pytest.raises(TypeError, match="must return a number"):
        fall(Text(), 1.5)

    class Fails(Ball):
        def height(self, context):
            raise ArithmeticError("no height")

    with pytest.raises(ArithmeticError, match="no height") as caught:
        fall(Fails(), 1.5)
    assert "witness function" in "\n".join(caught.value.__notes__)
    for calc in (None, 3):
        with pytest.raises(TypeError, match="function"):
            LeafSystem().MakeWitnessFunction(
                "w", WitnessFunctionDirection.kCrossesZero, calc)


def test_a_block_with_a_witness_function_is_freed():
    ball = Ball()
    fall(ball, 1.5)
    gone = weakref.ref(ball)
    del ball
    import gc
    gc.collect()
    assert gone() is None


def test_a_source_feeds_a_function_by_name():
    @wyvern.controller
    def double(x):
        return 2 * x

    builder = DiagramBuilder()
    builder.AddNamedSystem("one", ConstantVectorSource([1.5]))
    block = builder.AddNamedSystem("double", double())
    builder.connect("one", "double")
    diagram = builder.Build()
    context = block.GetMyContextFromRoot(diagram.CreateDefaultContext())
    assert block.get_output_port().Eval(context) == [3.0]
