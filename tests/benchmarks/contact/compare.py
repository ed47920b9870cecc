"""Times of a step, phase by phase, beside Drake and MuJoCo, scene by scene.

  PEER_PYTHON tests/benchmarks/contact/compare.py build/release/bin/contact_benchmark

PEER_PYTHON is a Python with pydrake and mujoco; an engine that is absent, or
takes longer than the limit, is left out. The engines take turns, round by
round; the time of a phase is the median of its rounds, or with --least the
least of them: for a machine whose speed changes from minute to minute.
"""
import argparse
import json
import os
import statistics
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
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--least', action='store_true')
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    of_rounds = min if arguments.least else statistics.median
    peers = ['drake', 'mujoco', 'mujoco_pyramidal']
    print('us: per step of 2 ms, and multiples of ours. At the end of the '
          'phase: contacts,\ndepth of the deepest (mm), energy (J). drift: '
          'the farthest way of a body (mm).')
    print(f'{"scene":18} {"phase":12} {"engine":17} {"us":>9} {"ratio":>7} '
          f'{"contacts":>8} {"depth":>9} {"drift":>9} {"energy":>9}')
    for scene in scenes.all_scenes():
        if arguments.only not in scene.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'scene.txt')
            scenes.write(scene, path)
            commands = {'wyvern': [program, path]}
            for peer in peers:
                commands[peer] = [sys.executable, 'peers.py', peer, scene.name]
            rounds = {engine: [] for engine in commands}
            for _ in range(arguments.rounds):
                for engine, command in commands.items():
                    # What fails or takes too long once is not tried again.
                    if None not in rounds[engine]:
                        rounds[engine].append(run(command, arguments.limit))
        for i, (phase, _) in enumerate(scene.phases):
            ours = None
            for engine, results in rounds.items():
                if None in results:
                    print(f'{scene.name:18} {phase:12} {engine:17} '
                          f'{"-":>9}', flush=True)
                    continue
                us = of_rounds(r['phases'][i]['us'] for r in results)
                last = results[-1]['phases'][i]
                if engine == 'wyvern':
                    ours = us
                ratio = f'x{us / ours:.2f}' if ours else '-'
                print(f'{scene.name:18} {phase:12} {engine:17} {us:9.1f} '
                      f'{ratio:>7} {last["contacts"]:8} '
                      f'{1e3 * last["depth"]:9.4f} {1e3 * last["drift"]:9.4f} '
                      f'{last["energy"]:9.3f}', flush=True)


if __name__ == '__main__':
    main()
