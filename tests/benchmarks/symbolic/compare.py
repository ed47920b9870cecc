#!/usr/bin/env python3
"""Times symbolic_benchmark and the same cases in Drake in turn, and prints the
processor time of both in microseconds, the best of `--rounds`, and their ratio;
the target is half of Drake's.

    tests/benchmarks/symbolic/compare.py BUILD_DIR/bin/symbolic_benchmark \\
        --drake-python PYTHON
"""

import argparse
import json
import pathlib
import subprocess

TARGET = 0.5


def ours(program):
    out = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.2",
         "--benchmark_filter=-Robot"],
        check=True, capture_output=True, text=True).stdout
    return {b["name"].removeprefix("BM_"): b["cpu_time"] * 1e-3
            for b in json.loads(out)["benchmarks"] if b["time_unit"] == "ns"}


def drakes(python):
    script = pathlib.Path(__file__).with_name("drake_symbolic.py")
    out = subprocess.run([python, script], check=True, capture_output=True,
                         text=True).stdout
    return {name: float(us) for name, us in
            (line.split("\t") for line in out.splitlines())}


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
            for name, us in times.items():
                result[name] = min(us, result.get(name, float("inf")))
    print(f"{'microseconds':27}{'wyvern':>10}{'drake':>10}{'ratio':>8}")
    for name, us in best[0].items():
        if name not in best[1]:
            print(f"{name:27}{us:10.2f}{'-':>10}{'-':>8}")
            continue
        peers = best[1][name]
        verdict = "" if us <= TARGET * peers else "  missed"
        print(f"{name:27}{us:10.2f}{peers:10.2f}{us / peers:8.3f}{verdict}")


if __name__ == "__main__":
    main()
