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

Half spaces and hulls without a face of more than three corners have one mesh
in every program; of a box the tetrahedra differ, and with them the polygons
that each have their force at one point.
"""

import pathlib

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (AddCompliantHydroelasticProperties,
                              AddCompliantHydroelasticPropertiesForHalfSpace,
                              AddContactMaterial,
                              AddRigidHydroelasticProperties, Box, Capsule,
                              Convex, Cylinder, Ellipsoid, HalfSpace,
                              ProximityProperties, Sphere)
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph, ContactModel,
                                     CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

TIME_STEP = 1e-3
SHAPES = {"box": Box, "sphere": Sphere, "cylinder": Cylinder,
          "capsule": Capsule, "ellipsoid": Ellipsoid, "half_space": HalfSpace}
APPROXIMATIONS = {"sap": DiscreteContactApproximation.kSap,
                  "lagged": DiscreteContactApproximation.kLagged}


class Geometry:
    def __init__(self, kind, shape, numbers=(), q=(1, 0, 0, 0), p=(0, 0, 0),
                 modulus=1e5, thickness=0.1, hint=0.05):
        self.kind, self.shape, self.numbers = kind, shape, list(numbers)
        self.modulus, self.thickness, self.hint = modulus, thickness, hint
        self.q = np.array(q, dtype=float) / np.linalg.norm(q)
        self.p = np.array(p, dtype=float)

    def pose(self):
        return RigidTransform(Quaternion(self.q), self.p)

    def make(self):
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


def run(name, fixed, bodies, gravity=(0, 0, -9.81)):
    for approximation, value in APPROXIMATIONS.items():
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, TIME_STEP)
        plant.set_discrete_contact_approximation(value)
        plant.set_contact_model(ContactModel.kHydroelastic)
        plant.set_stiction_tolerance(1e-3)
        plant.mutable_gravity_field().set_gravity_vector(np.array(gravity))
        lines.append(f"scene {name} {approximation} " +
                     " ".join(repr(float(x)) for x in gravity))
        for i, g in enumerate(fixed):
            plant.RegisterCollisionGeometry(
                plant.world_body(), g.pose(), g.make(), f"fixed{i}",
                g.properties())
            lines.append(f"fixed {g.words()}")
        links = []
        for i, b in enumerate(bodies):
            M = SpatialInertia(b.mass, np.zeros(3), UnitInertia(*b.G))
            links.append(plant.AddRigidBody(f"body{i}", M))
            plant.RegisterCollisionGeometry(
                links[-1], RigidTransform(), b.geometry.make(), f"body{i}",
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
                   [1, 0.2, 0.1, 0], [0, 0, 0.09]), w=[1, 0, 0])])
run("soft_wedge_falls", [ground],
    [Body(1.5, [0.01, 0.012, 0.014],
          Geometry(C, "convex", wedge, [1, 0.2, 0, 0.1], [0, 0, 0.2]))])
run("hull_falls_on_hull", [Geometry(C, "convex", ball(60, 0.15))],
    [Body(1, [sphere] * 3,
          Geometry(C, "convex", ball(40, 0.1), p=[0.03, 0.02, 0.27],
                   modulus=3e5))])
run("hull_rolls", [ground],
    [Body(1, [sphere] * 3, Geometry(C, "convex", ball(60, 0.1), p=[0, 0, 0.1]),
          w=[0, 2, 1], v=[0.6, 0.2, 0])])
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
                   modulus=4e5))], gravity=(0, 0, 0))
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
