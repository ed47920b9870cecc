"""Runs the laws of tests/honest on other simulators and prints a table.

  pip install drake==1.51.1 mujoco==3.3.7 pathsim==0.27.1 bdsim==1.4.0
  python3 tests/oracles/honest_laws.py

  --python PEER=PROGRAM  the Python in which a peer is installed (default: this
                         one), for peers whose dependencies do not go together
  --seconds S            CPU time limit of each law (default 60)

Each peer runs in a process of its own, and each law in a child of that. A law
that crashes or takes too long is a result. The laws of a peer are functions in
tests/oracles/honest/PEER_laws.py; each returns a cell of the table. The cells
of laws that make no sense for a peer stand in NOT_APPLICABLE.
"""
import argparse
import importlib.metadata
import json
import multiprocessing
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

TITLES = {
    1: "Log stamps are exact multiples of the period, none is lost",
    2: "Events of 0.7, 1 and 1.5 ms all happen within steps of 10 ms",
    3: "A counter of a 500 Hz sine has 10,000 crossings after 10 s",
    4: "Logs and scopes change no bit of the state",
    5: "A sampled row is the state of a run that stops there",
    6: "The first outputs of discrete blocks are those of their definition",
    7: "Crossed feedthrough is a loop only if it is one",
    8: "Five wiring mistakes are one error",
    9: "A setter acts at once or throws",
    10: "PD control of any gains and step adds no energy and keeps "
        "its equilibrium",
    11: "Blocks of 2 and 3 ms read each other's values at their ticks",
    12: "Observers see fresh values",
    13: "NaN ends the run with block, element and time",
    14: "Infinitely many events end with the name of the witness function",
    15: "A held table has the new value at its breaks",
    16: "PID equals its transfer function",
    17: "A delay equation is solved to 1e-8",
    18: "A state machine switches at the time of the closed form",
    19: "A trajectory has the same bits for any number of threads, "
        "pauses and saves",
    20: "1e-9 m at 1 kHz is right with default settings",
}
NOT_RUN = "not run"
README = pathlib.Path(__file__).parents[1] / "honest/README.md"
# The name of each peer, its Python package and that of its distribution.
PEERS = {"drake": ("Drake", "pydrake", "drake"),
         "mujoco": ("MuJoCo", "mujoco", "mujoco"),
         "pathsim": ("pathsim", "pathsim", "pathsim"),
         "bdsim": ("bdsim", "bdsim", "bdsim")}


def run_law(law, seconds, pipe):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        pipe.send(law())
    except BaseException as error:  # pydrake raises SystemExit, for one.
        lines = str(error).strip().splitlines() or [""]
        pipe.send(f"refuses: {type(error).__name__}: {lines[0][:110]}")


def run_child(law, seconds):
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=run_law,
                                    args=(law, seconds, theirs))
    child.start()
    theirs.close()
    try:
        cell = ours.recv()
    except EOFError:
        child.join()
        if child.exitcode == -signal.SIGXCPU:
            return f"does not: no end within {seconds} s of CPU time"
        return f"does not: crashes with exit code {child.exitcode}"
    child.join()
    return cell


def run_peer(peer, seconds, only):
    """Prints a line of JSON for the version and one for each law."""
    name, package, distribution = PEERS[peer]
    multiprocessing.set_start_method("fork")
    try:
        module = importlib.import_module(f"honest.{peer}_laws")
    except ImportError as error:
        print(json.dumps(["missing", str(error)]), flush=True)
        return
    version = importlib.metadata.version(distribution)
    print(json.dumps(["version", version]), flush=True)
    folder = tempfile.TemporaryDirectory()
    os.chdir(folder.name)  # MuJoCo writes a log where it runs.
    for n in only or TITLES:
        law = getattr(module, f"law_{n}", None)
        cell = (run_child(law, seconds) if law else
                NOT_RUN if n == 19 else
                "not applicable: " + module.NOT_APPLICABLE[n])
        print(json.dumps([n, cell]), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--laws", type=int, nargs="*", default=[])
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        run_peer(options.peer, options.seconds, options.laws)
        return
    programs = dict(one.split("=", 1) for one in options.python)
    jobs = {}
    for peer in PEERS:
        jobs[peer] = subprocess.Popen(
            [programs.get(peer, sys.executable), os.path.abspath(__file__),
             "--peer", peer, "--seconds", str(options.seconds),
             "--laws", *map(str, options.laws)],
            stdout=subprocess.PIPE, text=True)
    here = dict(re.findall(r"^\| (\d+) \|[^|]*\| ([^|:]*)[^|]*\| [^|]*\|$",
                           README.read_text(), re.M))
    header, columns = ["", "law", "Wyvern"], []
    for peer, job in jobs.items():
        lines = job.communicate()[0].splitlines()
        rows = dict(json.loads(line) for line in lines if line.startswith("["))
        header.append(f"{PEERS[peer][0]} {rows.get('version', '')}".strip())
        lost = "not installed" if "missing" in rows else "the run crashed"
        columns.append({n: rows.get(n, lost) for n in TITLES})
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for n in options.laws or TITLES:
        cells = [str(n), TITLES[n], here[str(n)].strip()]
        cells += [column[n] for column in columns]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
