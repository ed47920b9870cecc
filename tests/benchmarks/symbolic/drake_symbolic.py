"""The cases of symbolic_benchmark.cc in Drake, by pydrake: best processor times
in microseconds. Each call is long enough that Python's part is small, but for
the acrobot's evaluation, whose environment Python hands over.

  python3 tests/benchmarks/symbolic/drake_symbolic.py
"""

import time

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RevoluteJoint, SpatialInertia
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
    symbolic = plant.ToSymbolic()
    context = symbolic.CreateDefaultContext()
    x = MakeVectorContinuousVariable(4, "x")
    as_expressions = np.array([Expression(v) for v in x])

    def build():
        # As new, so that nothing comes from the cache.
        symbolic.SetPositionsAndVelocities(context, as_expressions)
        return np.hstack([symbolic.CalcMassMatrix(context).ravel(),
                          symbolic.CalcBiasTerm(context)])

    terms = build()
    values = {x[i]: 0.1 * (i + 1) for i in range(4)}
    column = terms.reshape(-1, 1)
    yield "AcrobotBuild", build
    yield "AcrobotDifferentiate", lambda: Jacobian(terms, x)
    yield "AcrobotEvaluate", lambda: Evaluate(column, values)


def _fixed(name, body, X):
    from pydrake.multibody.tree import FixedOffsetFrame
    return FixedOffsetFrame(name, body.body_frame(), X)


if __name__ == "__main__":
    for cases in (polynomial, acrobot):
        for name, function in cases():
            print(f"{name}\t{best(function):.3f}")
