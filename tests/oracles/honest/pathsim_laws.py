"""The laws of tests/honest on pathsim.

Scopes with `sampling_period` and `Schedule` events are what pathsim offers for
samples and ticks. RKDP54 is an adaptive solver of pathsim; SSPRK22 with steps
of 10 ms is its default.
"""
import numpy as np
from pathsim import Connection, Interface, Simulation, Subsystem
from pathsim.blocks import (ODE, PID, Amplifier, Constant, Delay,
                            DiscreteDerivative, DiscreteIntegrator,
                            DiscreteStateSpace, Integrator, SampleHold, Scope,
                            Source, StepSource)
from pathsim.events import Schedule, ZeroCrossing, ZeroCrossingDown
from pathsim.solvers import RKDP54, SSPRK22

NOT_APPLICABLE = {
    10: "no multibody plant",
    12: "no Context to compare with",
    18: "no state machine",
}


def simulate(blocks, links=(), **options):
    options.setdefault("Solver", RKDP54)
    return Simulation(blocks, [Connection(*link) for link in links],
                      log=False, **options)


def law_1():
    faults = []
    for solver, period, stops in [(RKDP54, 0.1, 1), (RKDP54, 0.3, 77),
                                  (RKDP54, 7.7, 1), (SSPRK22, 0.1, 77)]:
        sine, integral = Source(np.sin), Integrator(0)
        scope = Scope(sampling_period=period)
        sim = simulate([sine, integral, scope],
                       [(sine, integral), (integral, scope)],
                       Solver=solver, dt=period)
        for i in range(1, stops + 1):
            sim.run(10_000 * period / stops * i - sim.time)
        times = scope.read()[0]
        wrong = np.sum(times != period * np.arange(len(times)))
        if len(times) != 10_001 or wrong:
            faults.append(f"{len(times):,} rows, {wrong:,} wrong stamps"
                          f" ({solver.__name__}, {period} s, {stops} stops)")
    return "does not: " + faults[0] if faults else "holds"


def law_2():
    results = []
    for solver in (SSPRK22, RKDP54):
        diary = []
        events = [Schedule(t_period=p, func_act=lambda t, p=p: diary.append(
            (t, p))) for p in (0.0007, 0.001, 0.0015)]
        one, integral = Constant(1), Integrator(0)
        sim = simulate([one, integral], [(one, integral)], events=events,
                       dt=0.01, Solver=solver)
        sim.run(2.1)
        counts = [sum(q == p for _, q in diary)
                  for p in (0.0007, 0.001, 0.0015)]
        times = [t for t, _ in diary]
        if counts != [3001, 2101, 1401]:
            results.append(f"{counts[0]:,} of 3,001 events of 0.7 ms with "
                           f"{solver.__name__} and steps of 10 ms")
        elif times != sorted(times):
            results.append(f"not in order with {solver.__name__}")
    if len(results) == 1:
        results.append("all with the other solver")
    return "does not: " + "; ".join(results) if results else "holds"


def law_3():
    def run(end, **options):
        count = []
        event = ZeroCrossing(
            func_evt=lambda t: np.sin(2 * np.pi * 500 * t + 0.1),
            func_act=count.append)
        swing = ODE(lambda x, u, t: np.array([x[1], -x[0]]), [1.0, 0.0])
        simulate([swing], events=[event], **options).run(end)
        return len(count)
    counts = [run(10, Solver=SSPRK22), run(10, tolerance_lte_rel=1e-2),
              run(10, tolerance_lte_rel=1e-6)]
    if set(counts) == {10_000}:
        return "holds"
    # A bound of the step, which the user must know, helps.
    return (f"does not: {min(counts):,} to {max(counts):,} of 10,000; "
            f"{run(0.1, Solver=SSPRK22, dt=3e-4):,} of 100 in 0.1 s with "
            "steps of 0.3 ms")


def make_loop(observers):
    arm = ODE(lambda x, u, t: np.array([x[1], -9.81 * np.sin(x[0]) - u[0]]),
              np.array([2.0, 0.0]))
    hold, brake = SampleHold(T=0.013), Amplifier(0.3)
    blocks = [arm, hold, brake]
    links = [(arm[1], hold), (hold, brake), (brake, arm)]
    for i in range(observers):
        scopes = [Scope(), Scope(sampling_period=0.0071 * (i + 1)),
                  Scope(sampling_period=0.01)]
        blocks += scopes
        links += [(arm, scope) for scope in scopes]
    sim = simulate(blocks, links)
    sim.run(3)
    return arm.engine.state


def law_4():
    alone = make_loop(0)
    error = max(np.max(np.abs(make_loop(n) - alone)) for n in (1, 5))
    return f"does not: changes by {error:.1g}" if error else "holds"


def law_5():
    def run(end):
        sine = Source(lambda t: 2 * np.sin(t + 1))
        integral, scope = Integrator(0), Scope(sampling_period=0.03)
        sim = simulate([sine, integral, scope],
                       [(sine, integral), (integral, scope)])
        sim.run(end)
        return integral.engine.state.item(), scope.read()
    _, (times, rows) = run(1)
    wrong = [abs(run(t)[0] - row) for t, row in zip(times[1:], rows[0][1:])]
    count = sum(error > 0 for error in wrong)
    return (f"does not: {count} of {len(wrong)} rows, by up to "
            f"{max(wrong):.1g}" if count else "holds")


