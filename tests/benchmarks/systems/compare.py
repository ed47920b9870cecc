#!/usr/bin/env python3
"""Times framework_benchmark and Drake's same diagrams in turn, and prints both
and their ratio, the best of each of `--rounds`.

    tests/benchmarks/systems/compare.py BUILD_DIR/bin/systems_benchmark \
        --drake-python PYTHON
"""

import argparse
import json
import pathlib
import subprocess


def ours(program):
    out = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.5"],
        check=True, capture_output=True, text=True).stdout
    return {b["name"]: 1e9 / b["items_per_second"]
            for b in json.loads(out)["benchmarks"]}


def drakes(python):
    script = pathlib.Path(__file__).with_name("drake_framework.py")
    out = subprocess.run([python, script], check=True, capture_output=True,
                         text=True).stdout
    return {name: float(ns) for name, ns in
            (line.split() for line in out.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--drake-python", default="python3")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    best = [{}, {}]
    for _ in range(args.rounds):
        for result, times in zip(best, (ours(args.program),
                                        drakes(args.drake_python))):
            for name, ns in times.items():
                result[name] = min(ns, result.get(name, float("inf")))
    print(f"{'nanoseconds per step':24}{'wyvern':>10}{'drake':>10}{'ratio':>8}")
    for name, ns in best[1].items():
        print(f"{name:24}{best[0][name]:10.0f}{ns:10.0f}"
              f"{best[0][name] / ns:8.3f}")


if __name__ == "__main__":
    main()
