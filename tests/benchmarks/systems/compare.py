#!/usr/bin/env python3
"""Times framework_benchmark and Drake's same diagrams in turn, and prints the
processor time of both, the best of `--rounds`, their ratio and its target; then
AutoDiffXd beside Eigen::AutoDiffScalar.

    tests/benchmarks/systems/compare.py BUILD_DIR/bin/systems_benchmark \\
        --drake-python PYTHON
"""

import argparse
import json
import pathlib
import re
import subprocess

TARGET = 1 / 3
TARGETS = {"Cells/100": 0.2, "Cells/1000": 0.2, "Cells/10000": 0.2}


def ours(program):
    out = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.2"],
        check=True, capture_output=True, text=True).stdout
    assert all(b["time_unit"] in ("us", "ns")
               for b in json.loads(out)["benchmarks"])
    return {b["name"]: 1e9 / b["items_per_second"]
            if "items_per_second" in b else b["cpu_time"]
            for b in json.loads(out)["benchmarks"]}


def drakes(python):
    script = pathlib.Path(__file__).with_name("drake_framework.py")
    out = subprocess.run([python, script], check=True, capture_output=True,
                         text=True).stdout
    return {name: float(ns) for name, ns in
            (line.split() for line in out.splitlines())}


def print_header(title, peer):
    print(f"{title:24}{'wyvern':>10}{peer:>10}{'ratio':>8}{'target':>9}")


def print_row(name, mine, peers, target):
    verdict = "" if mine <= target * peers else "  missed"
    print(f"{name:24}{mine:10.0f}{peers:10.0f}{mine / peers:8.3f}"
          f"{target:9.3f}{verdict}")


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
    print_header("nanoseconds per step", "drake")
    for name, ns in best[1].items():
        print_row(name, best[0][name], ns, TARGETS.get(name, TARGET))
    print()
    print_header("AutoDiff, nanoseconds", "Eigen")
    for name, ns in best[0].items():
        if "<Ours>" in name:
            print_row(re.sub("<Ours>", "", name), ns,
                      best[0][name.replace("<Ours>", "<Eigens>")], 1)


if __name__ == "__main__":
    main()
