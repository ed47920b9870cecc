"""Times MuJoCo's loading of the files that Wyvern has loaded, and compares:
  python3 mjcf_load.py FOLDER wyvern.txt
with what parsing_benchmark printed of that folder."""

import sys
import time

import mujoco

folder, figures = sys.argv[1:]
mine, theirs, slower = 0.0, 0.0, []
lines = open(figures).read().splitlines()
for line in lines:
    path, milliseconds = line.split()
    least = float("inf")
    for _ in range(2):
        begin = time.perf_counter()
        mujoco.MjModel.from_xml_path(f"{folder}/{path}")
        least = min(least, 1e3 * (time.perf_counter() - begin))
    mine += float(milliseconds)
    theirs += least
    slower.append((float(milliseconds) / least, path, milliseconds, least))
print(f"{len(lines)} files: Wyvern {mine:.0f} ms, MuJoCo {theirs:.0f} ms")
for ratio, path, own, other in sorted(slower, reverse=True)[:8]:
    print(f"{ratio:6.2f} {float(own):8.1f} {other:8.1f} ms {path}")
