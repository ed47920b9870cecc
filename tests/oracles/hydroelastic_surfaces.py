"""Contact surfaces of pairs of shapes: writes hydroelastic_surfaces.txt, which
tests/geometry/hydroelastic/peer_surfaces_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/hydroelastic_surfaces.py

A line a pair: two geometries and the figures. A geometry is

  kind shape n numbers  modulus thickness hint margin  qw qx qy qz x y z

with kind `rigid` or `compliant`; of a half space the thickness counts, of
others the hint. A shape is box (size), sphere (radius), cylinder and capsule
(radius, length), ellipsoid (semi-axes), half_space, convex: the points of a
hull, or volume: the number of vertices, their places, and four vertices a
tetrahedron. Meshes of the last two are the same in every program. The figures
are the area, the force on the first geometry in the world and its torque about
the world's origin, with the pressure taken as linear on each triangle, where
it is negative too.
"""

import itertools
import pathlib

import numpy as np
from pydrake.common import MemoryFile
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (AddCompliantHydroelasticProperties,
                              AddCompliantHydroelasticPropertiesForHalfSpace,
                              AddRigidHydroelasticProperties, Box, Capsule,
                              Convex, Cylinder, Ellipsoid, FramePoseVector,
                              GeometryFrame, GeometryInstance, HalfSpace,
                              HydroelasticContactRepresentation,
                              InMemoryMesh, Mesh, ProximityProperties, SceneGraph, Sphere)
from pydrake.math import RigidTransform

random = np.random.default_rng(3)


def rotation():
    q = random.normal(size=4)
    return q / np.linalg.norm(q)


def vtk(numbers):
    num_vertices = int(numbers[0])
    places = np.array(numbers[1:1 + 3 * num_vertices]).reshape(-1, 3)
    cells = np.array(numbers[1 + 3 * num_vertices:], dtype=int).reshape(-1, 4)
    lines = ["# vtk DataFile Version 3.0", "volume", "ASCII",
             "DATASET UNSTRUCTURED_GRID", f"POINTS {num_vertices} double"]
    lines += [" ".join(repr(float(x)) for x in p) for p in places]
    lines += [f"CELLS {len(cells)} {5 * len(cells)}"]
    lines += [" ".join(map(str, [4, *c])) for c in cells]
    lines += [f"CELL_TYPES {len(cells)}"] + ["10"] * len(cells)
    return "\n".join(lines) + "\n"


def make_shape(name, numbers):
    if name == "convex":
        return Convex(np.array(numbers).reshape(-1, 3).T, "points", 1.0)
    if name == "volume":
        file = MemoryFile(vtk(numbers), ".vtk", "volume")
        return Mesh(InMemoryMesh(mesh_file=file))
    return {"box": Box, "sphere": Sphere, "cylinder": Cylinder,
            "capsule": Capsule, "ellipsoid": Ellipsoid,
            "half_space": HalfSpace}[name](*numbers)


class Geometry:
    def __init__(self, kind, shape, numbers, p, q=None, modulus=1e5,
                 thickness=0.5, hint=0.1, margin=0):
        self.kind, self.shape, self.numbers = kind, shape, numbers
        self.modulus, self.thickness, self.hint = modulus, thickness, hint
        self.margin = margin
        self.q = rotation() if q is None else np.array(q, dtype=float)
        self.p = np.array(p, dtype=float)

    def pose(self):
        return RigidTransform(Quaternion(self.q), self.p)

    def properties(self):
        result = ProximityProperties()
        if self.kind == "rigid":
            AddRigidHydroelasticProperties(self.hint, result)
        elif self.shape == "half_space":
            AddCompliantHydroelasticPropertiesForHalfSpace(
                self.thickness, self.modulus, result)
        else:
            AddCompliantHydroelasticProperties(self.hint, self.modulus, result)
        if self.margin > 0:
            result.AddProperty("hydroelastic", "margin", self.margin)
        return result

    def words(self):
        numbers = [self.modulus, self.thickness, self.hint, self.margin,
                   *self.q, *self.p]
        return ([self.kind, self.shape, str(len(self.numbers))] +
                [repr(float(x)) for x in [*self.numbers, *numbers]])


