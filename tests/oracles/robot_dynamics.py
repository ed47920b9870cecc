"""Figures of Drake's dynamics of whole robots: writes robot_dynamics.txt, which
tests/multibody/parsing/robot_dynamics_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/robot_dynamics.py MODELS_DIR

Of each robot: a line `robot path base body`, then blocks `name rows cols` with
the rows on the lines that follow. `base` is the link that is welded to the
world, or `-` for a free one, and `body` the one that J and Jdot_v are of, at
(0.1, -0.2, 0.3) in it. Velocities are in this order: a free base's w and v, then
those of the joints with one degree of freedom by their number in the file.

State: joint number k of those is at 0.4 sin(k + 1) and moves at cos(2 k), a
free base has the quaternion (0.8, 0.2, -0.4, 0.4) and is at (0.3, -0.2, 0.9)
with w = (0.5, -0.3, 0.7) and v = (-0.2, 0.4, 0.1). tau number i is
5 sin(3 i + 1).
"""

import logging
import math
import pathlib
import sys

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JacobianWrtVariable

logging.getLogger("drake").setLevel(logging.ERROR)

ROBOTS = [
    ("own", "humanoid.urdf", "-", "left_hand"),
    ("other", "iiwa_description/urdf/iiwa14_no_collision.urdf", "base",
     "iiwa_link_7"),
    ("other", "atlas/atlas_minimal_contact.urdf", "-", "l_foot"),
]


def write(file, name, matrix):
    matrix = np.atleast_2d(matrix)
    print(name, *matrix.shape, file=file)
    for row in matrix:
        print(*(f"{x:.17g}" for x in row), file=file)


def figures(file, path, base, body_name):
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    joints = [plant.get_joint(i) for i in plant.GetJointIndices()]
    if base != "-":
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(base))
    plant.Finalize()
    joints = [j for j in joints if j.num_velocities() == 1]
    context = plant.CreateDefaultContext()
    q = plant.GetPositions(context)
    v = plant.GetVelocities(context)
    order = []
    for b in plant.GetFloatingBaseBodies():
        body = plant.get_body(b)
        first = body.floating_positions_start()
        q[first:first + 7] = [0.8, 0.2, -0.4, 0.4, 0.3, -0.2, 0.9]
        first = body.floating_velocities_start_in_v()
        v[first:first + 6] = [0.5, -0.3, 0.7, -0.2, 0.4, 0.1]
        order += list(range(first, first + 6))
    for k, joint in enumerate(joints):
        q[joint.position_start()] = 0.4 * math.sin(k + 1)
        v[joint.velocity_start()] = math.cos(2 * k)
        order.append(joint.velocity_start())
    assert len(order) == plant.num_velocities()
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    M = plant.CalcMassMatrix(context)
    Cv = plant.CalcBiasTerm(context)
    tau_g = plant.CalcGravityGeneralizedForces(context)
    tau = np.zeros(len(order))
    tau[order] = [5 * math.sin(3 * i + 1) for i in range(len(order))]
    frame = plant.GetFrameByName(body_name)
    args = (context, JacobianWrtVariable.kV, frame, [0.1, -0.2, 0.3],
            plant.world_frame(), plant.world_frame())
    J = plant.CalcJacobianSpatialVelocity(*args)
    bias = plant.CalcBiasSpatialAcceleration(*args)
    write(file, "M", M[np.ix_(order, order)])
    write(file, "Cv", Cv[order])
    write(file, "tau_g", tau_g[order])
    write(file, "vdot", np.linalg.solve(M, tau + tau_g - Cv)[order])
    write(file, "J", J[:, order])
    write(file, "Jdot_v", bias.get_coeffs())
    write(file, "energy", [plant.CalcKineticEnergy(context),
                           plant.CalcPotentialEnergy(context)])


def main():
    root = pathlib.Path(__file__).parents[2]
    folders = {"own": root / "examples/models", "other": pathlib.Path(sys.argv[1])}
    with pathlib.Path(__file__).with_name("robot_dynamics.txt").open("w") as file:
        for folder, path, base, body in ROBOTS:
            print("robot", folder, path, base, body, file=file)
            figures(file, folders[folder] / path, base, body)


main()
