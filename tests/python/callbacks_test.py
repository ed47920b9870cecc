"""Blocks in Python: their twins in C++, exceptions, Ctrl-C, threads."""
import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import (
    BasicVector, DiagramBuilder, EventStatus, LeafSystem)
from wyvern.systems.primitives import (
    Adder, ConstantVectorSource, Gain, Integrator, LogVectorOutput, Sine,
    ZeroOrderHold)


class PyIntegrator(LeafSystem):
    """The twin of Integrator."""

    def __init__(self, size):
        super().__init__()
        self.u = self.DeclareVectorInputPort("u", size)
        self.DeclareContinuousState(BasicVector(np.zeros(size)))
        self.DeclareVectorOutputPort(
            "y", size, self.calc, prerequisites_of_calc={self.xc_ticket()})

    def DoCalcTimeDerivatives(self, context, derivatives):
        """The derivative is the input."""
        derivatives.SetFromVector(self.u.Eval(context))

    def calc(self, context, output):
        """Shows the state."""
        output.SetFromVector(
            context.get_continuous_state_vector().CopyToVector())


class PyGain(LeafSystem):
    """The twin of Gain."""

    def __init__(self, k, size):
        super().__init__()
        self.k = k
        self.u = self.DeclareVectorInputPort("u", size)
        self.DeclareVectorOutputPort("y", size, self.calc)

    def calc(self, context, output):
        """k u."""
        output.get_mutable_value()[:] = self.k * self.u.Eval(context)


class PyHold(LeafSystem):
    """The twin of ZeroOrderHold."""

    def __init__(self, period, size):
        super().__init__()
        self.u = self.DeclareVectorInputPort("u", size)
        index = self.DeclareDiscreteState(size)
        self.DeclareStateOutputPort("y", index)
        self.DeclarePeriodicDiscreteUpdateEvent(period, 0.0, self.update)

    def update(self, context, discrete_state):
        """Samples the input."""
        discrete_state.set_value(self.u.Eval(context))


def loop(integrator, gain, hold):
    """x' = -2 (x held) + sin 3t; returns all samples of x."""
    builder = DiagramBuilder()
    sine = builder.AddSystem(Sine(1.0, 3.0, 0.2, 2))
    builder.AddNamedSystem("x", integrator)
    builder.AddNamedSystem("k", gain)
    builder.AddNamedSystem("hold", hold)
    add = builder.AddSystem(Adder("+-", 2))
    builder.connect("x", "hold")
    builder.connect("hold", "k")
    builder.connect(sine.get_output_port(0), add.get_input_port(0))
    builder.connect("k", add.get_input_port(1))
    builder.connect(add, "x")
    log = LogVectorOutput(integrator.get_output_port(), builder)
    simulator = Simulator(builder.Build())
    simulator.AdvanceTo(2.5)
    result = log.FindLog(simulator.get_context())
    return np.vstack([result.sample_times(), result.data()])


def test_blocks_of_python_are_their_twins_bit_for_bit():
    ours = loop(PyIntegrator(2), PyGain(2.0, 2), PyHold(0.1, 2))
    theirs = loop(Integrator(2), Gain(2.0, 2), ZeroOrderHold(0.1, 2))
    assert ours.shape[1] > 25
    assert np.array_equal(ours, theirs)


class LoadError(Exception):
    """An exception of the user."""


