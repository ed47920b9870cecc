"""Trajectories through samples, and a source that follows one."""
import numpy as np
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import TrajectorySource
from pydrake.trajectories import PiecewisePolynomial


def run(models):
    """Returns values and derivatives of each kind."""
    breaks = [0.0, 0.5, 1.25, 2.0]
    samples = np.array([[0.0, 1.0, -0.5, 2.0], [1.0, 1.5, 1.0, 0.0]])
    rates = np.array([[0.0, 0.5, 0.0, -1.0], [1.0, 0.0, 0.5, 0.0]])
    paths = [
        PiecewisePolynomial.ZeroOrderHold(breaks, samples),
        PiecewisePolynomial.FirstOrderHold(breaks, samples),
        PiecewisePolynomial.CubicHermite(breaks, samples, rates),
        PiecewisePolynomial.CubicShapePreserving(breaks, samples, False),
        PiecewisePolynomial.CubicWithContinuousSecondDerivatives(
            breaks, samples, [0.0, 0.0], [0.0, 0.0]),
        PiecewisePolynomial(np.array([[1.0], [2.0]]))]
    parts = []
    for path in paths:
        for t in (0.1, 0.7, 1.9):
            parts += [path.value(t), path.EvalDerivative(t, 1)]
        parts += [[path.rows(), path.cols()]]
    for path in paths[:5]:
        parts += [[path.start_time(), path.end_time(),
                   path.get_number_of_segments()], path.get_segment_times(),
                  path.derivative(1).value(0.3)]
    builder = DiagramBuilder()
    source = builder.AddSystem(TrajectorySource(
        trajectory=paths[2], output_derivative_order=1,
        zero_derivatives_beyond_limits=True))
    builder.Build()
    context = source.CreateDefaultContext()
    for t in (0.2, 1.0, 5.0):
        context.SetTime(t)
        parts.append(source.get_output_port().Eval(context))
    return [float(x) for part in parts for x in np.ravel(part)]
