"""Threads that still simulate when the interpreter ends do no harm."""
import os
import subprocess
import sys

import pytest

# Daemon threads run work() when the main thread ends. The interpreter then
# clears this module: the last object sleeps meanwhile, so that the threads come
# back for the lock while Python ends.
CHILD = """
import sys
import threading
import time

import numpy as np
import wyvern
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import (
    DiagramBuilder, LeafSystem, WitnessFunctionDirection)
from wyvern.systems.primitives import Integrator, LogVectorOutput

started = threading.Semaphore(0)


def advance(system, max_step=1e-6, monitor=None):
    context = system.CreateDefaultContext()
    for i in range(system.num_input_ports()):
        system.get_input_port(i).FixValue(context, [1.0])
    simulator = Simulator(system, context)
    simulator.get_mutable_integrator().set_maximum_step_size(max_step)
    simulator.set_monitor(monitor)
    started.release()
    simulator.AdvanceTo(1e6)


class Block(LeafSystem):
    def __init__(self, where):
        super().__init__()
        self.where = where
        self.DeclareContinuousState(1)
        self.DeclareDiscreteState(1)
        self.DeclareVectorOutputPort("y", 1, self.output)
        self.DeclareAbstractOutputPort("z", dict, self.abstract)
        self.DeclarePeriodicDiscreteUpdateEvent(1e-3, 0.0, self.update)
        self.DeclarePerStepPublishEvent(self.publish)
        self.witness = self.MakeWitnessFunction(
            "w", WitnessFunctionDirection.kCrossesZero, self.watch)

    def nap(self, where):
        if where == self.where:
            time.sleep(0.002)

    def DoCalcTimeDerivatives(self, context, derivatives):
        self.nap("derivatives")
        derivatives.SetFromVector([1.0])

    def DoGetWitnessFunctions(self, context):
        self.nap("witnesses")
        return [self.witness]

    def watch(self, context):
        self.nap("witness")
        return 1.0

    def output(self, context, output):
        self.nap("output")
        output.SetFromVector([0.0])

    def abstract(self, context):
        return {}

    def update(self, context, discrete_state):
        self.nap("update")

    def publish(self, context):
        self.nap("publish")
        self.get_output_port(0).Eval(context)
        self.get_output_port(1).Eval(context)


def compute(context):
    for _ in range(10000):
        pass


def work(where):
    if where == "plain":
        advance(Integrator(1))
    elif where == "monitor":
        advance(Integrator(1), 1e-3, lambda context: time.sleep(0.002))
    elif where == "monitor that computes":
        advance(Integrator(1), 1e-3, compute)
    elif where == "inner run":
        advance(Integrator(1), 1e-3, lambda context: advance(Integrator(1)))
    elif where == "scenario":
        scenario = wyvern.load_scenario("pendulum_sensors.yaml")
        started.release()
        scenario.run(until=1e5)
    elif where == "sweep":
        scenario = wyvern.load_scenario("pendulum_sensors.yaml")
        started.release()
        scenario.sweep({"simulation_duration": [1e5, 2e5]}, jobs=1,
                       progress=lambda *numbers: time.sleep(0.002))
    else:
        advance(Block(where), 1e-3)


class Last:
    def __init__(self):
        self.sleep = time.sleep

    def __del__(self):
        self.sleep(0.3)


np.zeros(1)
# Only one sweep runs at a time.
for _ in range(1 if sys.argv[1] == "sweep" else 2):
    threading.Thread(target=work, args=(sys.argv[1],), daemon=True).start()
    assert started.acquire(timeout=60)
time.sleep(0.2)
last = Last()
"""


@pytest.mark.parametrize("where", [
    "plain", "monitor", "monitor that computes", "inner run", "scenario",
    "sweep", "derivatives", "witnesses", "witness", "output", "update",
    "publish"])
def test_an_interpreter_ends_while_threads_simulate(where, tmp_path):
    shown = subprocess.run(
        [sys.executable, "-c", CHILD, where], cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True,
        text=True, timeout=120, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")
