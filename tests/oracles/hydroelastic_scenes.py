"""Bodies that move in contact on surfaces: writes hydroelastic_scenes.txt, which
tests/multibody/plant/hydroelastic_oracle_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/hydroelastic_scenes.py

Lines, each a word and what follows it:
  scene NAME APPROXIMATION gx gy gz
  fixed GEOMETRY  X           one of the world
  body mass Gx Gy Gz  GEOMETRY  X  w v
  sample time  (p w v) of each body, and the sum of the forces on the first
               geometry of each contact in the world
with a GEOMETRY of `kind shape n numbers modulus thickness hint` as in
hydroelastic_surfaces.py, G the unit inertia's moments, X = qw qx qy qz x y z,
and w and v the velocities at the start. Steps are of 1 ms, friction is 0.5,
dissipation 2 s/m, the relaxation time 10 ms.

Drake has the force of a polygon at its centroid, Wyvern the exact moment. So
that both mean the same, the rigid side of a hull's contact is made of small
flat triangles here: with these Drake tends to what Wyvern has of the few
polygons of the shape itself. Two hulls that are soft have no such side; their
polygons are cut in triangles. Boxes and spheres are as they are: their
tetrahedra differ from ours anyway.
"""

import pathlib
import tempfile

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (AddCompliantHydroelasticProperties,
                              AddCompliantHydroelasticPropertiesForHalfSpace,
                              AddContactMaterial,
                              AddRigidHydroelasticProperties, Box, Capsule,
                              Convex, Cylinder, Ellipsoid, HalfSpace,
                              HydroelasticContactRepresentation, Mesh,
                              ProximityProperties, Sphere)
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph, ContactModel,
                                     CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from scipy.spatial import ConvexHull

TIME_STEP = 1e-3
SHAPES = {"box": Box, "sphere": Sphere, "cylinder": Cylinder,
          "capsule": Capsule, "ellipsoid": Ellipsoid, "half_space": HalfSpace}
APPROXIMATIONS = {"sap": DiscreteContactApproximation.kSap,
                  "lagged": DiscreteContactApproximation.kLagged}


def write_obj(triangles):
    points, index = np.unique(np.round(np.reshape(triangles, (-1, 3)), 12),
                              axis=0, return_inverse=True)
    path = pathlib.Path(tempfile.mkdtemp()) / "fine.obj"
    with path.open("w") as file:
        for p in points:
            file.write("v {!r} {!r} {!r}\n".format(*map(float, p)))
        for t in index.reshape(-1, 3) + 1:
            file.write("f {} {} {}\n".format(*t))
    return Mesh(path)


def make_fine_hull(numbers):
    # Each face in 1024.
    points = np.reshape(numbers, (-1, 3))
    middle = points.mean(axis=0)
    triangles = []
    for a, b, c in points[ConvexHull(points).simplices]:
        outward = np.cross(b - a, c - a).dot(a - middle) > 0
        triangles.append((a, b, c) if outward else (a, c, b))
    for _ in range(5):
        triangles = [t for a, b, c in triangles
                     for x, y, z in [((a + b) / 2, (b + c) / 2, (c + a) / 2)]
                     for t in ((a, x, z), (x, b, y), (z, y, c), (x, y, z))]
    return write_obj(triangles)


def make_fine_plane(x0, x1, y0, y1, h=0.005):
    triangles = []
    for x in np.arange(x0, x1, h):
        for y in np.arange(y0, y1, h):
            a, b, c, d = ((x + i, y + j, 0) for i, j in
                          ((0, 0), (h, 0), (0, h), (h, h)))
            triangles += [(a, b, c), (b, d, c)]
    return write_obj(triangles)


