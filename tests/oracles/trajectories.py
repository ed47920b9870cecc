"""Prints the figures of tests/systems/trajectories/{piecewise_quaternion,
piecewise_polynomial_changes}_test.cc ("AgreesWithAnotherImplementation"), made
with pydrake 1.51."""
import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.trajectories import PiecewisePolynomial, PiecewiseQuaternionSlerp

samples = [[1.0, 0.0, 0.0, 0.0], [0.8, 0.6, 0.0, 0.0], [-0.5, 0.5, -0.5, 0.5]]
q = PiecewiseQuaternionSlerp([0.0, 0.5, 2.0], [Quaternion(s) for s in samples])
for t in (0.2, 0.5, 1.1, 2.0):
    print("quaternion", t, q.value(t)[:, 0].tolist())
    print("angular velocity", t, q.angular_velocity(t).tolist())

times = [0.0, 1.0, 2.0, 4.0]
p = PiecewisePolynomial.LagrangeInterpolatingPolynomial(
    times, np.array([[1.0, 0.0, 2.0, 3.0], [2.0, -1.0, 0.5, 0.0]]))
print("Lagrange", p.value(3.0)[:, 0].tolist(), p.value(0.5)[:, 0].tolist())

spline = PiecewisePolynomial.CubicWithContinuousSecondDerivatives(
    times, np.array([[1.0, 0.0, 2.0, 3.0]]))
spline.ReverseTime()
spline.ScaleTime(2.0)
spline.AppendCubicHermiteSegment(1.0, np.array([[2.0]]), np.array([[-1.0]]))
spline.AppendFirstOrderSegment(2.0, np.array([[5.0]]))
print("breaks", list(spline.get_segment_times()))
print("changed", [float(spline.value(t)[0, 0])
                  for t in (-7.0, -3.0, -0.5, 0.5, 1.5)])
