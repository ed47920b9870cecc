"""Scenes with a deformable bar in Drake's plant: writes deformable_scenes.txt,
which tests/multibody/plant/peer_deformable_scenes_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/deformable_scenes.py

The bar of deformable_bodies.py: 0.4 m x 0.2 m x 0.2 m, 96 tetrahedra, 1000
kg/m³, linear-corotated, E = 1e5 Pa, nu = 0.3 unless said otherwise. A line a
vertex: scene, the vertex's reference position, its position at the end.
"rests" means mass damping 20 /s, steps of 0.1 s, 60 s. Scenes:

  fall     nothing but gravity, 0.3 s by 0.01 s
  throw    no gravity, at first v = (1, 2, 3) m/s, mass damping 2 /s, 0.5 s by
           0.01 s
  density  a force density (0, 2000, 9810) N/m³ besides gravity, 0.2 s by 0.01 s
  pulled   behind a wall at x = -0.199, no gravity, 5000 N/m³ along x, rests
  soft     behind that wall, gravity along x, nu = 0.45, E = 2e5 Pa, rests
  swing    behind that wall, E = 1e6 Pa, stiffness damping 0.01 s, let go, 0.1 s
           by 1 ms
  halved   the same with half the gravity
  ring     swing without damping
  fixed    what is in a box of 0.1 m around the end x = -0.2 fixed to the world,
           rests
  hooke    behind that wall, gravity along x, E = 1e6 Pa, mass damping 20 /s,
           3 s by 0.01 s
  rubber   the same of kNeoHookean
  channel  what is in the walls and the floor of a channel, a mesh that is not
           convex, fixed to the world elsewhere than at the start; rests
"""

import pathlib
import tempfile

import numpy as np
from deformable_mesh import write_mesh
from pydrake.geometry import (AddContactMaterial, Box, GeometryInstance, Mesh,
                              ProximityProperties)
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.fem import DeformableBodyConfig, MaterialModel
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph,
                                     DiscreteContactApproximation)
from pydrake.multibody.tree import GravityForceField
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

DOWN, ALONG, NONE = (0, 0, -9.81), (9.81, 0, 0), (0, 0, 0)
RESTS = dict(alpha=20, dt=0.1, end=60)
STIFF = dict(E=1e6, alpha=20, dt=0.01, end=3)
WALL = dict(wall=True)
SCENES = {
    "fall": dict(dt=0.01, end=0.3),
    "throw": dict(gravity=NONE, v=(1, 2, 3), alpha=2, dt=0.01, end=0.5),
    "density": dict(density=(0, 2000, 9810), dt=0.01, end=0.2),
    "pulled": dict(gravity=NONE, density=(5000, 0, 0), **WALL, **RESTS),
    "soft": dict(gravity=ALONG, nu=0.45, E=2e5, **WALL, **RESTS),
    "swing": dict(E=1e6, beta=0.01, dt=1e-3, end=0.1, **WALL),
    "halved": dict(gravity=(0, 0, -4.905), E=1e6, beta=0.01, dt=1e-3, end=0.1,
                   **WALL),
    "ring": dict(E=1e6, dt=1e-3, end=0.1, **WALL),
    "fixed": dict(fixed=True, **RESTS),
    "hooke": dict(gravity=ALONG, **WALL, **STIFF),
    "rubber": dict(gravity=ALONG, material=MaterialModel.kNeoHookean, **WALL,
                   **STIFF),
    "channel": dict(channel=True, **RESTS),
}
# Where the bar starts, where it is fixed, and the channel in its frame.
X_WG = RigidTransform(RollPitchYaw(0, 0, 0.1), [0.02, 0.01, 0.03])
X_WA = RigidTransform(RollPitchYaw(0.05, 0, 0), [0, 0, 0.01])
X_AC = RigidTransform([0.013, 0.007, -0.05])


def write_channel(path):
    # Along y: walls from |x| = 0.15 to 0.3 up to z = 0.3, a floor from z = -0.1
    # to 0.
    profile = [(-0.3, -0.1), (-0.3, 0.3), (-0.15, 0.3), (-0.15, 0), (0.15, 0),
               (0.15, 0.3), (0.3, 0.3), (0.3, -0.1)]
    quads = [(i, i % 8 + 1, i % 8 + 9, i + 8) for i in range(1, 9)]
    quads += [(1, 4, 3, 2), (1, 8, 5, 4), (5, 8, 7, 6)]
    quads += [tuple(8 + i for i in reversed(quad)) for quad in quads[8:]]
    with open(path, "w") as file:
        for y in (-1, 1):
            for x, z in profile:
                print("v", x, y, z, file=file)
        for a, b, c, d in quads:
            print("f", a, b, c, file=file)
            print("f", a, c, d, file=file)


def run(mesh, name, dt, end, gravity=DOWN, v=None, alpha=0, beta=0, E=1e5,
        nu=0.3, material=MaterialModel.kLinearCorotated, density=None,
        wall=False, fixed=False, channel=False):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, dt)
    plant.set_discrete_contact_approximation(
        DiscreteContactApproximation.kLagged)
    plant.mutable_gravity_field().set_gravity_vector(np.array(gravity, float))
    model = plant.mutable_deformable_model()
    geometry = GeometryInstance(X_WG if channel else RigidTransform(),
                                Mesh(str(mesh)), "bar")
    properties = ProximityProperties()
    AddContactMaterial(properties=properties)
    geometry.set_proximity_properties(properties)
    config = DeformableBodyConfig()
    config.set_material_model(material)
    config.set_youngs_modulus(E)
    config.set_poissons_ratio(nu)
    config.set_mass_density(1000)
    config.set_mass_damping_coefficient(alpha)
    config.set_stiffness_damping_coefficient(beta)
    body = model.RegisterDeformableBody(geometry, config, 1)
    if wall:
        model.SetWallBoundaryCondition(body, np.array([-0.199, 0, 0]),
                                       np.array([1.0, 0, 0]))
    if density:
        # A force density by another name: that of 1 kg/m³.
        model.AddExternalForce(GravityForceField(np.array(density, float), 1))
    if fixed:
        model.AddFixedConstraint(body, plant.world_body(), RigidTransform(),
                                 Box(0.1, 1, 1), RigidTransform([-0.2, 0, 0]))
    if channel:
        model.AddFixedConstraint(body, plant.world_body(), X_WA,
                                 Mesh(str(mesh.with_name("channel.obj"))),
                                 X_WA @ X_AC)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(
        simulator.get_mutable_context())
    start = model.GetPositions(context, body)
    if v:
        model.SetVelocities(context, body, np.asfortranarray(
            np.tile(np.array(v, float)[:, None], start.shape[1])))
    simulator.AdvanceTo(end)
    q = model.GetPositions(context, body)
    for i in range(q.shape[1]):
        yield " ".join([name] +
                       [f"{x:.12g}" for x in (*start[:, i], *q[:, i])])


def main():
    here = pathlib.Path(__file__)
    with tempfile.TemporaryDirectory() as folder:
        mesh = pathlib.Path(folder) / "bar.vtk"
        write_mesh(mesh)
        write_channel(mesh.with_name("channel.obj"))
        lines = [line for name, scene in SCENES.items()
                 for line in run(mesh, name, **scene)]
    here.with_suffix(".txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