def surface(a, b):
    graph = SceneGraph()
    source = graph.RegisterSource("test")
    poses = FramePoseVector()
    for i, g in enumerate((a, b)):
        frame = graph.RegisterFrame(source, GeometryFrame(f"frame{i}"))
        instance = GeometryInstance(RigidTransform(),
                                    make_shape(g.shape, g.numbers), f"g{i}")
        instance.set_proximity_properties(g.properties())
        graph.RegisterGeometry(source, frame, instance)
        poses.set_value(frame, g.pose())
    context = graph.CreateDefaultContext()
    graph.get_source_pose_port(source).FixValue(context, poses)
    query = graph.get_query_output_port().Eval(context)
    surfaces = query.ComputeContactSurfaces(
        HydroelasticContactRepresentation.kTriangle)
    assert len(surfaces) == 1, (a.words(), b.words(), len(surfaces))
    s = surfaces[0]
    mesh, field = s.tri_mesh_W(), s.tri_e_MN()
    area, force, torque = 0, np.zeros(3), np.zeros(3)
    for f in range(s.num_faces()):
        t = mesh.triangles()[f]
        v = [t.vertex(i) for i in range(3)]
        x = [mesh.vertex(i) for i in v]
        p = [field.EvaluateAtVertex(i) for i in v]
        area += mesh.area(f)
        for i in range(3):
            j = (i + 1) % 3
            df = mesh.area(f) / 3 * (p[i] + p[j]) / 2 * s.face_normal(f)
            force += df
            torque += np.cross((x[i] + x[j]) / 2, df)
    # The first geometry registered has the lower id: it is M.
    return [area, *force, *torque]


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


def block(size, n):
    # n cubes along x, six tetrahedra each, which have no vertex inside.
    places = [(size * i, size * j, size * k)
              for i in range(n + 1) for j in range(2) for k in range(2)]
    cells = []
    for i in range(n):
        for axes in itertools.permutations(range(3)):
            steps = [4, 2, 1]
            a = 4 * i + steps[axes[0]]
            b = a + steps[axes[1]]
            if (axes[1] - axes[0]) % 3 == 1:
                a, b = b, a
            cells += [4 * i, b, a, 4 * i + 7]
    return [len(places), *np.ravel(places), *cells]


def cone(size):
    # The cube of this size: pyramids on its faces, whose apex is its centre.
    places = [((size if k & 1 else -size) / 2, (size if k & 2 else -size) / 2,
               (size if k & 4 else -size) / 2) for k in range(8)]
    cells = []
    for a, b, c in ((0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4),
                    (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6),
                    (1, 3, 5), (3, 7, 5)):
        cells += [b, a, c, 8]
    return [9, *np.ravel([*places, (0, 0, 0)]), *cells]


