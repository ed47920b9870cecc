"""Time of a step at rest beside Drake and MuJoCo, scene by scene.

  PEER_PYTHON tests/benchmarks/contact/compare.py build/bench/bin/contact_benchmark

PEER_PYTHON is a Python with pydrake and mujoco; an engine that is absent, or
takes longer than the limit, is left out.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import scenes

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command, limit):
    try:
        out = subprocess.run(command, capture_output=True, text=True, cwd=HERE,
                             timeout=limit, check=True).stdout
        return json.loads(out.strip().splitlines()[-1])
    except (subprocess.SubprocessError, ValueError, IndexError):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program')
    parser.add_argument('--only', default='', help='part of a scene\'s name')
    parser.add_argument('--limit', type=float, default=300, help='seconds')
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    peers = ['drake', 'mujoco', 'mujoco_pyramidal']
    print('us per step of 2 ms (contacts), and the peer\'s time in multiples of '
          'ours')
    print(f'{"scene":20} {"wyvern":>14}', *(f'{p:>22}' for p in peers))
    for scene in scenes.all_scenes():
        if arguments.only not in scene.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'scene.txt')
            scenes.write(scene, path)
            ours = run([program, path], arguments.limit)
        if ours is None:
            print(f'{scene.name:20} failed')
            continue
        cells = [f'{ours["us"]:.1f} ({ours["contacts"]})'.rjust(14)]
        for peer in peers:
            theirs = run([sys.executable, 'peers.py', peer, scene.name],
                         arguments.limit)
            cells.append('-'.rjust(22) if theirs is None else
                         (f'{theirs["us"]:.1f} ({theirs["contacts"]}) '
                          f'x{theirs["us"] / ours["us"]:.2f}').rjust(22))
        print(f'{scene.name:20}', *cells, flush=True)


if __name__ == '__main__':
    main()
