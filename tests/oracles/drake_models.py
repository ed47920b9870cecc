"""Figures of Drake's parser for the URDF and SDFormat models in
tests/multibody/parsing/models and in another folder, with their shapes: writes
drake_own_models.txt and drake_models.txt, which
tests/multibody/parsing/drake_models_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/drake_models.py MODELS_DIR

A row, for each *.urdf and *.sdf in a folder:
  path instances bodies joints actuators positions velocities collisions mass
  kinetic potential
All but `joints`, the number before Finalize(), are after it; `instances` and
`bodies` count the world, and `instances` the default one. Positions are the
default ones, but 0.1 + 0.05 k for each joint number k, in the order of the
file, that has one degree of freedom; its velocity is 1 - 0.07 k, others are 0.
"""

import logging
import pathlib
import sys

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
from pydrake.systems.framework import DiagramBuilder

logging.getLogger("drake").setLevel(logging.ERROR)


def figures(path, models):
    plant, _ = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.001)
    parser = Parser(plant)
    packages = parser.package_map()
    for name in packages.GetPackageNames():
        packages.Remove(name)
    packages.PopulateFromFolder(str(models))
    parser.AddModels(str(path))
    joints = [plant.get_joint(i) for i in plant.GetJointIndices()]
    num_joints = len(joints)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    q = plant.GetPositions(context)
    v = plant.GetVelocities(context)
    for k, joint in enumerate(joints):
        if joint.num_velocities() == 1:
            q[joint.position_start()] = 0.1 + 0.05 * k
            v[joint.velocity_start()] = 1 - 0.07 * k
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    return [
        plant.num_model_instances(), plant.num_bodies(), num_joints,
        plant.num_actuators(), plant.num_positions(), plant.num_velocities(),
        plant.num_collision_geometries(), plant.CalcTotalMass(context),
        plant.EvalKineticEnergy(context), plant.EvalPotentialEnergy(context)]


def write(models, name):
    out = pathlib.Path(__file__).with_name(name)
    paths = [*models.rglob("*.urdf"), *models.rglob("*.sdf")]
    with out.open("w") as file:
        for path in sorted(paths):
            try:
                row = [f"{x:.15g}" for x in figures(path, models)]
            except RuntimeError as error:
                print(path, error, file=sys.stderr)
                continue
            print(path.relative_to(models).as_posix(), *row, file=file)


def main():
    own = pathlib.Path(__file__).parents[1] / "multibody/parsing/models"
    write(own, "drake_own_models.txt")
    write(pathlib.Path(sys.argv[1]), "drake_models.txt")


if __name__ == "__main__":
    main()
