"""Deformable bodies in Drake: writes deformable_bodies.txt, which
tests/multibody/fem/peer_bodies_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/deformable_bodies.py

A bar of 0.4 m x 0.2 m x 0.2 m, of 4 x 2 x 2 bricks with six tetrahedra around
the diagonal each, E = 1e5 Pa, nu = 0.3, 1000 kg/m³. A line a vertex: scene,
material (by its number in MaterialModel), the vertex's reference position, its
position at the end. Scenes:

  cantilever  behind a wall at x = -0.199, damping 20 /s, 100 s by 0.1 s
  hanging     behind a wall at x = -0.199, gravity along x, as above
  spin        no gravity, at first w = (0, 0, 3) /s, 0.1 s by 1 ms

kNeoHookean is left out: Drake's is a fifth softer than its Young's modulus.
"""

import pathlib
import tempfile

import numpy as np
from deformable_mesh import write_mesh
from pydrake.geometry import (AddContactMaterial, GeometryInstance, Mesh,
                              ProximityProperties)
from pydrake.math import RigidTransform
from pydrake.multibody.fem import DeformableBodyConfig, MaterialModel
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph,
                                     DiscreteContactApproximation)
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

# By their numbers here, which are Drake's.
MATERIALS = [MaterialModel.kLinearCorotated, MaterialModel.kCorotated]


def run(mesh, scene, number):
    spins = scene == "spin"
    dt, end = (1e-3, 0.1) if spins else (0.1, 100)
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, dt)
    plant.set_discrete_contact_approximation(
        DiscreteContactApproximation.kLagged)
    gravity = {"cantilever": (0, 0, -9.81), "hanging": (9.81, 0, 0),
               "spin": (0, 0, 0)}[scene]
    plant.mutable_gravity_field().set_gravity_vector(np.array(gravity, float))
    model = plant.mutable_deformable_model()
    geometry = GeometryInstance(RigidTransform(), Mesh(str(mesh)), "bar")
    properties = ProximityProperties()
    AddContactMaterial(properties=properties)
    geometry.set_proximity_properties(properties)
    config = DeformableBodyConfig()
    config.set_material_model(MATERIALS[number])
    config.set_youngs_modulus(1e5)
    config.set_poissons_ratio(0.3)
    config.set_mass_density(1000)
    config.set_mass_damping_coefficient(0 if spins else 20)
    body = model.RegisterDeformableBody(geometry, config, 1)
    if not spins:
        model.SetWallBoundaryCondition(body, np.array([-0.199, 0, 0]),
                                       np.array([1.0, 0, 0]))
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(
        simulator.get_mutable_context())
    start = model.GetPositions(context, body)
    if spins:
        v = np.cross(np.array([0, 0, 3.0]), start.T).T
        model.SetVelocities(context, body, np.asfortranarray(v))
    simulator.AdvanceTo(end)
    q = model.GetPositions(context, body)
    for i in range(q.shape[1]):
        yield " ".join([scene, str(number)] +
                       [f"{x:.15g}" for x in (*start[:, i], *q[:, i])])


def main():
    here = pathlib.Path(__file__)
    with tempfile.TemporaryDirectory() as folder:
        mesh = pathlib.Path(folder) / "bar.vtk"
        write_mesh(mesh)
        lines = [line for scene in ("cantilever", "hanging", "spin")
                 for number in range(len(MATERIALS))
                 for line in run(mesh, scene, number)]
    here.with_suffix(".txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
