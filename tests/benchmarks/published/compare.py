#!/usr/bin/env python3
"""Runs the published problems on Wyvern and on every peer that is installed, and
writes the results into README.md, figures.csv and work_precision.svg.

All programs run in turn, several rounds, each on one thread; a row has its least
time. A peer that is not installed, and a run that fails, are rows that say so.

  python3 compare.py build/bench/bin/published_benchmark

CVODE and Simbody need headers (Debian: libsundials-dev, libsimbody-dev) and a
compiler; other peers are packages of PyPI: scipy, drake, mujoco, exudyn. The
picture needs matplotlib.
"""

import argparse
import csv
import datetime
import io
import json
import math
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FIELDS = ["problem", "program", "method", "setting", "error", "evaluations",
          "ms", "note"]
# The package of each peer, and what its program is linked with.
PYTHON = {"scipy": "scipy", "Drake": "drake", "MuJoCo": "mujoco",
          "EXUDYN": "exudyn"}
COMPILED = {
    "CVODE": ("libsundials-dev", ["-lsundials_cvode", "-lsundials_nvecserial",
                                  "-lsundials_sunlinsoldense",
                                  "-lsundials_sunmatrixdense",
                                  "-lsundials_sunnonlinsolfixedpoint"]),
    # Simbody 3.7 compares ids in ways that are ambiguous in C++20.
    "Simbody": ("libsimbody-dev", ["-std=c++17", "-I/usr/include/simbody",
                                   "-lSimTKsimbody", "-lSimTKmath",
                                   "-lSimTKcommon"])}
BOUNDS = (1e-3, 1e-5, 1e-7)


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


class Comparison:
    def __init__(self, options):
        self.options = options
        self.missing = {}   # Peer: why it does not run.
        self.versions = {}  # Program: version.
        self.commands = {}  # Program: command that prints rows.
        self.rows = {}      # (problem, program, method, setting): row.

    def prepare(self, folder):
        self.commands["Wyvern"] = [self.options.program]
        self.versions["Wyvern"] = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=ROOT, text=True,
            capture_output=True).stdout.strip()
        problems = subprocess.run([self.options.program, "--problems"],
                                  text=True, capture_output=True).stdout
        self.versions["Wyvern"] += f" ({json.loads(problems)['build']})"
        for peer, (package, flags) in COMPILED.items():
            program = os.path.join(folder, peer)
            source = HERE / f"peers/{peer.lower()}_peer.cc"
            made = subprocess.run(
                [self.options.compiler, "-std=c++20", "-O3", "-march=native",
                 f"-I{ROOT}", str(source), "-o", program, *flags],
                capture_output=True, text=True)
            if made.returncode != 0:
                errors = [line for line in made.stderr.splitlines()
                          if "error" in line] or ["it does not compile"]
                self.missing[peer] = errors[0].split("error:")[-1].strip()
                continue
            self.commands[peer] = [program]
            self.versions[peer] = subprocess.run(
                ["dpkg-query", "-W", "-f", "${Version}", package], text=True,
                capture_output=True).stdout or "unknown"
        for peer, package in PYTHON.items():
            ask = ("import importlib.metadata as m, sys; "
                   f"print(m.version('{package}'))")
            answer = subprocess.run([self.options.python, "-c", ask], text=True,
                                    capture_output=True)
            if answer.returncode != 0:
                self.missing[peer] = f"no Python package {package}"
                continue
            self.versions[peer] = answer.stdout.strip()
            self.commands[peer] = [
                self.options.python, str(HERE / f"peers/{peer.lower()}_peer.py"),
                self.options.program]

    def run(self):
        environment = dict(os.environ, OMP_NUM_THREADS="1",
                           OPENBLAS_NUM_THREADS="1")
        for turn in range(self.options.rounds):
            for name, command in self.commands.items():
                print(f"round {turn + 1}: {name}", file=sys.stderr, flush=True)
                result = subprocess.run(command, capture_output=True, text=True,
                                        env=environment)
                rows = list(csv.DictReader(io.StringIO(result.stdout),
                                           fieldnames=FIELDS))
                for row in rows:
                    self.add(row)
                if result.returncode != 0:
                    lines = result.stderr.strip().splitlines() or ["no message"]
                    self.missing[name] = f"ended early: {lines[-1]}"

    def add(self, row):
        key = tuple(row[field] for field in FIELDS[:4])
        old = self.rows.get(key)
        if old is None or not number(old["ms"]) <= number(row["ms"]):
            self.rows[key] = row


def names_of(rows, *fields):
    return list(dict.fromkeys(tuple(row[f] for f in fields) for row in rows))


def least_time(rows, bound):
    """The least time of an error within `bound`, or NaN."""
    return min((number(row["ms"]) for row in rows
                if number(row["error"]) <= bound), default=math.nan)


