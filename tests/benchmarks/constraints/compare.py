#!/usr/bin/env python3
"""Runs constraints_benchmark, its engines interleaved, and prints the best time
of each in microseconds, its ratio to Pinocchio's, and what that ratio is to be
at most: half of RBDL's to Pinocchio's, as measured elsewhere, for each method,
and 0.8 for the best one.

    tests/benchmarks/constraints/compare.py BUILD_DIR/bin/constraints_benchmark
"""

import collections
import json
import subprocess
import sys

PINOCCHIO = (14.7, 24.3, 39.4)
RBDL = {"direct": (33, 43, 63), "range_space": (57, 68, 99),
        "null_space": (54, 54, 85), "kokkevis": (31, 48, 103)}
SIZES = ("6", "12", "24")


def main():
    out = subprocess.run(
        [sys.argv[1], "--benchmark_format=json", "--benchmark_min_time=0.05",
         "--benchmark_repetitions=9",
         "--benchmark_enable_random_interleaving=true"],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    best = collections.defaultdict(dict)
    for b in json.loads(out)["benchmarks"]:
        if b["run_type"] != "iteration":
            continue
        size, engine = b["run_name"].split("/")
        time = b["cpu_time"] / 1000
        best[engine][size] = min(best[engine].get(size, time), time)
    peer = best.get("pinocchio", {})
    print("constraints  " + "".join(f"{size:>22}" for size in SIZES))
    for engine, times in best.items():
        row = f"{engine:12} "
        for i, size in enumerate(SIZES):
            row += f"{times[size]:8.2f}"
            if not peer or engine == "pinocchio":
                row += " " * 14
                continue
            limit = RBDL[engine][i] / 2 / PINOCCHIO[i]
            row += f" {times[size] / peer[size]:5.2f} <={limit:5.2f}"
        print(row)
    if peer:
        for size in SIZES:
            least = min(best[method][size] for method in RBDL)
            print(f"best of {size}: {least / peer[size]:.2f} <= 0.80")


if __name__ == "__main__":
    main()
