"""Scenario.sweep() is the command `wyvern sweep`."""
import csv
import math
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import wyvern
from wyvern.scenario import scenarios_folder

STIFFNESS = "model_drivers.arm.kp"


@pytest.fixture
def scenario():
    """Returns an arm that runs for 0.05 s."""
    loaded = wyvern.load_scenario("arm_pd.yaml")
    loaded["simulation_duration"] = 0.05
    return loaded


def test_a_sweep_gives_what_runs_give(scenario):
    gains = [100.0, 400.0, 900.0]
    sweep = scenario.sweep(
        {STIFFNESS: [[gain] * 7 for gain in gains]},
        outputs=["plant/state[1]", "plant/state[1]:max"])
    assert len(sweep) == 3 and sweep.num_failed == 0
    assert sweep.outputs[-1] == "end_time" and len(sweep.outputs) == 3
    assert sweep.folder is None
    for i, (gain, row) in enumerate(zip(gains, sweep.rows)):
        assert row["sample"] == i and row["status"] == "ok"
        assert row[STIFFNESS] == [gain] * 7
        assert row["end_time"] == 0.05
        assert "duration" in row["note"]
        scenario[STIFFNESS] = [gain] * 7
        run = scenario.run(ports="plant/state", period=0.05)
        assert row[sweep.outputs[0]] == run.samples()[-1, 1]
        assert row[sweep.outputs[1]] >= row[sweep.outputs[0]]
    finals = [row[sweep.outputs[0]] for row in sweep.rows]
    assert len(set(finals)) == 3


def test_a_table_is_that_of_the_command(scenario, tmp_path):
    arguments = {"model_drivers.arm.kp[0]": "100:300:3",
                 "model_drivers.arm.kd[0]": "!Uniform {min: 1, max: 2}"}
    sweep = scenario.sweep(arguments, outputs="plant/state[0]", samples=6,
                           seed=5, jobs=2, folder=tmp_path / "ours")
    command = [sys.executable, "-m", "wyvern", "sweep",
               str(scenarios_folder() / "arm_pd.yaml"),
               "--set", "simulation_duration=0.05", "--output",
               "plant/state[0]", "--samples", "6", "--seed", "5", "--folder",
               str(tmp_path / "theirs")]
    for path, values in arguments.items():
        command += ["--param", f"{path}={values}"]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    ours = (tmp_path / "ours" / "results.csv").read_bytes()
    assert ours == (tmp_path / "theirs" / "results.csv").read_bytes()
    assert sweep.folder == tmp_path / "ours" and len(sweep) == 6
    draws = {row["model_drivers.arm.kd[0]"] for row in sweep.rows}
    assert len(draws) == 6 and all(1 <= draw <= 2 for draw in draws)
    rows = list(csv.DictReader(ours.decode().splitlines()))
    for row, text in zip(sweep.rows, rows):
        assert row["random_seed"] == int(text["random_seed"])
        assert row["model_drivers.arm.kp[0]"] == 100 + 100 * (row["sample"] % 3)


def test_a_sweep_is_a_frame(scenario):
    pandas = pytest.importorskip("pandas")
    sweep = scenario.sweep({STIFFNESS: np.full((2, 7), 300.0)},
                           outputs="plant/state[0]")
    frame = sweep.dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.index.name == "sample" and len(frame) == 2
    assert list(frame.columns)[:3] == ["status", *sweep.outputs]
    assert frame[sweep.outputs[0]].dtype == float


def test_a_sample_that_fails_is_a_row(scenario):
    sweep = scenario.sweep({STIFFNESS: [[300.0] * 7, "it's stiff"]},
                           outputs="plant/state[0]")
    good, bad = sweep.rows
    assert sweep.num_failed == 1
    assert (good["status"], bad["status"]) == ("ok", "failed")
    assert math.isfinite(good[sweep.outputs[0]])
    assert math.isnan(bad[sweep.outputs[0]])
    assert "kp" in bad["note"] and bad[STIFFNESS] == "it's stiff"


