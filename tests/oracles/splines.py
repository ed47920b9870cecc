"""Prints the figures of tests/systems/trajectories/piecewise_polynomial_test.cc
("AgreesWithAnotherImplementation"), made with pydrake 1.51."""
import numpy as np
from pydrake.trajectories import PiecewisePolynomial as P

b = [0.0, 0.5, 1.5, 1.8, 3.0]
y = np.array([[0.0, 1.0, 0.5, 0.7, 2.0], [1.0, 2.0, 4.0, 3.0, -1.0]])
start = np.array([[1.0], [-2.0]])
end = np.array([[0.5], [3.0]])
spline = P.CubicWithContinuousSecondDerivatives
for name, trajectory in [
    ("shape preserving", P.CubicShapePreserving(b, y)),
    ("shape preserving, zero ends", P.CubicShapePreserving(b, y, True)),
    ("not a knot", spline(b, y)),
    ("periodic", spline(b, y, True)),
    ("clamped", spline(b, y, start, end)),
]:
    values = [trajectory.value(t)[:, 0] for t in (0.1, 0.9, 1.6, 2.9)]
    print(name, [[float(v) for v in row] for row in np.array(values).T])
