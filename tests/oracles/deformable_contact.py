"""Contact surfaces of deformable bodies in Drake: writes deformable_contact.txt,
which tests/geometry/scene_graph/peer_deformable_contact_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/deformable_contact.py

A bar of 0.4 m x 0.2 m x 0.2 m, of 4 x 2 x 2 bricks with six tetrahedra around
the diagonal each. Scenes, by what else there is:

  plate     a rigid box of 2 m x 2 m x 1 m, whose top is in the bar, tilted
  bent      the plate of the first, and the bar bent and twisted
  obj       a rigid octahedron of an .obj file that pokes into the bar
  two       a second bar across the first
  bent_two  the same, and both bent and twisted

A line a scene: its name, how many polygons, the area, the area times the
centroid, the area as a vector. Then a line a polygon: its area and centroid.

With a rigid body the polygons are those of the bar's surface that lie in it,
with normals out of the bar; of two bars they are where their distances are
equal, with normals into the first.
"""

import itertools
import pathlib
import tempfile

import numpy as np
from deformable_mesh import write_mesh
from pydrake.geometry import (AddContactMaterial, AddRigidHydroelasticProperties,
                              Box, GeometryInstance, Mesh, ProximityProperties)
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.fem import DeformableBodyConfig
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph, CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.systems.framework import DiagramBuilder

X_PLATE = RigidTransform(RollPitchYaw(0.05, 0.07, 0.3), [0.01, 0.02, -0.57])
X_OBJ = RigidTransform(RollPitchYaw(0.2, 0.1, 0.3), [0.03, 0.02, 0.15])
X_TWO = RigidTransform(RollPitchYaw(0.1, 0.05, 1.2), [0.02, 0.03, 0.17])
OCTAHEDRON = "".join(f"v {x} {y} {z}\n" for x, y, z in (
    (0.1, 0, 0), (-0.1, 0, 0), (0, 0.1, 0), (0, -0.1, 0), (0, 0, 0.1),
    (0, 0, -0.1))) + "".join(f"f {a} {b} {c}\n" for a, b, c in (
        (1, 3, 5), (3, 2, 5), (2, 4, 5), (4, 1, 5),
        (3, 1, 6), (2, 3, 6), (4, 2, 6), (1, 4, 6)))


def bend(p):
    """3 x n positions in the bar's own frame, bent and twisted."""
    x, y, z = p
    return np.array([x + 0.1 * z * x, y - 0.2 * x * z + 0.05 * y * y,
                     z + 0.3 * x * x + 0.2 * x * y])


def properties(hint=None):
    result = ProximityProperties()
    AddContactMaterial(friction=CoulombFriction(0.5, 0.5), properties=result)
    if hint is not None:
        AddRigidHydroelasticProperties(hint, result)
    return result


def run(name, folder, out):
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, 1e-3)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kLagged)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
    model = plant.mutable_deformable_model()
    bodies = []
    poses = [RigidTransform()] + ([X_TWO] if "two" in name else [])
    for i, X in enumerate(poses):
        instance = GeometryInstance(X, Mesh(str(folder / "bar.vtk"), 1.0),
                                    f"bar{i}")
        instance.set_proximity_properties(properties())
        config = DeformableBodyConfig()
        bodies.append(model.RegisterDeformableBody(instance, config, 1.0))
    world = plant.world_body()
    if name in ("plate", "bent"):
        plant.RegisterCollisionGeometry(world, X_PLATE, Box(2, 2, 1), "other",
                                        properties(1.0))
    if name == "obj":
        plant.RegisterCollisionGeometry(
            world, X_OBJ, Mesh(str(folder / "octahedron.obj"), 1.0), "other",
            properties(1.0))
    plant.SetUseSampledOutputPorts(False)
    plant.Finalize()
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    plant_context = plant.GetMyMutableContextFromRoot(context)
    if name.startswith("bent"):
        for id, X in zip(bodies, poses):
            q = model.GetReferencePositions(id).reshape((3, -1), order="F")
            moved = X @ bend(X.inverse() @ q)
            model.SetPositions(plant_context, id, moved)
    results = plant.get_contact_results_output_port().Eval(plant_context)
    assert results.num_deformable_contacts() == 1, results.num_deformable_contacts()
    info = results.deformable_contact_info(0)
    mesh = info.contact_mesh()
    n = mesh.num_faces()
    areas = [mesh.area(f) for f in range(n)]
    centroids = [mesh.element_centroid(f) for f in range(n)]
    moment = sum(a * c for a, c in zip(areas, centroids))
    vector = sum(a * mesh.face_normal(f) for f, a in enumerate(areas))
    assert info.id_A() == model.GetGeometryId(bodies[0])
    number = lambda x: f"{x:.17g}"
    print(name, n, *map(number, [sum(areas), *moment, *vector]), file=out)
    for a, c in zip(areas, centroids):
        print(*map(number, [a, *c]), file=out)


here = pathlib.Path(__file__).parent
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    write_mesh(folder / "bar.vtk")
    (folder / "octahedron.obj").write_text(OCTAHEDRON)
    with open(here / "deformable_contact.txt", "w") as out:
        for scene in ("plate", "bent", "obj", "two", "bent_two"):
            run(scene, folder, out)
