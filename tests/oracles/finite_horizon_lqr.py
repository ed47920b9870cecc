"""Figures of a finite-horizon regulator from Drake, for
tests/systems/controllers/finite_horizon_linear_quadratic_regulator_test.cc:

    python3 finite_horizon_lqr.py > finite_horizon_lqr.txt

The plant is a pendulum, x1' = x2, x2' = -sin x1 - 0.2 x2 + u, around a motion
x0 that is no solution, with a goal xd, ud apart from it. Lines of the output:
t, then K (2), S (4, column by column), k0, sx (2), s0.
"""
import numpy as np
from pydrake.symbolic import Variable, sin
from pydrake.systems.controllers import (
    FiniteHorizonLinearQuadraticRegulator,
    FiniteHorizonLinearQuadraticRegulatorOptions,
)
from pydrake.systems.primitives import SymbolicVectorSystem
from pydrake.trajectories import PiecewisePolynomial

x = [Variable("x1"), Variable("x2")]
u = Variable("u")
plant = SymbolicVectorSystem(
    state=x, input=[u], dynamics=[x[1], -sin(x[0]) - 0.2 * x[1] + u], output=x
)
context = plant.CreateDefaultContext()
plant.get_input_port().FixValue(context, [0.0])

times = [0.0, 2.0]
options = FiniteHorizonLinearQuadraticRegulatorOptions()
options.Qf = np.diag([5.0, 2.0])
options.N = np.array([[0.1], [-0.2]])
options.x0 = PiecewisePolynomial.FirstOrderHold(
    times, np.array([[0.5, 1.5], [0.3, -0.3]])
)
options.u0 = PiecewisePolynomial.FirstOrderHold(times, np.array([[0.1, 0.5]]))
options.xd = PiecewisePolynomial.FirstOrderHold(
    times, np.array([[1.0, 1.0], [0.0, 0.5]])
)
options.ud = PiecewisePolynomial.FirstOrderHold(times, np.array([[0.2, -0.2]]))
options.simulator_config.accuracy = 1e-10
options.simulator_config.max_step_size = 1e-3
Q = np.array([[2.0, 0.3], [0.3, 1.0]])
R = np.array([[0.5]])

law = FiniteHorizonLinearQuadraticRegulator(
    plant, context, times[0], times[1], Q, R, options
)
for t in [0.0, 0.7, 1.3, 2.0]:
    row = [t]
    for part in (law.K, law.S, law.k0, law.sx, law.s0):
        row += list(part.value(t).flatten(order="F"))
    print(" ".join(f"{value:.12g}" for value in row))