class Geometry:
    def __init__(self, kind, shape, numbers=(), q=(1, 0, 0, 0), p=(0, 0, 0),
                 modulus=1e5, thickness=0.1, hint=0.05):
        self.kind, self.shape, self.numbers = kind, shape, list(numbers)
        self.modulus, self.thickness, self.hint = modulus, thickness, hint
        self.q = np.array(q, dtype=float) / np.linalg.norm(q)
        self.p = np.array(p, dtype=float)

    def pose(self):
        return RigidTransform(Quaternion(self.q), self.p)

    def make(self, region):
        if self.kind == "rigid" and self.shape == "half_space" and region:
            return make_fine_plane(*region)
        if self.kind == "rigid" and self.shape == "convex":
            return make_fine_hull(self.numbers)
        if self.shape == "convex":
            points = np.array(self.numbers).reshape(-1, 3).T
            return Convex(points, "points", 1.0)
        return SHAPES[self.shape](*self.numbers)

    def properties(self):
        result = ProximityProperties()
        AddContactMaterial(dissipation=2.0, friction=CoulombFriction(0.5, 0.5),
                           properties=result)
        result.AddProperty("material", "relaxation_time", 0.01)
        if self.kind == "rigid":
            AddRigidHydroelasticProperties(self.hint, result)
        elif self.shape == "half_space":
            AddCompliantHydroelasticPropertiesForHalfSpace(
                self.thickness, self.modulus, result)
        else:
            AddCompliantHydroelasticProperties(self.hint, self.modulus, result)
        return result

    def words(self):
        numbers = [*self.numbers, self.modulus, self.thickness, self.hint,
                   *self.q, *self.p]
        return " ".join([self.kind, self.shape, str(len(self.numbers)),
                         *(repr(float(x)) for x in numbers)])


class Body:
    def __init__(self, mass, G, geometry, w=(0, 0, 0), v=(0, 0, 0)):
        self.mass, self.G, self.geometry = mass, G, geometry
        self.w, self.v = w, v

    def words(self):
        numbers = " ".join(repr(float(x)) for x in (self.mass, *self.G))
        velocity = " ".join(repr(float(x)) for x in (*self.w, *self.v))
        return f"{numbers} {self.geometry.words()} {velocity}"


def run(name, fixed, bodies, gravity=(0, 0, -9.81), region=None,
        triangles=False):
    for approximation, value in APPROXIMATIONS.items():
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, TIME_STEP)
        plant.set_discrete_contact_approximation(value)
        plant.set_contact_model(ContactModel.kHydroelastic)
        plant.set_stiction_tolerance(1e-3)
        if triangles:
            plant.set_contact_surface_representation(
                HydroelasticContactRepresentation.kTriangle)
        plant.mutable_gravity_field().set_gravity_vector(np.array(gravity))
        lines.append(f"scene {name} {approximation} " +
                     " ".join(repr(float(x)) for x in gravity))
        for i, g in enumerate(fixed):
            plant.RegisterCollisionGeometry(
                plant.world_body(), g.pose(), g.make(region), f"fixed{i}",
                g.properties())
            lines.append(f"fixed {g.words()}")
        links = []
        for i, b in enumerate(bodies):
            M = SpatialInertia(b.mass, np.zeros(3), UnitInertia(*b.G))
            links.append(plant.AddRigidBody(f"body{i}", M))
            plant.RegisterCollisionGeometry(
                links[-1], RigidTransform(), b.geometry.make(region), f"body{i}",
                b.geometry.properties())
            lines.append(f"body {b.words()}")
        plant.Finalize()
        simulator = Simulator(builder.Build())
        context = plant.GetMyMutableContextFromRoot(
            simulator.get_mutable_context())
        for link, b in zip(links, bodies):
            plant.SetFreeBodyPose(context, link, b.geometry.pose())
            plant.SetFreeBodySpatialVelocity(
                context=context, body=link, V_JpJc=SpatialVelocity(b.w, b.v))
        for k in range(1, 11):
            simulator.AdvanceTo(round(0.1 * k, 3))
            numbers = [round(0.1 * k, 3)]
            for link in links:
                X = plant.EvalBodyPoseInWorld(context, link)
                V = plant.EvalBodySpatialVelocityInWorld(context, link)
                numbers += [*X.translation(), *V.rotational(),
                            *V.translational()]
            results = plant.get_contact_results_output_port().Eval(context)
            force = np.zeros(3)
            for i in range(results.num_hydroelastic_contacts()):
                info = results.hydroelastic_contact_info(i)
                force += info.F_Ac_W().translational()
            lines.append("sample " + " ".join(f"{x:.12g}" for x in
                                              [*numbers, *force]))


