"""Figures of Drake's URDF parser for the models in tests/multibody/parsing/models
and in another folder: writes drake_urdf_own_models.txt and drake_urdf_models.txt,
which tests/multibody/parsing/drake_models_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/drake_urdf_models.py MODELS_DIR

A row, for each *.urdf in a folder:
  path bodies joints actuators frames positions mass kinetic potential
  damping lower upper velocity acceleration effort reflected_inertia
Joints are numbered 0, 1, ... in the order of the file, before Finalize(). At
position 0.1 + 0.05 k and velocity 1 - 0.07 k of each joint number k that has
one degree of freedom, and all else at its default and at rest, `kinetic` is the
kinetic energy and `potential` that of gravity. The last seven columns are sums
over joints or actuators, of finite values only. World and gravity count.
"""

import logging
import math
import pathlib
import sys

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

logging.getLogger("drake").setLevel(logging.ERROR)


def total(values):
    return sum(v for v in values if math.isfinite(v))


def figures(path):
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    joints = [plant.get_joint(i) for i in plant.GetJointIndices()]
    counts = [plant.num_bodies(), plant.num_joints(), plant.num_actuators(),
              plant.num_frames()]
    plant.Finalize()
    context = plant.CreateDefaultContext()
    one_dof = [(k, j) for k, j in enumerate(joints) if j.num_velocities() == 1]
    q = plant.GetPositions(context)
    v = plant.GetVelocities(context)
    for k, joint in one_dof:
        q[joint.position_start()] = 0.1 + 0.05 * k
        v[joint.velocity_start()] = 1 - 0.07 * k
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    joints = [j for _, j in one_dof]
    actuators = [plant.get_joint_actuator(i)
                 for i in plant.GetJointActuatorIndices()]
    return counts + [
        plant.num_positions(), plant.CalcTotalMass(context),
        plant.EvalKineticEnergy(context), plant.EvalPotentialEnergy(context),
        total(j.default_damping_vector()[0] for j in joints),
        total(j.position_lower_limits()[0] for j in joints),
        total(j.position_upper_limits()[0] for j in joints),
        total(j.velocity_upper_limits()[0] for j in joints),
        total(j.acceleration_upper_limits()[0] for j in joints),
        total(a.effort_limit() for a in actuators),
        total(a.default_reflected_inertia() for a in actuators)]


def write(models, name):
    out = pathlib.Path(__file__).with_name(name)
    with out.open("w") as file:
        for path in sorted(models.rglob("*.urdf")):
            row = [f"{x:.15g}" for x in figures(path)]
            print(path.relative_to(models).as_posix(), *row, file=file)


def main():
    own = pathlib.Path(__file__).parents[1] / "multibody/parsing/models"
    write(own, "drake_urdf_own_models.txt")
    write(pathlib.Path(sys.argv[1]), "drake_urdf_models.txt")


if __name__ == "__main__":
    main()