class Broken(LeafSystem):
    """Fails in one of its callbacks, from a time on."""

    def __init__(self, where, error, start=0.25):
        super().__init__()
        self.where, self.error, self.start = where, error, start
        self.DeclareContinuousState(1)
        self.DeclareDiscreteState(1)
        self.DeclareVectorOutputPort("y", 1, self.output)
        self.DeclarePeriodicDiscreteUpdateEvent(0.1, 0.0, self.discrete)
        self.DeclarePeriodicPublishEvent(0.1, 0.0, self.publish)
        self.DeclarePerStepPublishEvent(self.per_step)
        self.DeclareInitializationPublishEvent(self.initialization)
        self.DeclarePeriodicUnrestrictedUpdateEvent(
            0.1, 0.0, self.unrestricted)

    def fail(self, where, context):
        if where == self.where and context.get_time() >= self.start:
            raise self.error()

    def output(self, context, output):
        self.fail("output", context)
        output.SetFromVector([0.0])

    def DoCalcTimeDerivatives(self, context, derivatives):
        self.fail("derivatives", context)
        derivatives.SetFromVector([1.0])

    def discrete(self, context, discrete_state):
        self.fail("discrete", context)
        discrete_state.set_value([context.get_time()])

    def unrestricted(self, context, state):
        self.fail("unrestricted", context)

    def publish(self, context):
        self.fail("publish", context)

    def per_step(self, context):
        self.fail("per_step", context)

    def initialization(self, context):
        self.fail("initialization", context)


@pytest.mark.parametrize("where", [
    "output", "derivatives", "discrete", "unrestricted", "publish", "per_step"])
def test_an_exception_in_a_callback_ends_the_step(where):
    builder = DiagramBuilder()
    broken = builder.AddNamedSystem("broken", Broken(
        where, lambda: LoadError("the load is zero")))
    LogVectorOutput(broken.get_output_port(), builder, 0.1)
    simulator = Simulator(builder.Build())
    with pytest.raises(LoadError, match="the load is zero") as caught:
        simulator.AdvanceTo(1.0)
    note = "\n".join(caught.value.__notes__)
    assert "broken" in note and "Broken" in note and "time 0." in note
    assert "fail" in [entry.name for entry in caught.traceback]
    # The state is that of the last moment, and the run goes on from there.
    assert simulator.get_context().get_time() <= 0.3 + 1e-9
    broken.where = None
    simulator.AdvanceTo(1.0)
    assert simulator.get_context().get_time() == 1.0


