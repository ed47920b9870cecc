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
    # box, ellipsoid (half sizes), sphere, capsule, cylinder (radius, half
    # length), hull (of points)
    shape: str
    size: tuple
    pos: tuple = (0, 0, 0)
    quat: tuple = (1, 0, 0, 0)
    points: tuple = ()


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
    targets: tuple = (0, 0)  # Angles of the two postures.
    velocity: tuple = (0, 0, 0)  # Of a free body.


@dataclasses.dataclass
class Scene:
    name: str
    bodies: list
    walls: list = dataclasses.field(default_factory=list)
    phases: tuple = (('settle', .5), ('rest', 3.0))  # Names and ends, s.
    dt: float = 0.002
    mu: float = 0.5
    stiffness: float = 2e5  # Of one geometry, N/m; two in series touch.
    dissipation: float = 50  # Hunt-Crossley, s/m.
    gravity: tuple = (0, 0, -9.81)
    half_period: float = 0  # The postures take turns; 0: always the first.
    stands: bool = True  # Boxes stand on their lower faces.


def solid(shape, size, mass):
    """Moments of inertia of a solid about its centre."""
    if shape == 'sphere':
        return (0.4 * mass * size[0] ** 2,) * 3
    if shape == 'ellipsoid':
        x, y, z = (s * s for s in size)
        return tuple(mass / 5 * s for s in (y + z, x + z, x + y))
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
                 phases=(('settle', .5), ('rest', 20.0)))


def slope():
    """A box held by friction: what it moves is creep."""
    g, tangent = 9.81, .3
    c = 1 / math.hypot(1, tangent)
    scene = box_scene()
    scene.name = 'box on a slope'
    scene.gravity = (g * c * tangent, 0, -g * c)
    return scene


def tower(n):
    return Scene(f'tower of {n}', [
        free(f'b{i}', 'box', (.05,) * 3, 1, (0, 0, .1 * (i + .5)))
        for i in range(n)])


