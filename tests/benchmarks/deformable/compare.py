"""Steps of deformable bodies beside Drake.

  PEER_PYTHON tests/benchmarks/deformable/compare.py \\
      build/bench/bin/deformable_benchmark

PEER_PYTHON is a Python with pydrake; without it there are our figures alone.
The two programs of a scene take turns; medians of the rounds are printed, our
time over Drake's, and how far apart the bodies' middles are in the end.
"""
import argparse
import math
import os
import statistics
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..'),
                os.path.join(HERE, '..', '..', 'oracles')]
from compare_programs import Program  # noqa: E402
from deformable_mesh import write_mesh  # noqa: E402

SIZES = (8, 12, 16, 24)  # Bricks along; half as many across.
SCENES = ('free', 'wall', 'ground')
MATERIALS = ('linear_corotated', 'neo_hookean', 'corotated')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program')
    parser.add_argument('--only', default='', help='part of a scene\'s name')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--steps', type=int, default=10, help='of a round')
    parser.add_argument('--limit', type=float, default=300,
                        help='seconds after which a program has no figure')
    arguments = parser.parse_args()
    print(f'{"scene":42} {"ours, ms":>10} {"Drake, ms":>10} {"ratio":>7} '
          f'{"apart, mm":>10}')
    with tempfile.TemporaryDirectory() as folder:
        for n in SIZES:
            mesh = os.path.join(folder, f'bar_{n}.vtk')
            write_mesh(mesh, (n, n // 2, n // 2))
            count = 6 * n * (n // 2) ** 2
            for scene in SCENES:
                for material in MATERIALS:
                    name = f'{scene}, {material}, {count} tetrahedra'
                    if arguments.only not in name:
                        continue
                    compare(name, [mesh, scene, material], arguments)


def compare(name, scene, arguments):
    ours = Program([arguments.program, *scene], arguments.limit)
    theirs = Program([sys.executable, os.path.join(HERE, 'peers.py'), *scene],
                     arguments.limit)
    programs = (ours, theirs)
    for program in programs:  # The body comes to rest on what holds it.
        program.take(20, counts=False)
    for _ in range(arguments.rounds):
        for program in programs:
            program.take(arguments.steps)
    for program in programs:
        program.close()
    times = [statistics.median(p.times) / 1e3 if p.times else math.nan
             for p in programs]
    apart = (1e3 * math.dist(ours.last['middle'], theirs.last['middle'])
             if ours.last and theirs.last else math.nan)
    print(f'{name:42} {times[0]:10.3f} {times[1]:10.3f} '
          f'{times[0] / times[1]:7.2f} {apart:10.4f}', flush=True)


if __name__ == '__main__':
    main()
