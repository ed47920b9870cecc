"""Where a deformable bar comes to rest on rigid shapes, in Drake: writes
deformable_rest.txt, which
tests/multibody/plant/peer_deformable_rest_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/deformable_rest.py

The bar of deformable_bodies.py: 0.4 m x 0.2 m x 0.2 m, 96 tetrahedra, 1000
kg/m³, linear-corotated, E = 1e5 Pa, nu = 0.3, mass damping 20 /s; friction 0.5
with a stiction tolerance of 1 mm/s, edges of round shapes 0.01 m; 4 s by 0.01 s. A line a vertex: scene, the vertex's
reference position, its position at the end.

Of the first it is behind a wall at x = -0.199, and its other end sinks onto a
shape in the world at (0.15, 0.01, z), which touches its lower face:

  ball      a sphere of radius 0.08 m
  egg       an ellipsoid of 0.1 m x 0.08 m x 0.07 m
  roll      a cylinder of radius 0.06 m, 0.3 m long, along y
  pill      a capsule of radius 0.06 m, 0.1 m long, along y
  block     a box of 0.1 m x 0.12 m x 0.1 m
  convex    the same as the hull of an .obj file
  mesh      the same as a mesh of that file

Of the others it is free:

  ground    on a plate
  slope     the same with gravity (0.3, 0, -1) of 9.81 m/s² in all
"""

import pathlib
import tempfile

import numpy as np
from deformable_mesh import write_mesh
from pydrake.geometry import (AddContactMaterial,
                              AddRigidHydroelasticProperties, Box, Capsule,
                              Convex, Cylinder, Ellipsoid, GeometryInstance,
                              Mesh, ProximityProperties, Sphere)
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.fem import DeformableBodyConfig
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph,
                                     CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

BOX = (0.1, 0.12, 0.1)
ALONG_Y = RollPitchYaw(np.pi / 2, 0, 0)
FLAT = RollPitchYaw(0, 0, 0)


def box_file(folder):
    path = folder / "box.obj"
    if not path.exists():
        lines = [f"v {x} {y} {z}" for x in (-BOX[0] / 2, BOX[0] / 2)
                 for y in (-BOX[1] / 2, BOX[1] / 2)
                 for z in (-BOX[2] / 2, BOX[2] / 2)]
        lines += ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7",
                  "f 1 3 7 5", "f 2 6 8 4"]
        path.write_text("\n".join(lines) + "\n")
    return str(path)


def props(folder):
    """By name: the shape, how it is turned, how far up it goes."""
    file = box_file(folder)
    return {
        "ball": (Sphere(0.08), FLAT, 0.08),
        "egg": (Ellipsoid(0.1, 0.08, 0.07), FLAT, 0.07),
        "roll": (Cylinder(0.06, 0.3), ALONG_Y, 0.06),
        "pill": (Capsule(0.06, 0.1), ALONG_Y, 0.06),
        "block": (Box(*BOX), FLAT, BOX[2] / 2),
        "convex": (Convex(file), FLAT, BOX[2] / 2),
        "mesh": (Mesh(file), FLAT, BOX[2] / 2),
    }


def properties():
    result = ProximityProperties()
    AddContactMaterial(friction=CoulombFriction(0.5, 0.5), properties=result)
    return result


def run(name, folder):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.01)
    plant.set_discrete_contact_approximation(
        DiscreteContactApproximation.kLagged)
    # Drake takes 1e-4 m/s unless it is told, and documents 1e-3.
    plant.set_stiction_tolerance(1e-3)
    model = plant.mutable_deformable_model()
    bar = GeometryInstance(RigidTransform(), Mesh(str(folder / "bar.vtk")),
                           "bar")
    bar.set_proximity_properties(properties())
    config = DeformableBodyConfig()
    config.set_youngs_modulus(1e5)
    config.set_poissons_ratio(0.3)
    config.set_mass_density(1000)
    config.set_mass_damping_coefficient(20)
    body = model.RegisterDeformableBody(bar, config, 1)
    rigid = properties()
    AddRigidHydroelasticProperties(0.01, rigid)
    known = props(folder)
    if name in known:
        shape, turned, up = known[name]
        X = RigidTransform(turned, [0.15, 0.01, -0.1 - up])
        model.SetWallBoundaryCondition(body, np.array([-0.199, 0, 0]),
                                       np.array([1.0, 0, 0]))
    else:
        shape, X = Box(2, 2, 1), RigidTransform([0.03, 0.04, -0.6])
    if name == "slope":
        g = np.array([0.3, 0, -1])
        plant.mutable_gravity_field().set_gravity_vector(
            9.81 * g / np.linalg.norm(g))
    plant.RegisterCollisionGeometry(plant.world_body(), X, shape, "rigid",
                                    rigid)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyContextFromRoot(simulator.get_context())
    start = model.GetPositions(context, body)
    simulator.AdvanceTo(4)
    q = model.GetPositions(context, body)
    for i in range(q.shape[1]):
        yield " ".join([name] +
                       [f"{x:.10g}" for x in (*start[:, i], *q[:, i])])


def main():
    here = pathlib.Path(__file__)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_mesh(folder / "bar.vtk")
        names = list(props(folder)) + ["ground", "slope"]
        lines = [line for name in names for line in run(name, folder)]
    here.with_suffix(".txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