def separate(n):
    side = math.ceil(math.sqrt(n))
    return Scene(f'{n} separate boxes', [
        free(f'b{i}', 'box', (.05,) * 3, 1,
             (.3 * (i % side), .3 * (i // side), .05)) for i in range(n)])


def pile(name, n, make, phases):
    """Bodies dropped in layers between four walls; make(i) gives a geometry."""
    rng = random.Random(1)
    bodies = []
    side = 3 if n <= 50 else 5
    half = side * .07 + .01
    for i in range(n):
        layer, cell = divmod(i, side * side)
        pos = (.14 * (cell % side - (side - 1) / 2) + rng.uniform(-.005, .005),
               .14 * (cell // side - (side - 1) / 2) + rng.uniform(-.005, .005),
               .07 + .15 * layer)
        geom = make(i)
        q = [rng.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(x * x for x in q))
        solid_as = 'box' if geom.shape == 'hull' else geom.shape
        bodies.append(Body(f'b{i}', .2, solid(solid_as, geom.size, .2), pos,
                           [geom], quat=tuple(x / length for x in q)))
    high = 2.0
    walls = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        walls.append(Geom('box', (.1 if x else half + .2,
                                  .1 if y else half + .2, high),
                          (x * (half + .1), y * (half + .1), high)))
    return Scene(name, bodies, walls, phases=phases, stands=False)


PILE = (('drop', .5), ('settle', 1.5), ('rest', 3.0))


def clutter(n):
    kinds = (Geom('box', (.04, .03, .035)), Geom('sphere', (.04,)),
             Geom('capsule', (.025, .035)), Geom('cylinder', (.035, .03)))
    return pile(f'clutter of {n}', n, lambda i: kinds[i % 4],
                PILE if n <= 50 else (('drop', .5), ('settle', 1.0)))


def round_shapes():
    kinds = (Geom('capsule', (.025, .035)), Geom('cylinder', (.035, .03)),
             Geom('ellipsoid', (.045, .03, .035)))
    return pile('45 round shapes', 45, lambda i: kinds[i % 3], PILE)


def hulls():
    rng = random.Random(2)

    def make(_):
        points = []
        for _ in range(16):
            v = [rng.gauss(0, 1) for _ in range(3)]
            length = math.sqrt(sum(x * x for x in v))
            points.append(tuple(.04 * x / length for x in v))
        # The moments of inertia are those of a box about as large.
        return Geom('hull', (.025,) * 3, points=tuple(points))
    return pile('36 hulls', 36, make, PILE)


def rollers():
    """A plate on six rollers, each way at a speed of its own."""
    lie = (math.sqrt(.5), math.sqrt(.5), 0, 0)  # The axis along y.
    bodies = [free(f'r{i}', 'cylinder', (.03, .15), .5,
                   (.12 * (i - 2.5), 0, .03), lie) for i in range(6)]
    plate = free('plate', 'box', (.4, .12, .01), 2, (0, 0, .07))
    plate.velocity = (.2, 0, 0)
    return Scene('plate on rollers', bodies + [plate], stands=False,
                 phases=(('roll', .5),))


def quadruped():
    """Trots: diagonal pairs of legs are lifted in turn."""
    bodies = [free('trunk', 'box', (.2, .1, .05), 8, (0, 0, .341))]
    stick = solid('capsule', (.02, .08), .6)
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        # The angles are zero on legs bent by half a radian.
        hip = (.15, 0) if x * y > 0 else (0, .15)
        knee = tuple(-2 * t for t in hip)
        name = f'leg{x}{y}'
        thigh = len(bodies)
        bodies.append(Body(
            name + '_thigh', .6, stick, (.18 * x, .12 * y, 0),
            [Geom('capsule', (.02, .06), (0, 0, -.1))], 0, (0, 0, -.1),
            quat=(math.cos(.25), 0, math.sin(.25), 0), axis=(0, 1, 0),
            kp=120, damping=3, targets=hip))
        bodies.append(Body(
            name + '_shin', .3, tuple(.5 * s for s in stick), (0, 0, -.18),
            [Geom('sphere', (.025,), (0, 0, -.18))], thigh, (0, 0, -.09),
            quat=(math.cos(.5), 0, -math.sin(.5), 0), axis=(0, 1, 0),
            kp=120, damping=3, targets=knee))
    return Scene('quadruped, 14 dof', bodies, mu=.8, half_period=.2,
                 phases=(('settle', .4), ('trot', 4.0)))


def hand():
    """A palm on the ground with four fingers that close on a ball."""
    bodies = [free('palm', 'box', (.06, .06, .02), 2, (0, 0, .02))]
    link = solid('capsule', (.01, .02), .05)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        # Turned about this axis, a finger leans inwards.
        axis = (y, -x, 0)
        parent, pos = 0, (.055 * x, .055 * y, .03)
        for k in range(3):
            bodies.append(Body(
                f'finger{x}{y}_{k}', .05, link, pos,
                [Geom('capsule', (.01, .012), (0, 0, .025))], parent,
                (0, 0, .025), axis=axis, kp=2, damping=.02,
                targets=(0, .35)))
            parent, pos = len(bodies) - 1, (0, 0, .05)
    bodies.append(free('ball', 'sphere', (.042,), .1, (0, 0, .082)))
    return Scene('hand of 4 fingers', bodies, mu=.8, half_period=.5,
                 phases=(('settle', .5), ('close', 1.0), ('open', 1.5),
                         ('close again', 2.0)))


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
    return Scene('humanoid', bodies, phases=(('settle', 1.0), ('rest', 6.0)),
                 mu=.8)


def driven_humanoid():
    """It bends its knees and swings its arms, and straightens again."""
    scene = humanoid()
    scene.name = 'driven humanoid'
    bend = {'thigh': -.05, 'shin': .1, 'ankle_y': -.05, 'forearm': -.8}
    for b in scene.bodies:
        b.targets = (0, bend.get(b.name[2:], 0))
    scene.half_period = .5
    scene.phases = (('settle', .5), ('driven', 4.0))
    return scene


def all_scenes():
    return [box_scene(), slope(), tower(10), separate(50), separate(200),
            clutter(50), clutter(200), round_shapes(), hulls(), rollers(),
            quadruped(), hand(), humanoid(), driven_humanoid()]


def turns(scene, begin, end):
    """Ends of the pieces of a phase and the posture to take after each."""
    pieces = []
    if scene.half_period > 0:
        k = 1
        while k * scene.half_period < end - 1e-9:
            if k * scene.half_period >= begin - 1e-9:
                pieces.append((k * scene.half_period, k % 2))
            k += 1
    return pieces + [(end, None)]


def write(scene, path):
    """Plain numbers for contact_benchmark."""
    with open(path, 'w') as file:
        print('scene', scene.dt, scene.mu, scene.stiffness, scene.dissipation,
              scene.half_period, *scene.gravity, len(scene.phases), file=file)
        for name, end in scene.phases:
            print(name.replace(' ', '_'), end, file=file)

        def put(geom, body):
            size = list(geom.size) + [0] * (3 - len(geom.size))
            points = [x for p in geom.points for x in p]
            count = [len(geom.points)] if geom.points else []
            print('geom', body, geom.shape, *size, *geom.pos, *geom.quat,
                  *count, *points, file=file)
        for i, b in enumerate(scene.bodies):
            print('body', b.parent, b.mass, *b.inertia, *b.com, *b.pos, *b.quat,
                  *(b.axis or (0, 0, 0)), b.kp, b.damping, *b.targets,
                  *b.velocity, file=file)
            for geom in b.geoms:
                put(geom, i)
        for wall in scene.walls:
            put(wall, -1)
