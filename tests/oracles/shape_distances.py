"""Signed distances of pairs of shapes at random poses: writes
shape_distances.txt, which tests/geometry/proximity/peer_distances_test.cc reads.

Run it with a Python that has pydrake and mujoco (made with 1.51 and 3.3):
  python3 tests/oracles/shape_distances.py

A row:
  engine shape_A shape_B qw qx qy qz x y z qw qx qy qz x y z distance
with the poses X_WA and X_WB and the signed distance, meter. Engine drake is
SceneGraph's signed distance query where the shapes are apart, mujoco is
mj_geomDistance where they are apart and the contact of mj_collision with the
most depth where they overlap; its convex solver is set to a tolerance of 1e-10.
"""

import pathlib

import mujoco
import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (Box, Capsule, Convex, Cylinder, Ellipsoid,
                              GeometryFrame, GeometryInstance,
                              ProximityProperties, SceneGraph, Sphere,
                              FramePoseVector)
from pydrake.common.value import AbstractValue
from pydrake.math import RigidTransform

HULL = np.array([[0.6, 0.5, -0.3], [-0.6, 0.5, -0.3], [-0.6, -0.5, -0.3],
                 [0.6, -0.5, -0.3], [0.1, 0.1, 0.9]])
SHAPES = {
    "sphere": (Sphere(0.6), "sphere", "0.6"),
    "capsule": (Capsule(0.3, 1.1), "capsule", "0.3 0.55"),
    "cylinder": (Cylinder(0.5, 0.9), "cylinder", "0.5 0.45"),
    "ellipsoid": (Ellipsoid(0.4, 0.6, 0.9), "ellipsoid", "0.4 0.6 0.9"),
    "box": (Box(0.8, 1.0, 1.3), "box", "0.4 0.5 0.65"),
    "pyramid": (Convex(HULL.T, "pyramid"), "mesh", None),
}
NAMES = list(SHAPES)


def drake_distance(a, b, poses):
    graph = SceneGraph()
    source = graph.RegisterSource("s")
    ids, frames = [], []
    for k, name in enumerate((a, b)):
        frames.append(graph.RegisterFrame(source, GeometryFrame(f"f{k}")))
        instance = GeometryInstance(RigidTransform(), SHAPES[name][0].Clone()
                                    if hasattr(SHAPES[name][0], "Clone")
                                    else SHAPES[name][0], f"g{k}")
        instance.set_proximity_properties(ProximityProperties())
        ids.append(graph.RegisterGeometry(source, frames[k], instance))
    context = graph.CreateDefaultContext()
    vector = FramePoseVector()
    for frame, (q, p) in zip(frames, poses):
        vector.set_value(frame, RigidTransform(Quaternion(q), p))
    graph.get_source_pose_port(source).FixValue(
        context, AbstractValue.Make(vector))
    query = graph.get_query_output_port().Eval(context)
    return query.ComputeSignedDistancePairClosestPoints(*ids).distance


def mujoco_distance(a, b, poses):
    vertices = " ".join(str(x) for x in HULL.ravel())
    bodies = ""
    for name, (q, p) in zip((a, b), poses):
        _, kind, size = SHAPES[name]
        geom = (f'<geom type="mesh" mesh="pyramid"/>' if kind == "mesh"
                else f'<geom type="{kind}" size="{size}"/>')
        bodies += (f'<body pos="{p[0]!r} {p[1]!r} {p[2]!r}" '
                   f'quat="{q[0]!r} {q[1]!r} {q[2]!r} {q[3]!r}">'
                   f'<freejoint/>{geom}</body>')
    bodies = bodies.replace("np.float64(", "").replace(")", "")
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option ccd_tolerance="1e-10" ccd_iterations="500"/>'
        f'<asset><mesh name="pyramid" vertex="{vertices}"/></asset>'
        f'<worldbody>{bodies}</worldbody></mujoco>')
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    if data.ncon > 0:
        return min(c.dist for c in data.contact)
    return mujoco.mj_geomDistance(model, data, 0, 1, 10.0, None)


def main():
    random = np.random.default_rng(1)
    rows = []
    for i, a in enumerate(NAMES):
        for b in NAMES[i:]:
            for _ in range(12):
                poses = []
                for _ in range(2):
                    q = random.normal(size=4)
                    poses.append((q / np.linalg.norm(q),
                                  random.uniform(-1, 1, size=3)))
                numbers = np.concatenate([x for pose in poses for x in pose])
                distance = mujoco_distance(a, b, poses)
                results = [("mujoco", distance)]
                if distance > 0:
                    results.append(("drake", drake_distance(a, b, poses)))
                for engine, value in results:
                    rows.append(" ".join([engine, a, b] +
                                         [repr(float(x)) for x in numbers] +
                                         [repr(float(value))]))
    path = pathlib.Path(__file__).with_suffix(".txt")
    path.write_text("\n".join(rows) + "\n")
    print(len(rows), "rows")


if __name__ == "__main__":
    main()
