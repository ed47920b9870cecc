"""The cases of symbolic_benchmark.cc in Drake, by pydrake: best processor times
in microseconds. Each call is long enough that Python's part is small, but for
evaluation of equations, whose environment Python hands over.

  python3 tests/benchmarks/symbolic/drake_symbolic.py
"""

import time

import numpy as np
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (RevoluteJoint, RotationalInertia,
                                    SpatialInertia)
from pydrake.symbolic import (Evaluate, Expression, Jacobian,
                              MakeVectorContinuousVariable, Polynomial)


def best(function, seconds=1.0):
    """The least of many runs, in microseconds."""
    least, end = np.inf, time.process_time() + seconds
    while time.process_time() < end:
        start = time.process_time_ns()
        function()
        least = min(least, (time.process_time_ns() - start) * 1e-3)
    return least


def polynomial():
    x = MakeVectorContinuousVariable(4, "x")
    base = Expression(1)
    for i in range(4):
        base += (i + 1) * x[i]
    power = base ** 8
    expanded = power.Expand()
    values = {x[i]: 0.1 * (i + 1) for i in range(4)}
    yield "PolynomialExpand", lambda: power.Expand()
    yield "PolynomialDifferentiate", lambda: expanded.Differentiate(x[0])
    yield "PolynomialEvaluate", lambda: expanded.Evaluate(values)
    yield "PolynomialDecompose", lambda: Polynomial(expanded)


def acrobot():
    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia.SolidSphereWithMass(1.0, 0.5)
    upper = plant.AddRigidBody("upper", inertia)
    lower = plant.AddRigidBody("lower", inertia)
    y = np.array([0.0, 1, 0])
    plant.AddJoint(RevoluteJoint("shoulder", plant.world_frame(),
                                 upper.body_frame(), y))
    knee = plant.AddFrame(_fixed("knee", upper, RigidTransform([0, 0, -1])))
    plant.AddJoint(RevoluteJoint("elbow", knee, lower.body_frame(), y))
    plant.Finalize()
    yield from equations("Acrobot", plant)


def arm():
    """The first four joints of the iiwa 14, as MakeIiwa14() of the benchmarks
    has them: position, roll, pitch and yaw in quarter turns, mass, centre of
    mass, central moments of inertia."""
    links = [
        ([0, 0, 0.1575], [0, 0, 0], 5.76, [0, -0.03, 0.12],
         [.033, .0333, .0123]),
        ([0, 0, 0.2025], [1, 0, 2], 6.35, [0, 0.059, 0.042],
         [.0305, .0304, .011]),
        ([0, 0.2045, 0], [1, 0, 2], 3.5, [0, 0.03, 0.13],
         [.025, .0238, .0076]),
        ([0, 0, 0.2155], [1, 0, 0], 3.5, [0, 0.067, 0.034],
         [.017, .0164, .006])]
    plant = MultibodyPlant(0.0)
    parent = plant.world_body()
    for i, (position, turns, mass, com, moments) in enumerate(links):
        inertia = SpatialInertia.MakeFromCentralInertia(
            mass, com, RotationalInertia(*moments))
        link = plant.AddRigidBody(f"b{i}", inertia)
        X = RigidTransform(RollPitchYaw(np.array(turns) * np.pi / 2), position)
        at = plant.AddFrame(_fixed(f"at{i}", parent, X))
        plant.AddJoint(RevoluteJoint(f"j{i}", at, link.body_frame(),
                                     np.array([0.0, 0, 1])))
        parent = link
    plant.Finalize()
    yield from equations("Arm4", plant)


def equations(robot, plant):
    """M and C v, by q and v."""
    symbolic = plant.ToSymbolic()
    context = symbolic.CreateDefaultContext()
    n = 2 * plant.num_velocities()
    x = MakeVectorContinuousVariable(n, "x")
    as_expressions = np.array([Expression(v) for v in x])

    def build():
        # As new, so that nothing comes from the cache.
        symbolic.SetPositionsAndVelocities(context, as_expressions)
        return np.hstack([symbolic.CalcMassMatrix(context).ravel(),
                          symbolic.CalcBiasTerm(context)])

    terms = build()
    values = {x[i]: 0.1 * (i + 1) for i in range(n)}
    column = terms.reshape(-1, 1)
    yield robot + "Build", build
    if robot == "Acrobot":
        yield robot + "Differentiate", lambda: Jacobian(terms, x)
    else:
        # By all of x it does not end within ten minutes.
        last = x[[n // 2 - 1, n - 1]]
        yield (robot + "DifferentiateByLast",
               lambda: Jacobian(terms, last))
    yield robot + "Evaluate", lambda: Evaluate(column, values)


def _fixed(name, body, X):
    from pydrake.multibody.tree import FixedOffsetFrame
    return FixedOffsetFrame(name, body.body_frame(), X)


if __name__ == "__main__":
    for cases in (polynomial, acrobot, arm):
        for name, function in cases():
            print(f"{name}\t{best(function):.3f}")
