#!/usr/bin/env python3
"""Runs the published problems on Wyvern and on every peer that is installed.

Prints a table and writes figures.csv and one picture per problem. A peer that
is not installed has a row that says so; a peer that fails has a row without an
error. All programs run one after another, on one thread.

  python3 compare.py build/bench/bin/published_benchmark

CVODE needs the headers of SUNDIALS (Debian: libsundials-dev) and a compiler;
the others are packages of PyPI: scipy, drake, mujoco; pictures need
matplotlib.
"""

import argparse
import csv
import io
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FIELDS = ["problem", "program", "method", "tolerance", "error", "evaluations",
          "ms"]
PEERS = {"scipy": "scipy_peer.py", "Drake": "drake_peer.py",
         "MuJoCo": "mujoco_peer.py"}


def missing(program, why):
    return [dict(zip(FIELDS, ["all", program, f"not installed: {why}", "", "",
                              "", ""]))]


def parse(text):
    return list(csv.DictReader(io.StringIO(text), fieldnames=FIELDS))


def run_wyvern(program):
    result = subprocess.run([program], capture_output=True, text=True)
    sys.stderr.write(result.stderr)
    return parse(result.stdout)[1:]


def run_cvode(compiler):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "cvode_peer")
        command = [compiler, "-std=c++20", "-O2", f"-I{ROOT}",
                   str(HERE / "peers/cvode_peer.cc"), "-o", program,
                   "-lsundials_cvode", "-lsundials_nvecserial",
                   "-lsundials_generic", "-lsundials_sunlinsoldense",
                   "-lsundials_sunmatrixdense",
                   "-lsundials_sunnonlinsolfixedpoint"]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            # Not every release has a library of its own for generic code.
            command.remove("-lsundials_generic")
            made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            reason = next((line for line in made.stderr.splitlines()
                           if "error" in line), "it does not compile")
            return missing("CVODE", reason.split("error:")[-1].strip())
        return parse(subprocess.run([program], capture_output=True,
                                    text=True).stdout)


def run_peer(name):
    result = subprocess.run([sys.executable, str(HERE / "peers" / PEERS[name])],
                            capture_output=True, text=True)
    if "ModuleNotFoundError" in result.stderr:
        return missing(name, result.stderr.strip().splitlines()[-1])
    rows = parse(result.stdout)
    if result.returncode != 0:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        rows.append(dict(zip(FIELDS, ["all", name, f"ended early: {last}", "",
                                      "", "", ""])))
    return rows


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def fastest_within(rows, bound):
    """The row of the least time among those whose error is within `bound`."""
    good = [row for row in rows if number(row["error"]) <= bound]
    return min(good, key=lambda row: number(row["ms"]), default=None)


def print_table(rows):
    problems = list(dict.fromkeys(row["problem"] for row in rows
                                  if row["problem"] != "all"))
    print("| problem | program, method | 1e-3 | 1e-5 | 1e-7 | 1e-9 |")
    print("|---|---|---|---|---|---|")
    for problem in problems:
        ours = [row for row in rows if row["problem"] == problem]
        methods = list(dict.fromkeys((row["program"], row["method"])
                                     for row in ours))
        for method in methods:
            runs = [row for row in ours
                    if (row["program"], row["method"]) == method]
            cells = []
            for bound in (1e-3, 1e-5, 1e-7, 1e-9):
                best = fastest_within(runs, bound)
                cells.append(f"{number(best['ms']):.3g} ms" if best else "-")
            print(f"| {problem} | {' '.join(method)} | {' | '.join(cells)} |")
    for row in rows:
        if row["problem"] == "all":
            print(f"| all | {row['program']} | {row['method']} | | | |")


def draw(rows, folder):
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError as error:
        print(f"no pictures: {error}", file=sys.stderr)
        return
    matplotlib.rcParams["svg.hashsalt"] = "wyvern"
    problems = list(dict.fromkeys(row["problem"] for row in rows
                                  if row["problem"] != "all"))
    columns = 3
    lines = (len(problems) + columns - 1) // columns
    figure, axes = pyplot.subplots(lines, columns, squeeze=False,
                                   figsize=(4.2 * columns, 3.4 * lines))
    for ax in axes.flat[len(problems):]:
        ax.set_visible(False)
    for ax, problem in zip(axes.flat, problems):
        runs = [row for row in rows if row["problem"] == problem]
        for key in dict.fromkeys((r["program"], r["method"]) for r in runs):
            points = [(number(r["ms"]), number(r["error"])) for r in runs
                      if (r["program"], r["method"]) == key]
            points = [p for p in points if p[1] > 0 and p[0] > 0]
            if points:
                ax.loglog(*zip(*points), marker=".", label=" ".join(key),
                          linestyle="-" if key[0] == "Wyvern" else "--")
        ax.set_title(problem, fontsize=9)
        ax.set_xlabel("time [ms]", fontsize=8)
        ax.set_ylabel("error", fontsize=8)
        ax.tick_params(labelsize=7)
        ax.legend(fontsize=6)
        ax.grid(True, alpha=0.3)
    figure.tight_layout()
    figure.savefig(folder / "work_precision.svg", metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program published_benchmark")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--output", type=pathlib.Path, default=HERE,
                        help="folder for figures.csv and the picture")
    parser.add_argument("--draw-only", action="store_true",
                        help="read figures.csv instead of running anything")
    options = parser.parse_args()
    file = options.output / "figures.csv"
    if options.draw_only:
        rows = parse(file.read_text())[1:]
    else:
        rows = run_wyvern(options.program) + run_cvode(options.compiler)
        for name in PEERS:
            rows += run_peer(name)
        with open(file, "w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    print_table(rows)
    draw(rows, options.output)


if __name__ == "__main__":
    main()
