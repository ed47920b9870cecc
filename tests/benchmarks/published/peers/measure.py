"""What the peers of mechanisms share: times and rows."""

import math
import time

# The tip of A02 after 10 s; see tests/published/mechanisms.h.
A02_TIP = (0.32845811154, 0.94451853818)


def elliptic_k(m):
    a, b = 1.0, math.sqrt(1 - m)
    for _ in range(10):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


A01_END = 16 * elliptic_k(0.5) / math.sqrt(9.81)


def free_rotation():
    """Moments of inertia, start, and twice the period of the rates."""
    I, w = (1.0, 2.0, 3.0), (0.1, 3.0, 0.2)
    L2 = sum((i * r)**2 for i, r in zip(I, w))
    E2 = sum(i * r * r for i, r in zip(I, w))
    p2 = (I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2])
    m = ((I[1] - I[0]) * (E2 * I[2] - L2) /
         ((I[2] - I[1]) * (L2 - E2 * I[0])))
    return I, w, 8 * elliptic_k(m) / math.sqrt(p2)


def row(problem, program, method, setting, run):
    """`run` returns the error and the evaluations, or steps; least of three."""
    best = math.inf
    try:
        for _ in range(3):
            start = time.process_time()
            error, work = run()
            best = min(best, 1e3 * (time.process_time() - start))
            if best > 1000:
                break
    except Exception as problem_of_peer:  # A peer that fails is a result.
        print(f"{problem},{program},{method},{setting:.0e},nan,0,nan",
              flush=True)
        return
    print(f"{problem},{program},{method},{setting:.0e},{error:.3e},{work},"
          f"{best:.4f}", flush=True)
