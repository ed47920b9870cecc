"""A sine through saturation, filter, hold, delay and gain."""
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import (
    DiscreteTimeDelay, FirstOrderLowPassFilter, Gain, LogVectorOutput,
    PassThrough, Saturation, Sine, ZeroOrderHold)


def run(models):
    """Returns the samples of each block."""
    builder = DiagramBuilder()
    sine = builder.AddSystem(Sine(
        amplitude=2.0, frequency=3.0, phase=0.4, size=1, is_time_based=True))
    chain = [
        builder.AddSystem(PassThrough(1)),
        builder.AddSystem(Saturation(min_value=[-1.2], max_value=[1.7])),
        builder.AddSystem(FirstOrderLowPassFilter(time_constant=0.2, size=1)),
        builder.AddSystem(ZeroOrderHold(period_sec=0.125, vector_size=1)),
        builder.AddSystem(DiscreteTimeDelay(
            update_sec=0.125, delay_time_steps=3, vector_size=1)),
        builder.AddSystem(Gain(k=-2.5, size=1))]
    source = sine.get_output_port(0)
    logs = []
    for block in chain:
        builder.Connect(source, block.get_input_port(0))
        source = block.get_output_port(0)
        # Between the updates, where both agree on what is sampled.
        logs.append(LogVectorOutput(source, builder, 0.25))
    diagram = builder.Build()
    simulator = Simulator(diagram)
    integrator = simulator.get_mutable_integrator()
    integrator.set_maximum_step_size(2**-7)
    integrator.set_fixed_step_mode(True)
    simulator.AdvanceTo(2.0)
    root = simulator.get_context()
    return [float(x) for log in logs for x in log.FindLog(root).data()[0]]
