"""What peers in Python share: the problems, and rows as those of measure.h."""

import json
import math
import os
import resource
import signal
import subprocess
import sys

LONG_RUN = 1500  # [ms]; a tighter setting than one that took this long does not run.
LIMIT = 20  # [s]; of a row, several runs.


def load_problems():
    """The numbers in tests/published, from published_benchmark."""
    text = subprocess.run([sys.argv[1], "--problems"], capture_output=True,
                          text=True, check=True).stdout
    return json.loads(text)


def measure_one(run, setting):
    """Returns the least time of a few runs, as error, work, time and note."""
    error, work, best, note, total = math.nan, 0, math.nan, "", 0.0
    try:
        for _ in range(5):
            error, work, start, end = run(setting)
            ms = 1e3 * (end - start)
            best = ms if math.isnan(best) else min(best, ms)
            total += ms
            if total > 50:
                break
    except Exception as failure:  # A peer that fails is a result.
        lines = [line for line in str(failure).splitlines() if line.strip()]
        note = (lines or [type(failure).__name__])[0].replace(",", ";")
        error, best = math.nan, math.nan
    return f"{error:.3e},{work},{best:.4f},{note}"


def run_apart(run, setting):
    """measure_one() in a process of its own, which may crash or take long."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(2, 1)  # What a peer prints is no row.
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
        os.write(writer, measure_one(run, setting).encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        row = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if row:
        return row
    why = (f"more than {LIMIT} s" if -status == signal.SIGXCPU else
           f"crashes: {signal.Signals(-status).name}" if status < 0 else
           f"exit code {status}")
    return f"nan,0,nan,{why}"


def measure(problem, program, method, settings, run):
    """Prints a row for each setting, tighter ones later. `run` takes a setting
    and returns the error, the evaluations or steps, and the times of
    time.thread_time() at the start and end of the run. time.process_time()
    advances by ticks of some milliseconds under a limit of processor time."""
    for setting in settings:
        row = run_apart(run, setting)
        print(f"{problem},{program},{method},{setting:.0e},{row}", flush=True)
        if float(row.split(",")[2]) > LONG_RUN or "more than" in row:
            break


def calc_planar_error(mechanism, q, v):
    """As CalcError() of tests/published/planar_mechanisms.h."""
    errors = [abs(2 * math.sin(0.5 * (a - b)))
              for a, b in zip(q, mechanism["q_end"])]
    errors += [abs(a - b) for a, b in zip(v, mechanism["v_end"])]
    return math.nan if any(e != e for e in errors) else max(errors)


def tolerances(first, last):
    return [10.0**-digits for digits in range(first, last + 1)]


def steps(end, most=1e-2):
    """Step sizes that divide the time, each about a third of the one before."""
    return [end / math.ceil(end / (most * factor))
            for factor in (1, 0.3, 0.1, 0.03, 0.01)]


# --- Spatial problems; see tests/published/mechanisms.h ----------------------

G = 9.81
PRESSED_IN = G / 1e6


def elliptic_k(m):
    a, b = 1.0, math.sqrt(1 - m)
    for _ in range(10):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


class FreeRotation:
    I, w = (1.0, 2.0, 3.0), (0.1, 3.0, 0.2)
    L2 = sum((i * r)**2 for i, r in zip(I, w))
    E2 = sum(i * r * r for i, r in zip(I, w))
    p2 = (I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2])
    m = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]))
    end = 8 * elliptic_k(m) / math.sqrt(p2)

    @classmethod
    def error(cls, w):
        return max(abs(a - b) for a, b in zip(w, cls.w))


class RollingBall:
    radius, friction, end = 0.1, 0.2, 1.0
    dissipation = 10.0
    slides = 2 / (7 * friction * G)
    x = 6 / 7 * slides + 5 / 7 * (1 - slides)

    @classmethod
    def error(cls, x, v):
        return max(abs(x - cls.x), abs(v - 5 / 7))


class EulersDisk:
    radius, tilt, thickness = 0.1, 0.3, 0.005
    friction, dissipation = 1.0, 10.0
    rate = math.sqrt(4 * G / (radius * math.sin(tilt)))
    end = 10 * math.pi / rate
    height = radius * math.sin(tilt) - PRESSED_IN
    axis = (math.sin(tilt), 0.0, math.cos(tilt))
    # Along the radius that points at the ground, body and world.
    spin = -rate * math.sin(tilt)
    down = (math.cos(tilt), 0.0, -math.sin(tilt))

    @classmethod
    def error(cls, axis):
        return math.dist(axis, cls.axis)


class BouncingBall:
    radius, drop, friction, dissipation = 0.1, 0.5, 0.0, 0.0
    height = radius + drop
    speed, omega = math.sqrt(2 * G * drop), math.sqrt(1e6)
    touches = 2 / omega * (math.pi - math.atan(speed * omega / G))
    end = 5 * (2 * speed / G + touches)

    @classmethod
    def error(cls, p, v):
        return max(math.dist(p, (0.0, 0.0, cls.height)), math.hypot(*v))
