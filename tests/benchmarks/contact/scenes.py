"""The scenes, said once for all engines.

A scene is bodies, each with its joint to a parent, mass, geometries and, for a
hinge, a position controller. The file format that write() makes is read by
contact_benchmark.cc.
"""
import dataclasses
import math
import random


@dataclasses.dataclass
class Geom:
    shape: str  # box (half sizes), sphere, capsule, cylinder (radius, half l.)
    size: tuple
    pos: tuple = (0, 0, 0)
    quat: tuple = (1, 0, 0, 0)


@dataclasses.dataclass
class Body:
    name: str
    mass: float
    inertia: tuple  # Diagonal, about the centre of mass.
    pos: tuple  # In the parent.
    geoms: list
    parent: int = -1
    com: tuple = (0, 0, 0)
    quat: tuple = (1, 0, 0, 0)
    axis: tuple = None  # A hinge; without one the body is free.
    kp: float = 0
    damping: float = 0


@dataclasses.dataclass
class Scene:
    name: str
    bodies: list
    walls: list = dataclasses.field(default_factory=list)
    settle: float = 2.0  # [s]
    steps: int = 2000
    dt: float = 0.002
    mu: float = 0.5
    stands: bool = True  # Boxes stand on their lower faces.


def solid(shape, size, mass):
    """Moments of inertia of a solid about its centre."""
    if shape == 'sphere':
        return (0.4 * mass * size[0] ** 2,) * 3
    if shape == 'box':
        x, y, z = (2 * s for s in size)
        return tuple(mass / 12 * s for s in
                     (y * y + z * z, x * x + z * z, x * x + y * y))
    r, h = size[0], 2 * size[1]
    if shape == 'cylinder':
        side = mass * (3 * r * r + h * h) / 12
        return (side, side, mass * r * r / 2)
    # A capsule: a cylinder and two half balls.
    ball = 4 / 3 * math.pi * r ** 3
    tube = math.pi * r * r * h
    mb, mt = mass * ball / (ball + tube), mass * tube / (ball + tube)
    side = (mt * (3 * r * r + h * h) / 12 +
            mb * (0.4 * r * r + h * h / 4 + 3 / 8 * h * r))
    return (side, side, mt * r * r / 2 + mb * 0.4 * r * r)


def free(name, shape, size, mass, pos, quat=(1, 0, 0, 0)):
    return Body(name, mass, solid(shape, size, mass), pos, [Geom(shape, size)],
                quat=quat)


def box_scene():
    return Scene('1 box', [free('b', 'box', (.05,) * 3, 1, (0, 0, .05))],
                 steps=20000)


def tower(n):
    return Scene(f'tower of {n}', [
        free(f'b{i}', 'box', (.05,) * 3, 1, (0, 0, .1 * (i + .5)))
        for i in range(n)])


