"""Surface queries and steps of hydroelastic contact beside Drake.

  PEER_PYTHON tests/benchmarks/hydroelastic/compare.py \\
      build/bench/bin/hydroelastic_benchmark

PEER_PYTHON is a Python with pydrake; without it there are our figures alone.
The two programs of a scene take turns, and medians of the rounds are printed.
"""
import argparse
import os
import statistics
import sys
import tempfile

import scenes

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..'))
from compare_programs import Program  # noqa: E402


def compare(scene, arguments, folder):
    path = scenes.write(scene, folder)
    ours = Program([arguments.program, scene.mode, path], arguments.limit)
    theirs = Program([sys.executable, os.path.join(HERE, 'peers.py'),
                      scene.mode, path], arguments.limit)
    # The balls settle, and what is used again grows.
    first = 50 if scene.mode == 'step' else 5
    for program in (ours, theirs):
        program.take(first, counts=False)
    slowest = max([p.last['us'] for p in (ours, theirs) if p.last] or [1e6])
    n = max(2, min(5000, round(arguments.seconds * 1e6 / slowest)))
    for _ in range(arguments.rounds):
        for program in (ours, theirs):
            program.take(n)
    for program in (ours, theirs):
        program.close()
    return ours, theirs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program')
    parser.add_argument('--only', default='', help='part of a scene\'s name')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=float, default=0.1,
                        help='of the slower engine in each round, about')
    parser.add_argument('--limit', type=float, default=300,
                        help='s that an engine may take at a time')
    arguments = parser.parse_args()
    arguments.program = os.path.abspath(arguments.program)
    print('us per query or step of 2 ms (faces), and our time over theirs')
    print(f'{"scene":34} {"wyvern":>18} {"drake":>20} {"ratio":>6}')
    for scene in scenes.all_scenes():
        name = f'{scene.mode}: {scene.name}'
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = compare(scene, arguments, folder)
        cells = [name.ljust(34)]
        for program, width in ((ours, 18), (theirs, 20)):
            cells.append(
                (f'{statistics.median(program.times):.1f} '
                 f'({program.last["faces"]})' if program.times else '-')
                .rjust(width))
        if ours.times and theirs.times:
            ratio = (statistics.median(ours.times) /
                     statistics.median(theirs.times))
            cells.append(f'{ratio:.2f}'.rjust(6))
        print(*cells, flush=True)


if __name__ == '__main__':
    main()