def ball(n, radius):
    # Points on a sphere, no four of them in a plane.
    points = []
    for i in range(n):
        z = 1 - (2 * i + 1) / n
        angle = 2.399963229728653 * i
        r = np.sqrt(1 - z * z)
        points += [radius * r * np.cos(angle), radius * r * np.sin(angle),
                   radius * z]
    return points


def stretched(points, scale):
    return list((np.array(points).reshape(-1, 3) * scale).ravel())


def moments(x, y, z):
    return [(y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12]


R, C = "rigid", "compliant"
ground = Geometry(R, "half_space")
slab = Geometry(C, "half_space")
cube = [0.2, 0.2, 0.2]
wedge = [0.2, -0.25, -0.1, 0.3, -0.2, -0.1, 0, 0.35, -0.1, -0.05, -0.1, 0.2]
sphere = 0.4 * 0.1**2
lines = []
run("hull_drops_on_slab", [slab],
    [Body(2, [sphere] * 3, Geometry(R, "convex", ball(50, 0.1), [1, 0.1, 0, 0],
                                    [0, 0, 0.14]), w=[0, 1, 0], v=[0.3, 0, 0])])
run("egg_rocks", [ground],
    [Body(1, [0.004, 0.004, 0.006],
          Geometry(C, "convex", stretched(ball(70, 0.1), [1.3, 1, 0.7]),
                   [1, 0.2, 0.1, 0], [0, 0, 0.09]), w=[1, 0, 0])],
    region=(-0.202, 0.2, -0.201, 0.2))
run("soft_wedge_falls", [ground],
    [Body(1.5, [0.01, 0.012, 0.014],
          Geometry(C, "convex", wedge, [1, 0.2, 0, 0.1], [0, 0, 0.2]))],
    region=(-0.502, 0.5, -0.501, 0.5))
run("hull_falls_on_hull", [Geometry(C, "convex", ball(60, 0.15))],
    [Body(1, [sphere] * 3,
          Geometry(C, "convex", ball(40, 0.1), p=[0.03, 0.02, 0.27],
                   modulus=3e5))], triangles=True)
run("hull_rolls", [ground],
    [Body(1, [sphere] * 3, Geometry(C, "convex", ball(60, 0.1), p=[0, 0, 0.1]),
          w=[0, 2, 1], v=[0.6, 0.2, 0])], region=(-0.152, 0.85, -0.151, 0.5))
run("wedge_rocks", [slab],
    [Body(1.5, [0.01, 0.012, 0.014],
          Geometry(R, "convex", wedge, [1, 0.2, 0, 0.1], [0, 0, 0.2]))])
run("box_on_soft_box", [ground],
    [Body(4, moments(0.4, 0.4, 0.2),
          Geometry(C, "box", [0.4, 0.4, 0.2], p=[0, 0, 0.1], modulus=3e5)),
     Body(1, moments(*cube),
          Geometry(C, "box", cube, [1, 0, 0, 0.3], [0.05, 0, 0.3]),
          w=[0, 0, 2], v=[0.5, 0.3, 0])])
run("hulls_collide", [],
    [Body(1, [sphere] * 3, Geometry(C, "convex", ball(40, 0.1))
          , w=[0, 0, 3], v=[0.5, 0, 0]),
     Body(0.5, [sphere] * 3,
          Geometry(C, "convex", ball(50, 0.1), p=[0.25, 0.05, 0.02],
                   modulus=4e5))], gravity=(0, 0, 0), triangles=True)
run("soft_box_down_a_plank",
    [Geometry(R, "box", [3, 1, 0.1], [np.cos(0.2), 0, np.sin(0.2), 0])],
    [Body(1, moments(*cube),
          Geometry(C, "box", cube, [np.cos(0.2), 0, np.sin(0.2), 0],
                   [0.15 * np.sin(0.4), 0, 0.15 * np.cos(0.4)]))])
run("sphere_rolls", [ground],
    [Body(1, [sphere] * 3, Geometry(C, "sphere", [0.1], p=[0, 0, 0.1],
                                    hint=0.02), v=[0.5, 0, 0])])
path = pathlib.Path(__file__).resolve().with_name("hydroelastic_scenes.txt")
path.write_text("\n".join(lines) + "\n")