def separate(n):
    side = math.ceil(math.sqrt(n))
    return Scene(f'{n} separate boxes', [
        free(f'b{i}', 'box', (.05,) * 3, 1,
             (.3 * (i % side), .3 * (i // side), .05)) for i in range(n)])


def clutter(n):
    """Boxes, balls, capsules and cylinders, dropped between four walls."""
    rng = random.Random(1)
    bodies = []
    side = 3 if n <= 50 else 5
    half = side * .07 + .01
    for i in range(n):
        layer, cell = divmod(i, side * side)
        pos = (.14 * (cell % side - (side - 1) / 2) + rng.uniform(-.005, .005),
               .14 * (cell // side - (side - 1) / 2) + rng.uniform(-.005, .005),
               .07 + .15 * layer)
        shape = ('box', 'sphere', 'capsule', 'cylinder')[i % 4]
        size = {'box': (.04, .03, .035), 'sphere': (.04,),
                'capsule': (.025, .035), 'cylinder': (.035, .03)}[shape]
        q = [rng.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(x * x for x in q))
        bodies.append(free(f'b{i}', shape, size, .2, pos,
                           tuple(x / length for x in q)))
    high = 2.0
    walls = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        walls.append(Geom('box', (.1 if x else half + .2,
                                  .1 if y else half + .2, high),
                          (x * (half + .1), y * (half + .1), high)))
    return Scene(f'clutter of {n}', bodies, walls, settle=2.0,
                 steps=100 if n > 50 else 500, stands=False)


def humanoid():
    """27 degrees of freedom, standing on two feet by position control."""
    bodies = []

    def add(name, parent, pos, mass, geoms, com, axis=None, kp=0, damping=0):
        shape = geoms[0]
        inertia = solid(shape.shape, shape.size, mass)
        bodies.append(Body(name, mass, inertia, pos, geoms, parent, com,
                           axis=axis, kp=kp, damping=damping))
        return len(bodies) - 1

    def stick(radius, length):
        """Downwards from the origin."""
        half = length / 2 - radius
        return [Geom('capsule', (radius, half), (0, 0, -length / 2))], (
            0, 0, -length / 2)

    def cross(name, parent, pos, axis, kp, damping):
        """A light link of a joint with several axes."""
        bodies.append(Body(name, .5, (1e-3,) * 3, pos, [], parent, axis=axis,
                           kp=kp, damping=damping))
        return len(bodies) - 1

    X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    torso = add('torso', -1, (0, 0, 1.27), 12,
                [Geom('box', (.08, .14, .18), (0, 0, .05)),
                 Geom('sphere', (.09,), (0, 0, .35))], (0, 0, .05))
    w1 = cross('waist_z', torso, (0, 0, -.2), Z, 600, 30)
    w2 = cross('waist_y', w1, (0, 0, 0), Y, 1500, 60)
    pelvis = add('pelvis', w2, (0, 0, -.06), 6,
                 [Geom('box', (.07, .12, .05))], (0, 0, 0), X, 1500, 60)
    for s, side in ((1, 'l'), (-1, 'r')):
        h1 = cross(side + '_hip_x', pelvis, (0, .09 * s, -.08), X, 1500, 60)
        h2 = cross(side + '_hip_z', h1, (0, 0, 0), Z, 600, 30)
        geoms, com = stick(.055, .4)
        thigh = add(side + '_thigh', h2, (0, 0, 0), 5, geoms, com, Y, 1500, 60)
        geoms, com = stick(.045, .4)
        shin = add(side + '_shin', thigh, (0, 0, -.42), 3, geoms, com, Y, 1500,
                   60)
        a1 = cross(side + '_ankle_y', shin, (0, 0, -.41), Y, 1200, 40)
        add(side + '_foot', a1, (0, 0, 0), 1.2,
            [Geom('box', (.11, .045, .025), (.03, 0, -.075))], (.03, 0, -.075),
            X, 1200, 40)
        s1 = cross(side + '_shoulder_y', torso, (0, .2 * s, .18), Y, 150, 10)
        geoms, com = stick(.04, .3)
        arm = add(side + '_arm', s1, (0, .03 * s, 0), 1.8, geoms, com, X, 150,
                  10)
        geoms, com = stick(.035, .28)
        add(side + '_forearm', arm, (0, 0, -.31), 1.2, geoms, com, Y, 100, 6)
    # So that the soles touch the ground.
    bodies[0].pos = (0, 0, .2 + .06 + .08 + .42 + .41 + .1)
    return Scene('humanoid', bodies, settle=3.0, steps=5000, mu=.8)


def all_scenes():
    return [box_scene(), tower(10), separate(50), separate(200), clutter(50),
            clutter(200), humanoid()]


def write(scene, path):
    """Plain numbers for contact_benchmark."""
    with open(path, 'w') as file:
        print('scene', scene.dt, scene.mu, scene.settle, scene.steps, file=file)

        def put(geom, body):
            size = list(geom.size) + [0] * (3 - len(geom.size))
            print('geom', body, geom.shape, *size, *geom.pos, *geom.quat,
                  file=file)
        for i, b in enumerate(scene.bodies):
            print('body', b.parent, b.mass, *b.inertia, *b.com, *b.pos, *b.quat,
                  *(b.axis or (0, 0, 0)), b.kp, b.damping, file=file)
            for geom in b.geoms:
                put(geom, i)
        for wall in scene.walls:
            put(wall, -1)