up = [1, 0, 0, 0]
tilted = [np.cos(0.1), np.sin(0.1), 0, 0]
wedge = [0.4, -0.5, -0.3, 0.6, -0.4, -0.3, 0, 0.7, -0.3, -0.1, -0.2, 0.6]
box = [0.6, 0.8, 1.0]
C, R = "compliant", "rigid"
# Meshes that coincide: boxes, hulls, half spaces.
pairs = [
    (Geometry(C, "box", box, [0, 0, 0.4], up),
     Geometry(R, "half_space", [], [0, 0, 0], up)),
    (Geometry(C, "box", box, [0, 0, 0.4]),
     Geometry(R, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(R, "box", box, [0, 0, 0.4]),
     Geometry(C, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(C, "box", box, [0, 0, 0.4]),
     Geometry(R, "box", [3, 3, 1], [0, 0, -0.5], tilted)),
    (Geometry(C, "box", box, [0, 0, 0.4]),
     Geometry(C, "box", [3, 3, 1], [0, 0, -0.5], tilted, 3e5)),
    (Geometry(C, "box", box, [0, 0, 0]),
     Geometry(C, "box", [0.5, 0.5, 0.5], [0.3, 0.2, 0.4], None, 1e6)),
    (Geometry(C, "box", box, [0, 0, 0]),
     Geometry(R, "box", [0.5, 0.5, 0.5], [0.3, 0.2, 0.4])),
    (Geometry(C, "convex", ball(40, 0.5), [0, 0, 0.4]),
     Geometry(R, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(C, "convex", ball(200, 0.5), [0, 0, 0.4]),
     Geometry(R, "box", [3, 3, 1], [0, 0, -0.5], tilted)),
    (Geometry(C, "convex", ball(60, 0.5), [0, 0, 0]),
     Geometry(C, "convex", ball(50, 0.4), [0.3, 0.4, 0.5], None, 4e5)),
    (Geometry(C, "convex", wedge, [0, 0, 0.3]),
     Geometry(C, "convex", ball(50, 0.4), [0, 0.1, -0.2], None, 4e5)),
    (Geometry(R, "convex", wedge, [0, 0, 0.05]),
     Geometry(C, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(R, "convex", wedge, [0, 0, 0.2]),
     Geometry(C, "box", box, [0, 0.1, -0.3])),
    (Geometry(R, "convex", ball(100, 0.4), [0.1, 0.2, 0.3]),
     Geometry(C, "convex", ball(100, 0.5), [0, 0, -0.4])),
    # Meshes of the same resolution that differ.
    (Geometry(C, "sphere", [0.5], [0, 0, 0.4]),
     Geometry(R, "half_space", [], [0, 0, 0], up)),
    (Geometry(C, "sphere", [0.5], [0, 0, 0]),
     Geometry(C, "sphere", [0.4], [0.3, 0.4, 0.5], None, 4e5)),
    (Geometry(C, "cylinder", [0.4, 1], [0, 0, 0.4], up),
     Geometry(R, "box", [3, 3, 1], [0, 0, -0.5], tilted)),
    (Geometry(C, "capsule", [0.4, 1], [0, 0, 0.3], [0.5, 0.5, 0.5, 0.5]),
     Geometry(R, "half_space", [], [0, 0, 0], up)),
    (Geometry(C, "ellipsoid", [0.4, 0.5, 0.6], [0, 0, 0.4]),
     Geometry(C, "box", [3, 3, 1], [0, 0, -0.5], tilted)),
    (Geometry(R, "sphere", [0.5], [0, 0, 0.4]),
     Geometry(C, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(R, "cylinder", [0.4, 1], [0, 0, 0.6]),
     Geometry(C, "sphere", [0.5], [0, 0, -0.1])),
    # Volume meshes, which are refined alike, as they coincide.
    (Geometry(C, "volume", cone(0.8), [0, 0, 0.45]),
     Geometry(R, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(C, "volume", cone(0.8), [0, 0, 0.45]),
     Geometry(C, "box", [3, 3, 1], [0, 0, -0.5], tilted, 3e5)),
    (Geometry(R, "volume", block(0.4, 3), [-0.5, -0.2, -0.1]),
     Geometry(C, "box", [3, 3, 1], [0, 0, -0.5], tilted, 3e5)),
    # Margins. A face is also where the pressure is negative. No hull is here:
    # Drake lets its margin move the place where the pressure is zero.
    (Geometry(C, "box", box, [0, 0, 0.41], margin=0.05),
     Geometry(R, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(R, "box", box, [0, 0, 0.41]),
     Geometry(C, "half_space", [], [0, 0, 0], tilted, margin=0.05)),
    (Geometry(C, "box", box, [0, 0, 0.5], margin=0.05),
     Geometry(C, "box", [3, 3, 1], [0, 0, -0.5], tilted, 3e5, margin=0.02)),
    (Geometry(C, "volume", cone(0.8), [0, 0, 0.45], margin=0.05),
     Geometry(R, "half_space", [], [0, 0, 0], tilted)),
    (Geometry(C, "volume", cone(0.8), [0, 0, 0.35], margin=0.05),
     Geometry(C, "box", [3, 3, 1], [0, 0, -0.5], tilted, 3e5, margin=0.02)),
    (Geometry(C, "volume", cone(0.8), [0, 0, 0.6], margin=0.05),
     Geometry(R, "convex", ball(50, 0.4), [0.1, 0, 0])),
]

lines = []
for a, b in pairs:
    figures = [repr(float(x)) for x in surface(a, b)]
    lines.append(" ".join(a.words() + b.words() + figures))
path = pathlib.Path(__file__).with_suffix(".txt")
path.write_text("\n".join(lines) + "\n")