def first_rows(block, scope_first, wait):
    ramp = Source(lambda t: 1 + np.floor(t + 1e-9))
    scope = Scope(sampling_period=1, t_wait=wait)
    blocks = [ramp, scope, block] if scope_first else [ramp, block, scope]
    simulate(blocks, [(ramp, block), (block, scope)], dt=0.25).run(2.75)
    return list(map(float, scope.read()[1][0][:3]))


def law_6():
    # pathsim's blocks sample at k T and put that out until (k + 1) T: u[k],
    # u[k - 1], T (u[0] + ...) without or with u[k], (u[k] - u[k - 1]) / T.
    # Rows at half of the period see this whatever the order of events at k T.
    blocks = {
        "hold": (lambda: SampleHold(T=1), [[1, 2, 3]]),
        "delay": (lambda: Delay(tau=1, sampling_period=1), [[0, 1, 2]]),
        "integrator": (lambda: DiscreteIntegrator(T=1),
                       [[0, 1, 3], [1, 3, 6]]),
        "derivative": (lambda: DiscreteDerivative(T=1), [[1, 1, 1], [0, 1, 1]]),
        "state space": (lambda: DiscreteStateSpace(0.5, 1.0, 1.0, 0.0, T=1),
                        [[0, 1, 2.5]])}
    wrong, unsteady = [], []
    for name, (make, expected) in blocks.items():
        between = first_rows(make(), False, 0.5)
        if between not in expected:
            wrong.append(f"{name} {between}")
        if first_rows(make(), True, 0) != first_rows(make(), False, 0):
            unsteady.append(name)
    if not wrong and not unsteady:
        return "holds"
    text = "; ".join(wrong) if wrong else "right between ticks"
    if unsteady:
        text += (f"; at a tick the order of the blocks decides what a scope "
                 f"sees of {len(unsteady)} of {len(blocks)} blocks")
    return "does not: " + text


def make_crossed(gain):
    face, down, up = Interface(), Amplifier(1), Amplifier(gain)
    return Subsystem([face, down, up], [
        Connection(face[0], down), Connection(down, face[1]),
        Connection(face[1], up), Connection(up, face[0])])


def law_7():
    source, crossed, scope = Constant(3), make_crossed(1), Scope()
    sim = simulate([source, crossed, scope],
                   [(source, crossed[1]), (crossed[0], crossed[0]),
                    (crossed[1], scope)])
    sim.run(0.1)
    value = scope.read()[1][0][-1]
    if value != 3:
        return f"does not: {value} instead of 3"
    # A true loop: z = 1 + z / 2 has the solution 2.
    from pathsim.blocks import Adder
    one, add, half = Constant(1), Adder(), Amplifier(0.5)
    simulate([one, add, half],
             [(one, add[0]), (half, add[1]), (add, half)]).run(0.1)
    z = add.outputs[0]
    return ("holds: it solves true loops" if abs(z - 2) < 1e-8 else
            f"does not: z = 1 + z / 2 gives {z}")


def law_8():
    def unconnected():
        simulate([Amplifier(2)]).run(0.1)

    def twice():
        a, b, c = Constant(1), Constant(2), Amplifier(2)
        simulate([a, b, c], [(a, c), (b, c)])

    def stranger():
        a, c = Constant(1), Amplifier(2)
        simulate([c], [(a, c)])

    def no_port():
        a, c = Constant(1), Integrator(0)
        simulate([a, c], [(a["none"], c)])

    def sizes():
        a, c = Constant(1), DiscreteStateSpace(
            np.eye(2), np.eye(2), np.eye(2), np.zeros((2, 2)), T=0.1)
        simulate([a, c], [(a, c)]).run(0.3)
    caught = 0
    for mistake in (unconnected, twice, stranger, no_port, sizes):
        try:
            mistake()
        except Exception:
            caught += 1
    return f"does not: one exception each, for {caught} of 5"


def law_9():
    # A property that a user sets between two runs acts, or the setting throws.
    dead = []
    one, gain = Constant(1), Amplifier(2)
    sim = simulate([one, gain], [(one, gain)])
    sim.run(0.1)
    gain.gain = 5
    sim.run(0.1)
    if gain.outputs[0] != 5:
        dead.append("`Amplifier.gain`")
    one.value = 7
    sim.run(0.1)
    if gain.outputs[0] != 35:
        dead.append("`Constant.value`")
    clock, hold = Source(lambda t: t), SampleHold(T=1.0)
    sim = simulate([clock, hold], [(clock, hold)])
    sim.run(1.0)
    hold.T = 0.1
    sim.run(0.55)
    if abs(hold.outputs[0] - 1) < 1e-9:
        dead.append("`SampleHold.T`")
    return ("does not: " + ", ".join(dead) + " without effect after a run"
            if dead else "holds")


