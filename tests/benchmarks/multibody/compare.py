#!/usr/bin/env python3
"""Runs multibody_benchmark, its engines interleaved, and prints the best time
of each in nanoseconds, Wyvern's to Pinocchio's (the faster of its two
conventions), and the plant's to Wyvern's own kernels.

    tests/benchmarks/multibody/compare.py BUILD_DIR/bin/multibody_benchmark
"""

import argparse
import collections
import json
import subprocess

TARGETS = {"inverse_dynamics": 0.42, "mass_matrix": 0.8,
           "forward_dynamics": 0.6, "jacobians": 0.8,
           "d_inverse_dynamics": 0.8, "d_forward_dynamics": 0.8}


def run(program, repetitions, only):
    out = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.05",
         f"--benchmark_repetitions={repetitions}",
         "--benchmark_enable_random_interleaving=true",
         f"--benchmark_filter={only}"],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    best = collections.defaultdict(dict)
    for b in json.loads(out)["benchmarks"]:
        if b["run_type"] != "iteration":
            continue
        model, quantity, engine = b["run_name"].split("/")
        times = best[quantity, model]
        times[engine] = min(times.get(engine, float("inf")), b["cpu_time"])
    return best


def cell(number, digits, width=10):
    return f"{number:{width}.{digits}f}" if number else " " * (width - 1) + "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--only", default=".", help="a regular expression")
    args = parser.parse_args()
    best = run(args.program, args.repetitions, args.only)
    print(f"{'':31}{'wyvern':>10}{'plant':>10}{'pinocchio':>10}"
          f"{'ratio':>8}{'target':>8}{'plant/w':>9}")
    for (quantity, model), times in sorted(best.items()):
        wyvern = times.get("wyvern")
        plant = times.get("wyvern_plant")
        peer = min((t for engine, t in times.items()
                    if engine.startswith("pinocchio")), default=None)
        print(f"{quantity:19}{model:12}{cell(wyvern, 0)}{cell(plant, 0)}"
              f"{cell(peer, 0)}{cell(wyvern and peer and wyvern / peer, 2, 8)}"
              f"{cell(TARGETS.get(quantity), 2, 8)}"
              f"{cell(wyvern and plant and plant / wyvern, 2, 9)}")


if __name__ == "__main__":
    main()
