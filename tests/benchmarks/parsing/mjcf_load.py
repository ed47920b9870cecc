"""Times MuJoCo's loading of the files that Wyvern has loaded, and compares:
  python3 mjcf_load.py FOLDER wyvern.txt
with what parsing_benchmark printed of that folder.

A second load in one process takes meshes and pictures from MuJoCo's cache of
assets. Wyvern has no such cache, so the loads are timed with the cache switched
off, and then with it.
"""

import sys
import time

import mujoco


def least_of_two(path):
    least = float("inf")
    for _ in range(2):
        begin = time.perf_counter()
        mujoco.MjModel.from_xml_path(path)
        least = min(least, 1e3 * (time.perf_counter() - begin))
    return least


folder, figures = sys.argv[1:]
lines = [line.split() for line in open(figures).read().splitlines()]
ours = {path: float(milliseconds) for path, milliseconds in lines}
cache = mujoco.mj_getCache()
capacity = mujoco.mj_getCacheCapacity(cache)
print(f"{len(ours)} files, MuJoCo {mujoco.__version__}")
print(f"Wyvern {sum(ours.values()):.0f} ms")
for name, size in (("without its cache", 0), ("with its cache", capacity)):
    mujoco.mj_setCacheCapacity(cache, size)
    theirs = {path: least_of_two(f"{folder}/{path}") for path in ours}
    ratios = sorted((ours[path] / theirs[path], path) for path in ours)
    print(f"MuJoCo {name}: {sum(theirs.values()):.0f} ms, median ratio "
          f"{ratios[len(ratios) // 2][0]:.2f}; the largest:")
    for ratio, path in ratios[:-9:-1]:
        print(f"{ratio:6.2f} {ours[path]:8.1f} {theirs[path]:8.1f} ms {path}")