def law_11():
    A = np.array([[1, 0.002], [-0.02, 0.99]])
    B, K = np.array([[0.0], [0.002]]), np.array([[30.0, 4.0]])

    def run(plant_first):
        plant = DiscreteStateSpace(A, B, np.eye(2), np.zeros((2, 1)), T=0.002,
                                   initial_value=np.array([1.0, -1.0]))
        control = DiscreteStateSpace(np.zeros((1, 1)), np.zeros((1, 2)),
                                     np.zeros((1, 1)), -K, T=0.003)
        pair = [plant, control] if plant_first else [control, plant]
        simulate(pair, [(plant[0], control[0]), (plant[1], control[1]),
                        (control, plant)], dt=0.001, Solver=SSPRK22).run(0.601)
        return plant.outputs.to_array().copy()

    def exact(is_new):
        # pathsim's block puts out x[k] from the k-th tick on. Both ways to
        # read u at a common tick are right.
        x, u = np.array([1.0, -1.0]), np.zeros(1)
        for ms in range(601):
            held = u
            if ms % 2 == 0:
                y = x
            if ms % 3 == 0:
                u = -K @ y
            if ms % 2 == 0:
                x = A @ y + B @ (u if is_new else held)
        return y
    errors = [min(np.abs(run(order) - exact(new)).max()
                  for new in (True, False)) for order in (True, False)]
    if max(errors) < 1e-12:
        return "holds"
    return (f"does not: wrong by {errors[0]:.1g} with the plant listed first, "
            f"by {errors[1]:.1g} with the controller first")


def law_13():
    bad = Source(lambda t: 0.0 if t < 0.5 else np.nan)
    integral = Integrator(0)
    sim = simulate([bad, integral], [(bad, integral)], Solver=SSPRK22)
    sim.run(1)
    return f"does not: no error, the state is {integral.engine.state.item()}"


def law_14():
    x, v, g = Integrator(1.0), Integrator(0.0), Constant(-9.81)
    bounces = []

    def bounce(t):
        bounces.append(t)
        x.engine.set(np.abs(x.engine.state))
        v.engine.set(-0.5 * v.engine.state)
    event = ZeroCrossingDown(func_evt=lambda t: x.engine.state.item(),
                             func_act=bounce, tolerance=1e-8)
    sim = simulate([x, v, g], [(g, v), (v, x)], events=[event])
    sim.run(3)
    return (f"does not: no error, {len(bounces)} bounces, the ball is at "
            f"{x.engine.state.item():.3g} m")


def law_15():
    size = 1000  # Each break is an event here; a million takes hours.
    table = StepSource(amplitude=list(range(1, size + 1)),
                       tau=[k * 0.001 for k in range(1, size + 1)])
    scope = Scope(sampling_period=0.001)
    simulate([table, scope], [(table, scope)], dt=0.001, Solver=SSPRK22).run(
        size * 0.001)
    values = scope.read()[1][0]
    wrong = int(np.sum(values != np.arange(len(values))))
    return (f"does not: {wrong:,} of {len(values):,} wrong" if wrong else
            f"holds for {size:,} breaks")


def law_16():
    kp, ki, kd, f = 3.0, 2.0, 0.5, 40.0
    pid = PID(kp, ki, kd, f)
    error = 0
    for w in (0.1, 1, 10, 1000):
        s = 1j * w
        real = (pid.C @ np.linalg.solve(s * np.eye(2) - pid.A, pid.B) + pid.D)
        book = kp + ki / s + kd * s / (1 + s / f)
        error = max(error, abs(np.ravel(real)[0] / book - 1))
    return "holds" if error < 1e-10 else f"does not: {error:.1g}"


def law_17():
    # pathsim's delay is 0 until tau has passed, so the history is 0 here.
    worst = 0
    for t in (0.5, 1.7, 2.3, 4.0):
        y, delay, minus = Integrator(1.0), Delay(tau=1.0), Amplifier(-1)
        sim = simulate([y, delay, minus],
                       [(y, delay), (delay, minus), (minus, y)],
                       tolerance_lte_abs=1e-11, tolerance_lte_rel=1e-11,
                       dt=0.001, dt_max=0.01)
        sim.run(t)
        exact, term = 0.0, 1
        for k in range(int(t) + 1):
            term = term * k if k else 1
            exact += (-1) ** k * (t - k) ** k / term
        worst = max(worst, abs(y.engine.state.item() - exact))
    return ("holds" if worst < 1e-8 else f"does not: wrong by {worst:.1g} with "
            "steps of at most 10 ms")


def law_20():
    w = 2 * np.pi * 1000
    swing = ODE(lambda x, u, t: np.array([x[1], -w * w * x[0]]), [1e-9, 0.0])
    sim = Simulation([swing], log=False)
    sim.run(0.1)
    growth = np.hypot(swing.engine.state[0], swing.engine.state[1] / w) / 1e-9
    return ("holds" if abs(growth - 1) < 0.01 else
            f"does not: {growth:.2g} times the amplitude after 0.1 s")
