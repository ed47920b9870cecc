"""Measures of meshes and fields: writes meshes.txt, which
tests/geometry/meshes/peer_meshes_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/meshes.py

One line a number or a vector, the name first. The triangle mesh is an
octahedron, the volume mesh the same with a vertex inside, both by the
coordinates given; a point Q is on no plane of them.
"""

import pathlib

import numpy as np
from pydrake.geometry import (ConvertVolumeToSurfaceMesh, RefineVolumeMesh,
                              SurfaceTriangle, TriangleSurfaceMesh,
                              VolumeElement, VolumeMesh)

random = np.random.default_rng(1)
vertices = [s * np.eye(3)[i] + 0.2 * random.uniform(-1, 1, 3)
            for i in range(3) for s in (-1, 1)]
triangles = []
for k in range(8):
    x, y, z = k & 1, k >> 1 & 1, k >> 2 & 1
    t = [x, 2 + y, 4 + z]
    if (x + y + z) % 2 == 0:
        t[0], t[1] = t[1], t[0]
    triangles.append(t)
inside = 0.1 * random.uniform(-1, 1, 3)
q = random.uniform(-1, 1, 3)

lines = []


def write(name, *numbers):
    lines.append(" ".join([name] + [repr(float(x)) for x in numbers]))


for v in vertices + [inside]:
    write("vertex", *v)
write("q", *q)

surface = TriangleSurfaceMesh([SurfaceTriangle(*t) for t in triangles],
                              vertices)
write("total_area", surface.total_area())
write("centroid", *surface.centroid())
write("box_centre", *surface.CalcBoundingBox()[0])
write("box_size", *surface.CalcBoundingBox()[1])
for t in range(8):
    write("area", surface.area(t))
    write("face_normal", *surface.face_normal(t))
    write("element_centroid", *surface.element_centroid(t))
    write("barycentric_3", *surface.CalcBarycentric(q, t))

volume = VolumeMesh([VolumeElement(b, a, c, 6) for a, b, c in triangles],
                    vertices + [inside])
write("volume", volume.CalcVolume())
for e in range(8):
    write("tetrahedron", volume.CalcTetrahedronVolume(e))
    write("barycentric_4", *volume.CalcBarycentric(q, e))
    for f in range(4):
        write("inward_normal", *volume.inward_normal(e, f))
    write("edge_vector", *volume.edge_vector(e, 1, 3))

boundary = ConvertVolumeToSurfaceMesh(volume)
write("boundary", boundary.num_vertices(), boundary.num_triangles(),
      boundary.total_area())

# One tetrahedron, and two with a common face: all vertices on the surface.
corner = [np.zeros(3), np.eye(3)[0], np.eye(3)[1], np.eye(3)[2],
          -np.eye(3)[2]]
one = RefineVolumeMesh(VolumeMesh([VolumeElement(0, 1, 2, 3)], corner[:4]))
two = RefineVolumeMesh(VolumeMesh([VolumeElement(0, 1, 2, 3),
                                   VolumeElement(0, 2, 1, 4)], corner))
write("refined_one", one.num_vertices(), one.num_elements())
write("refined_two", two.num_vertices(), two.num_elements())

path = pathlib.Path(__file__).with_suffix(".txt")
path.write_text("\n".join(lines) + "\n")
