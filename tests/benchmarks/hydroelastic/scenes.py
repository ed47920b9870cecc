"""Scenes of hydroelastic contact, one description for both engines.

A scene file has a line of settings,

  settings dt mu

and a line for each body,

  body free mass inertia  x y z  vx vy vz  kind modulus margin  shape numbers

with `free` 1 or 0 (welded to the world), `kind` rigid or compliant, and a shape
box (size), half_space (slab thickness) or mesh (path of a .vtk file). Balls are
meshes, so that both engines have the same tetrahedra: an octahedron whose faces
are split n times, each triangle of it with the centre.
"""
import dataclasses
import math
import os

RADIUS = 0.05
DEPTH = 1e-3
# 8 * 4**n tetrahedra: 512 and 8192.
SPLITS = {'coarse': 3, 'fine': 5}
MODULUS = 1e6
MASS = 0.5


def ball_mesh(splits):
    vertices = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1),
                (0, 0, -1)]
    triangles = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5),
                 (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(splits):
        middles = {}

        def middle(i, j):
            key = (min(i, j), max(i, j))
            if key not in middles:
                p = [a + b for a, b in zip(vertices[i], vertices[j])]
                size = math.sqrt(sum(x * x for x in p))
                middles[key] = len(vertices)
                vertices.append(tuple(x / size for x in p))
            return middles[key]

        finer = []
        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = finer
    return vertices, triangles


def write_ball(path, splits):
    vertices, triangles = ball_mesh(splits)
    centre = len(vertices)
    with open(path, 'w') as f:
        f.write('# vtk DataFile Version 3.0\nball\nASCII\n'
                'DATASET UNSTRUCTURED_GRID\n')
        f.write(f'POINTS {centre + 1} double\n')
        for p in vertices + [(0, 0, 0)]:
            f.write(' '.join(repr(RADIUS * x) for x in p) + '\n')
        n = len(triangles)
        f.write(f'CELLS {n} {5 * n}\n')
        # The right-hand normal of the first three points to the fourth.
        for i, j, k in triangles:
            f.write(f'4 {i} {k} {j} {centre}\n')
        f.write(f'CELL_TYPES {n}\n' + '10\n' * n)


@dataclasses.dataclass
class Body:
    shape: str
    numbers: list
    kind: str = 'compliant'
    free: bool = True
    p: tuple = (0, 0, 0)
    v: tuple = (0, 0, 0)
    modulus: float = MODULUS
    # Both engines take it; here a surface ends where the geometries do.
    margin: float = 0


@dataclasses.dataclass
class Scene:
    name: str
    mode: str  # `query` or `step`.
    fineness: str
    bodies: list
    dt: float = 2e-3
    mu: float = 0.5


def ground(which):
    if which == 'wall':
        return Body('half_space', [0.01], 'rigid', False)
    if which == 'soft ground':
        return Body('half_space', [0.01], 'compliant', False)
    kind = 'rigid' if which == 'rigid plate' else 'compliant'
    return Body('box', [4, 4, 0.1], kind, False, (0, 0, -0.05))


# Not where sides of the ball's triangles and of the plate's are on one line.
def ball(fineness, kind='compliant', p=(0.013, 0.029, RADIUS - DEPTH),
         v=(0, 0, 0)):
    return Body('mesh', [fineness], kind, True, p, v)


def queries(fineness):
    # Not along an axis of the octahedron, nor symmetric.
    direction = (0.36, 0.48, 0.8)
    beside = tuple((2 * RADIUS - 4 * DEPTH) * x for x in direction)
    for name, bodies in (
            ('soft ball, wall', [ground('wall'), ball(fineness)]),
            ('soft ball, rigid plate',
             [ground('rigid plate'), ball(fineness)]),
            ('rigid ball, soft ground',
             [ground('soft ground'), ball(fineness, 'rigid')]),
            ('soft ball, soft plate', [ground('soft plate'), ball(fineness)]),
            ('soft ball, rigid ball',
             [ball(fineness, p=(0, 0, 0)), ball(fineness, 'rigid', beside)]),
            ('soft ball, soft ball',
             [ball(fineness, p=(0, 0, 0)), ball(fineness, p=beside)])):
        yield Scene(f'{name}, {fineness}', 'query', fineness, bodies)


def steps(fineness, plate, count):
    # All roll the same way.
    bodies = [ground(plate)]
    for i in range(count):
        p = (0.013 + 0.15 * (i % 8), 0.029 + 0.15 * (i // 8), RADIUS - DEPTH)
        bodies.append(ball(fineness, p=p, v=(0.2, 0.1, 0)))
    return Scene(f'{count} on a {plate}, {fineness}', 'step', fineness, bodies)


def all_scenes():
    for fineness in SPLITS:
        yield from queries(fineness)
    for plate in ('wall', 'soft plate'):
        for fineness in SPLITS:
            for count in (1, 10, 50):
                yield steps(fineness, plate, count)


def write(scene, folder):
    """Returns the path of the scene; its mesh is beside it."""
    mesh = os.path.join(folder, scene.fineness + '.vtk')
    if not os.path.exists(mesh):
        write_ball(mesh, SPLITS[scene.fineness])
    path = os.path.join(folder, 'scene.txt')
    inertia = 0.4 * MASS * RADIUS * RADIUS
    with open(path, 'w') as f:
        f.write(f'settings {scene.dt} {scene.mu}\n')
        for b in scene.bodies:
            numbers = [mesh] if b.shape == 'mesh' else b.numbers
            f.write(' '.join(map(str, [
                'body', int(b.free), MASS, inertia, *b.p, *b.v, b.kind,
                b.modulus, b.margin, b.shape, *numbers])) + '\n')
    return path
