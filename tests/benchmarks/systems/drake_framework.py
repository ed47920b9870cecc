"""Times Drake's diagrams that framework_benchmark.cc has too.

Prints a line per case: its name and nanoseconds of processor time per step, so
that a busy machine matters little. Needs pydrake
(pip install 'drake<1.52').
"""

import time

import numpy as np
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import (Adder, AffineSystem,
                                        ConstantVectorSource,
                                        DiscreteTimeDelay, Gain, Integrator,
                                        Saturation, ZeroOrderHold)


def seconds_per_step(simulator, steps_per_second, seconds):
    simulator.Initialize()
    t = min(1.0, seconds)
    simulator.AdvanceTo(t)
    best = float("inf")
    for _ in range(7):
        start = time.process_time()
        t += seconds
        simulator.AdvanceTo(t)
        best = min(best, time.process_time() - start)
    return best / (seconds * steps_per_second)


def discrete_counter():
    one = np.ones((1, 1))
    none = np.zeros((1, 0))
    counter = AffineSystem(one, none, np.ones(1), one, none, np.zeros(1), 0.001)
    return seconds_per_step(Simulator(counter), 1000, 20)


def chain(builder, last, count, first_gain=1.0):
    for i in range(count):
        gain = builder.AddSystem(Gain(first_gain if i == 0 else 1.0, 1))
        builder.Connect(last.get_output_port(), gain.get_input_port())
        last = gain
    return last


def gain_cascade():
    builder = DiagramBuilder()
    integrator = builder.AddSystem(Integrator(1))
    last = chain(builder, integrator, 50, -1.0)
    builder.Connect(last.get_output_port(), integrator.get_input_port())
    simulator = Simulator(builder.Build())
    simulator.get_mutable_context().SetContinuousState([1.0])
    simulator.get_mutable_integrator().set_fixed_step_mode(True)
    simulator.get_mutable_integrator().set_maximum_step_size(0.01)
    return seconds_per_step(simulator, 100, 20)


def five_rates():
    periods = [0.001, 0.002, 0.005, 0.01, 0.02]
    builder = DiagramBuilder()
    last = builder.AddSystem(ConstantVectorSource([1.0]))
    for i in range(40):
        hold = builder.AddSystem(ZeroOrderHold(periods[i % 5], 1))
        builder.Connect(last.get_output_port(), hold.get_input_port())
        last = chain(builder, hold, 4)
    return seconds_per_step(Simulator(builder.Build()), 1000, 3)


def cells(blocks):
    builder = DiagramBuilder()
    last = builder.AddSystem(ConstantVectorSource([1.0]))
    for _ in range(blocks // 5):
        gain = builder.AddSystem(Gain(-0.5, 1))
        delay = builder.AddSystem(DiscreteTimeDelay(0.01, 1, 1))
        add = builder.AddSystem(Adder(2, 1))
        limit = builder.AddSystem(Saturation([-1.0], [1.0]))
        integrator = builder.AddSystem(Integrator(1))
        for one, port in ((last, gain.get_input_port()),
                          (last, delay.get_input_port()),
                          (gain, add.get_input_port(0)),
                          (delay, add.get_input_port(1)),
                          (add, limit.get_input_port()),
                          (limit, integrator.get_input_port())):
            builder.Connect(one.get_output_port(), port)
        last = integrator
    simulator = Simulator(builder.Build())
    simulator.get_mutable_integrator().set_fixed_step_mode(True)
    simulator.get_mutable_integrator().set_maximum_step_size(0.01)
    return seconds_per_step(simulator, 100, min(1, 500 / blocks))


def deep_output(depth):
    builder = DiagramBuilder()
    integrator = builder.AddSystem(Integrator(1))
    last = chain(builder, integrator, depth)
    builder.ExportInput(integrator.get_input_port())
    builder.ExportOutput(last.get_output_port())
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    port = diagram.get_output_port()
    x = np.zeros(1)
    best = float("inf")
    count = 20000
    for _ in range(7):
        start = time.process_time()
        for _ in range(count):
            x[0] += 1
            context.SetContinuousState(x)
            port.Eval(context)
        best = min(best, time.process_time() - start)
    return best / count


def main():
    print("DiscreteCounter", 1e9 * discrete_counter())
    print("GainCascade", 1e9 * gain_cascade())
    print("FiveRates", 1e9 * five_rates())
    for blocks in (100, 1000, 10000):
        print(f"Cells/{blocks}", 1e9 * cells(blocks))
    # What Python adds to a call is the same at any depth, so the difference of
    # two depths is Drake's own; scaled to 30 entries.
    print("DeepOutput/30",
          1e9 * (deep_output(30) - deep_output(1)) * 30 / 29)


if __name__ == "__main__":
    main()