def make_table(rows):
    """Least times for an error; the best of each problem is bold."""
    lines = ["| problem | program, method | "
             + " | ".join(f"{bound:.0e}" for bound in BOUNDS)
             + " | smallest error |", "|---|---|---|---|---|---|"]
    for (problem,) in names_of(rows, "problem"):
        ours = [row for row in rows if row["problem"] == problem]
        best = [least_time(ours, bound) for bound in BOUNDS]
        for program, method in names_of(ours, "program", "method"):
            runs = [row for row in ours if (row["program"], row["method"]) ==
                    (program, method)]
            cells = []
            for bound, least in zip(BOUNDS, best):
                time = least_time(runs, bound)
                cell = "-" if math.isnan(time) else f"{time:.3g} ms"
                cells.append(f"**{cell}**" if time == least else cell)
            errors = [e for e in (number(r["error"]) for r in runs)
                      if not math.isnan(e)]
            cells.append(f"{min(errors):.1e}" if errors else
                         runs[0]["note"] or "-")
            lines.append(f"| {problem} | {program} {method} | "
                         f"{' | '.join(cells)} |")
    return lines


def make_losses(rows):
    """Where a peer is faster than the best method of Wyvern."""
    lines = []
    for (problem,) in names_of(rows, "problem"):
        for bound in BOUNDS:
            ours, theirs = math.nan, {}
            for program, method in names_of(rows, "program", "method"):
                time = least_time([r for r in rows if r["problem"] == problem
                                   and r["program"] == program
                                   and r["method"] == method], bound)
                if math.isnan(time):
                    continue
                if program == "Wyvern":
                    ours = time if not ours <= time else ours
                else:
                    theirs[f"{program} {method}"] = time
            faster = {name: time for name, time in theirs.items()
                      if not ours <= time}
            if faster:
                name = min(faster, key=faster.get)
                lines.append(
                    f"- {problem} to {bound:.0e}: {name} takes "
                    f"{faster[name]:.3g} ms, Wyvern " +
                    ("does not get there." if math.isnan(ours) else
                     f"{ours:.3g} ms ({ours / faster[name]:.2g} times)."))
    return lines or ["- None."]


def make_failures(comparison, rows):
    lines = [f"- {peer}: not run, {why}" for peer, why in
             comparison.missing.items()]
    failed = {}
    for row in rows:
        if row["note"]:
            key = (row["problem"], row["program"], row["method"], row["note"])
            failed.setdefault(key, []).append(row["setting"])
    lines += [f"- {problem}, {program} {method} at {', '.join(settings)}: {note}"
              for (problem, program, method, note), settings in failed.items()]
    return lines or ["- None."]


def draw(rows, file):
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError as error:
        print(f"no picture: {error}", file=sys.stderr)
        return
    matplotlib.rcParams.update({"svg.hashsalt": "wyvern",
                                "svg.fonttype": "none"})
    problems = [name for (name,) in names_of(rows, "problem")]
    columns = 3
    lines = (len(problems) + columns - 1) // columns
    figure, axes = pyplot.subplots(lines, columns, squeeze=False,
                                   figsize=(4.2 * columns, 3.2 * lines))
    for ax in axes.flat[len(problems):]:
        ax.set_visible(False)
    for ax, problem in zip(axes.flat, problems):
        runs = [row for row in rows if row["problem"] == problem]
        for key in names_of(runs, "program", "method"):
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
    figure.savefig(file, metadata={"Date": None})


def find_processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def write_page(comparison, rows):
    versions = ", ".join(f"{name} {version}" for name, version in
                         comparison.versions.items())
    text = "\n".join([
        f"{datetime.date.today():%d %B %Y}, {find_processor()}, "
        f"{comparison.options.rounds} rounds. {versions}.", "",
        "![Error against time of each problem](work_precision.svg)", "",
        "Every run is in [figures.csv](figures.csv).", "",
        *make_table(rows), "", "### Losses", "",
        "Where a peer is faster than every method of Wyvern:", "",
        *make_losses(rows), "", "### Peers and runs that fail", "",
        *make_failures(comparison, rows)])
    page = comparison.options.output / "README.md"
    source = page if page.exists() else HERE / "README.md"
    begin, end = "<!-- results -->", "<!-- end of results -->"
    page.write_text(re.sub(f"{begin}.*{end}",
                           lambda _: f"{begin}\n\n{text}\n\n{end}",
                           source.read_text(), flags=re.S))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program published_benchmark")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--python", default=sys.executable,
                        help="Python that has the peers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, default=HERE,
                        help="folder for the page, the figures and the picture")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    comparison = Comparison(options)
    with tempfile.TemporaryDirectory() as folder:
        comparison.prepare(folder)
        comparison.run()
    order = [name for (name,) in names_of(comparison.rows.values(), "problem")]
    rows = sorted(comparison.rows.values(),
                  key=lambda row: order.index(row["problem"]))
    with open(options.output / "figures.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    write_page(comparison, rows)
    draw(rows, options.output / "work_precision.svg")


if __name__ == "__main__":
    main()