def test_nothing_is_left_of_a_run_that_failed():
    code = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        import callbacks_test as tests
        for where in ("output", "derivatives", "discrete", "publish"):
            tests.test_an_exception_in_a_callback_ends_the_step(where)
        tests.test_a_cached_failure_is_raised_each_time()
        tests.test_blocks_of_python_are_their_twins_bit_for_bit()
        tests.gc.collect()
        """
    shown = subprocess.run(
        [sys.executable, "-c", code, os.path.dirname(__file__)],
        env={**os.environ, "WYVERN_PYTHON_LEAKS": "1"}, capture_output=True,
        text=True, timeout=300, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_an_exception_at_the_start_is_raised_by_initialize():
    simulator = Simulator(Broken("initialization", lambda: KeyError("k"), 0.0))
    for _ in range(2):
        with pytest.raises(KeyError):
            simulator.Initialize()


def test_a_cached_failure_is_raised_each_time():
    broken = Broken("output", lambda: ValueError("v"), 0.0)
    context = broken.CreateDefaultContext()
    for _ in range(3):
        with pytest.raises(ValueError, match="v"):
            broken.get_output_port().Eval(context)


def test_a_handler_ends_the_run_or_lets_it_fail():
    class Stops(LeafSystem):
        def __init__(self, status):
            super().__init__()
            self.status = status
            self.DeclarePerStepPublishEvent(self.look)

        def look(self, context):
            if context.get_time() > 0.15:
                return self.status(self, "enough")
            return EventStatus.DidNothing()

    def run(status):
        builder = DiagramBuilder()
        builder.AddSystem(Stops(status))
        builder.AddSystem(Integrator(1))
        builder.AddSystem(Sine(1.0, 1.0, 0.0, 1))
        systems = builder.GetSystems()
        builder.connect(systems[2].get_output_port(0), systems[1])
        simulator = Simulator(builder.Build())
        return simulator.AdvanceTo(5.0)

    status = run(EventStatus.ReachedTermination)
    assert not status.succeeded() and status.message() == "enough"
    assert status.return_time() < 1.0
    with pytest.raises(RuntimeError, match="enough"):
        run(EventStatus.Failed)


def test_a_handler_must_return_a_status():
    class Odd(LeafSystem):
        def __init__(self):
            super().__init__()
            self.DeclarePeriodicPublishEvent(0.1, 0.0, lambda context: 42)

    with pytest.raises(TypeError, match="EventStatus"):
        Simulator(Odd()).AdvanceTo(1.0)


@pytest.mark.parametrize("calc", [None, 3, "calc"])
def test_a_callback_must_be_callable(calc):
    with pytest.raises(TypeError, match="function"):
        LeafSystem().DeclareVectorOutputPort("y", 1, calc)


def test_an_output_that_is_not_set_is_an_error():
    class Lazy(LeafSystem):
        def __init__(self):
            super().__init__()
            self.DeclareVectorOutputPort("y", 1, lambda context, output:
                                         output.SetFromVector([np.nan]))

    lazy = Lazy()
    with pytest.raises(RuntimeError, match="y"):
        lazy.get_output_port().Eval(lazy.CreateDefaultContext())


def test_objects_of_python_flow_through_abstract_ports():
    class Source(LeafSystem):
        def __init__(self):
            super().__init__()
            self.DeclareAbstractOutputPort(
                "y", dict, lambda context: {"t": context.get_time()})

    class Target(LeafSystem):
        def __init__(self):
            super().__init__()
            self.u = self.DeclareAbstractInputPort("u")

    builder = DiagramBuilder()
    source, target = builder.AddSystem(Source()), builder.AddSystem(Target())
    builder.connect(source, target)
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    context.SetTime(0.5)
    mine = target.GetMyContextFromRoot(context)
    assert target.u.Eval(mine) == {"t": 0.5}


def test_a_monitor_sees_each_step_and_ends_the_run():
    simulator = ramp(0.1)
    times = []

    def monitor(context):
        times.append(context.get_time())
        if len(times) == 3:
            return EventStatus.ReachedTermination(None, "three")
        return None

    simulator.set_monitor(monitor)
    assert simulator.AdvanceTo(1.0).message() == "three"
    assert len(times) == 3

    def fails(context):
        raise LookupError("monitor")

    simulator.set_monitor(fails)
    with pytest.raises(LookupError):
        simulator.AdvanceTo(5.0)
    with pytest.raises(TypeError):
        simulator.set_monitor(3)
    simulator.clear_monitor()
    simulator.AdvanceTo(5.0)


def test_a_simulator_does_not_run_within_itself():
    simulator = Simulator(ConstantVectorSource([1.0]))
    for call in (lambda: simulator.AdvanceTo(9.0), simulator.Initialize,
                 lambda: simulator.reset_context(simulator.get_context())):
        simulator.set_monitor(lambda context: call())
        with pytest.raises(RuntimeError, match="while this Simulator runs"):
            simulator.AdvanceTo(simulator.get_context().get_time() + 1.0)


def ramp(max_step):
    """A simulation of x' = 1 with steps of at most so many seconds."""
    integrator = Integrator(1)
    context = integrator.CreateDefaultContext()
    integrator.get_input_port().FixValue(context, [1.0])
    simulator = Simulator(integrator, context)
    simulator.get_mutable_integrator().set_maximum_step_size(max_step)
    return simulator


def test_control_c_ends_a_run():
    simulator = ramp(1e-6)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        simulator.AdvanceTo(1e6)
    assert 0 < simulator.get_context().get_time() < 1e6
    assert time.monotonic() - start < 60
    timer.join()


def test_other_threads_run_meanwhile():
    simulator = ramp(1e-6)
    count = 0
    done = threading.Event()

    def work():
        simulator.AdvanceTo(simulator.get_context().get_time() + 0.2)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 3
    assert simulator.get_context().get_time() == pytest.approx(0.2)


def test_simulations_run_in_threads_of_their_own():
    results = [None] * 4

    def work(i):
        results[i] = loop(PyIntegrator(2), PyGain(2.0, 2), PyHold(0.1, 2))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results[1:]:
        assert np.array_equal(result, results[0])