def test_mistakes_are_told(scenario, tmp_path):
    values = [[300.0] * 7]
    with pytest.raises(RuntimeError, match="no_such"):
        scenario.sweep({"no_such.key": [1]})
    with pytest.raises(RuntimeError, match="plant/none"):
        scenario.sweep({STIFFNESS: values}, outputs="plant/none")
    with pytest.raises(RuntimeError, match="1:2"):
        scenario.sweep({STIFFNESS: "1:2"})
    with pytest.raises(TypeError, match=STIFFNESS):
        scenario.sweep({STIFFNESS: 300.0})
    for wrong in ({"samples": -1}, {"samples": 1.5}, {"jobs": "all"},
                  {"progress": 3}):
        with pytest.raises(TypeError):
            scenario.sweep({STIFFNESS: values}, **wrong)
    with pytest.raises(RuntimeError, match="timeout"):
        scenario.sweep({STIFFNESS: values}, timeout=0.0)
    for wrong in ({"resume": True}, {"keep": True}):
        with pytest.raises(ValueError, match="folder"):
            scenario.sweep({STIFFNESS: values}, **wrong)
    scenario.sweep({STIFFNESS: values}, folder=tmp_path, keep=True)
    assert (tmp_path / "samples" / "0" / "scenario.yaml").exists()
    with pytest.raises(RuntimeError, match="has results"):
        scenario.sweep({STIFFNESS: values}, folder=tmp_path)
    again = scenario.sweep({STIFFNESS: values}, folder=tmp_path, resume=True)
    assert again.num_resumed == 1 and len(again) == 1


def test_progress_is_told_and_its_exception_ends_the_sweep(scenario):
    told = []

    def progress(done, total, failed):
        told.append((done, total, failed))

    gains = [[gain] * 7 for gain in np.linspace(100, 300, 5)]
    scenario.sweep({STIFFNESS: gains}, progress=progress)
    assert told[-1] == (5, 5, 0)
    assert [done for done, *_ in told] == sorted(done for done, *_ in told)

    def fails(done, total, failed):
        raise LookupError("enough")

    scenario["simulation_duration"] = 1e5
    with pytest.raises(LookupError, match="enough"):
        scenario.sweep({STIFFNESS: gains}, progress=fails)


def test_control_c_ends_a_sweep_which_goes_on_later(tmp_path):
    scenario = wyvern.load_scenario("arm_pd.yaml")
    durations = [0.01, 0.01, 1e5, 1e5]
    how = {"outputs": "plant/state[0]", "jobs": 1, "folder": tmp_path}
    done = threading.Event()
    kill = threading.Thread(target=lambda: (
        done.wait(60), os.kill(os.getpid(), signal.SIGINT)))
    kill.start()
    with pytest.raises(KeyboardInterrupt):
        scenario.sweep(
            {"simulation_duration": durations}, **how,
            progress=lambda num_done, *_: num_done == 2 and done.set())
    kill.join()
    assert len(list(tmp_path.glob("*.rows"))) == 1
    # Ended processes are no children of this one any more.
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    # The same sweep, were it not for its length.
    with pytest.raises(RuntimeError, match="results of another sweep"):
        scenario.sweep({"simulation_duration": durations[:2]}, **how,
                       resume=True)


def test_other_threads_run_and_a_second_sweep_is_refused(scenario):
    scenario["simulation_duration"] = 1e5
    begun, stop = threading.Event(), threading.Event()
    caught = []

    def progress(*_):
        begun.set()
        if stop.is_set():
            raise LookupError("stop")

    def work():
        try:
            scenario.sweep({STIFFNESS: [[300.0] * 7]}, progress=progress)
        except LookupError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert begun.wait(60)
        with pytest.raises(RuntimeError, match="one at a time"):
            scenario.sweep({STIFFNESS: [[300.0] * 7]}, timeout=5.0)
        start = time.monotonic()
        for _ in range(50):
            time.sleep(0.001)
        assert time.monotonic() - start < 30
    finally:
        stop.set()
        thread.join()
    assert len(caught) == 1
