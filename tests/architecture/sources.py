#!/usr/bin/env python3
"""Tests of the library's sources: includes by layers.txt, the files of a joint,
how files are opened, the stories of long sources, the presets of examples.
`sources.py Layers` runs one class of them."""

import os
import pathlib
import re
import subprocess
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]


def read(path):
    return (TOP / path).read_text()


def files_below(folder, *endings):
    """Yields the files with these endings, as paths from the top folder."""
    for root, folders, names in os.walk(TOP / folder):
        skipped = ("build", "node_modules")
        folders[:] = sorted(f for f in folders if f not in skipped and f[0] != ".")
        found = sorted(name for name in names if name.endswith(endings))
        yield from (os.path.relpath(os.path.join(root, name), TOP) for name in found)


SOURCES = {
    path: read(path)
    for folder in ("app", "geometry", "multibody", "simulator", "systems")
    for path in files_below(folder, ".h", ".cc")
}


class IncludeLaw:
    """layers.txt: the folders of each layer and what it may include."""

    def __init__(self, table):
        self.layers = {}  # of each folder
        self.allowed = {}  # of each layer, transitively
        for line in re.findall(r"^[^#\s][^#\n]*", table, re.M):
            folders, others = line.split(" : ")
            layer = folders.split()[0]
            self.layers.update((folder, layer) for folder in folders.split())
            # A layer that is not above in the table is a KeyError.
            closed = [self.allowed[o] for o in others.split() if o != "third_party"]
            self.allowed[layer] = {layer}.union(*closed)

    def layer_of(self, path):
        """Returns the layer of the innermost folder of the table, or None."""
        folders = map(str, pathlib.PurePosixPath(path).parents)
        return next((self.layers[f] for f in folders if f in self.layers), None)

    def violations(self, path, text):
        """Returns a sentence for each include that breaks the law."""
        layer = self.layer_of(path)
        if layer is None:
            return [f"{path} is in no layer of layers.txt"]
        broken = []
        for include in re.findall(r'^ *# *include *[<"]([^>"]+)', text, re.M):
            what = f"{path} includes {include}; "
            if include.startswith("wyvern/"):
                target = self.layer_of(include.removeprefix("wyvern/"))
                if target not in self.allowed[layer]:
                    broken.append(what + f"{layer} may not use {target}")
            elif include.startswith("boost/numeric/odeint"):
                if not layer.startswith("simulator"):
                    broken.append(what + "only simulator may")
            elif self.layer_of(include) or include.startswith(("tests/", "examples/", "..")):
                broken.append(what + "library headers are wyvern/<layer>/x.h")
        return broken


class Layers(unittest.TestCase):
    law = IncludeLaw(read("tests/architecture/layers.txt"))

    def test_each_include_obeys_the_table(self):
        broken = [t for s in SOURCES for t in self.law.violations(s, SOURCES[s])]
        self.assertEqual(broken, [])
        self.assertGreater(len(SOURCES), 1000)
        self.assertTrue(all((TOP / folder).is_dir() for folder in self.law.layers))

    def test_contributing_draws_each_layer_above_those_that_it_includes(self):
        text = read("CONTRIBUTING.md").split("## Layout")[1].split("```")[1]
        lines = {}
        for number, line in enumerate(text.splitlines()):
            for name in re.findall(r"[a-z0-9_]+(?:/[a-z0-9_]+)*(?![a-z0-9_/:])", line):
                if self.law.layers.get(name) == name:
                    self.assertNotIn(name, lines, "is drawn twice")
                    lines[name] = number
        self.assertEqual(lines.keys(), self.law.allowed.keys())
        for upper, below in self.law.allowed.items():
            for lower in below - {upper}:
                self.assertLess(lines[upper], lines[lower], f"{upper} on {lower}")

    def expect(self, num_broken, path, include, law=law):
        broken = law.violations(path, f"  # include {include}\n")
        self.assertEqual(len(broken), num_broken, include)

    def test_multibody_and_simulator_do_not_know_each_other(self):
        self.expect(1, "multibody/plant/x.cc", '"wyvern/simulator/simulator.h"')
        self.expect(1, "simulator/x.cc", '"wyvern/multibody/math/x.h"')
        self.expect(1, "systems/framework/x.cc", "<boost/numeric/odeint.hpp>")

    def test_layers_include_downwards_and_by_full_paths(self):
        law = IncludeLaw("a a/b/c d : third_party\na/b : a  # comment\ne : a/b\n")
        self.assertEqual(law.layer_of("a/b/c/y.h"), "a")
        self.assertIsNone(law.layer_of("f/y.h"))
        self.expect(0, "e/x.h", '"wyvern/a/y.h"', law)
        self.expect(0, "a/x.h", '"wyvern/d/y.h"', law)
        self.expect(1, "d/x.h", '"wyvern/a/b/y.h"', law)
        self.expect(0, "a/x.h", "<vector>", law)
        for bad in ("tests/support/near.h", "a/y.h", "../a/y.h", "wyvern/z/y.h"):
            self.expect(1, "a/x.h", f'"{bad}"', law)
        for table in ("a : b\nb : third_party\n", "a b\n"):
            self.assertRaises((KeyError, ValueError), IncludeLaw, table)


class ANewJoint(unittest.TestCase):
    def test_is_named_by_at_most_eight_listed_files(self):
        section = read("multibody/README.md").split("## A new joint")[1]
        listed = re.findall(r"\n[0-9]+\. `([^`]*)`", section.split("\n## ")[0])
        self.assertIn(len(listed), range(5, 9))
        # Motions that no other code has a reason to name.
        for name in ("universal", "planar", "curvilinear"):
            cap = name.capitalize()
            names = rf"\bk{cap}\b|{cap}(Joint|Mobilizer)\b|{name}_(joint|mobilizer)|F\({cap}\)"
            files = {file.replace("NAME", name) for file in listed}
            self.assertEqual({f for f in files if not (TOP / f).exists()}, set())
            found = {p for p, text in SOURCES.items() if re.search(names, text)}
            # The names of joints in model files are the business of parsing.
            found = {p for p in found if not p.startswith("multibody/parsing/")}
            self.assertGreaterEqual(len(found), 4)
            self.assertLessEqual(found, files, "ask MobilizerTraits instead")


# Functions of std::filesystem, which throw unless they get a std::error_code.
TYPES = "path|directory_entry|copy_options|file_time_type|file_type|perm"
THROWING = re.compile(rf"\b(?:fs|filesystem)::(?!{TYPES})\w+[^(;]*\(")


def throwing_calls(text):
    """Returns the calls without a std::error_code named `error` or `ignored`."""
    calls = []
    for match in THROWING.finditer(text):
        end, depth = match.end(), 1
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        calls.append(text[match.start() : end])
    return [c for c in calls if "error" not in c and "ignored" not in c]


# Sources that open files for writing themselves, and the reason.
WRITERS = {
    "systems/common/file_lock.cc": "OutputFile is made of it",
    "systems/common/output_file.cc": "the one",
    "systems/common/standard_output.cc": "opens no file of a user",
    "systems/recording/hdf5_recording_sink.cc": "HDF5 opens files itself",
    "systems/recording/hdf5_table.cc": "HDF5 opens files itself",
    "systems/recording/csv_recording_sink.cc": "appends events beside a locked file",
    "app/sweep.cc": "appends what workers say on stderr in a locked folder",
    "app/sweep_records.cc": "appends rows in a locked folder",
}


class Files(unittest.TestCase):
    def test_errors_of_std_filesystem_are_sentences_for_users(self):
        self.assertEqual(throwing_calls("if (fs::exists(a / b(c))) x;"), ["fs::exists(a / b(c))"])
        self.assertEqual(len(throwing_calls("fs::directory_iterator it(a), end;")), 1)
        self.assertEqual(throwing_calls("fs::exists(a, error); fs::path x(b);"), [])
        # Pass a std::error_code, or use systems/common/file_paths.h.
        for path, text in SOURCES.items():
            self.assertEqual(throwing_calls(text), [], path)

    def test_are_written_through_an_output_file_alone(self):
        opens = re.compile(r"ofstream|fopen\(|O_WRONLY|O_CREAT|H5Fcreate\(")
        for path, text in SOURCES.items():
            if path not in WRITERS:
                self.assertNotRegex(text, opens, f"{path}: use an OutputFile")


class Stories(unittest.TestCase):
    # Includes, with #if around them and comments between, then a block comment.
    HEAD = re.compile(r'(#.*\n|extern "C" {\n|}\n|//.*\n|\n)*')

    def test_open_each_source_above_150_lines(self):
        for path, text in SOURCES.items():
            if path.endswith(".cc") and text.count("\n") > 150:
                start = 0 if text.startswith("//") else self.HEAD.match(text).end()
                self.assertEqual(text[start : start + 2], "/*", f"{path}: no story")


class RunPresets(unittest.TestCase):
    """./run builds an example with AutoDiffXd if it differentiates by it."""

    # The scalar, and functions that convert a System to it. A new caller of
    # ToAutoDiffXd() belongs into the set below, and its functions here.
    WORDS = r"AutoDiff|(Linearize|FirstOrderTaylorApproximation|LinearQuadraticRegulator)\("

    def test_list_the_examples_that_differentiate(self):
        examples = {p: re.sub("//.*", "", read(p)) for p in files_below("examples", ".cc")}
        self.assertGreaterEqual(len(examples), 30)
        found = {p for p, code in examples.items() if re.search(self.WORDS, code)}
        listed = read("examples/needs_autodiff.txt").split()
        self.assertEqual(found, {f"examples/{name}.cc" for name in listed})
        call = re.compile(r"^(?!.*//).*(\.|->)ToAutoDiffXd\(\)", re.M)
        callers = {path.split("/")[-1] for path, text in SOURCES.items() if call.search(text)}
        expected = {"extended_kalman_filter.cc", "linearization.cc", "riccati_flow.cc",
                    "standalone_instantiation.cc"}
        self.assertEqual({name for name in callers if name.endswith(".cc")}, expected)

    def test_are_what_run_builds(self):
        listed = read("examples/needs_autodiff.txt").split()
        self.assertIn("08_cart_pole_lqr", listed)
        names = subprocess.check_output([TOP / "run", "--list"], text=True).split()
        sources = {path for path in files_below("examples", ".cc") if path.count("/") == 1}
        self.assertEqual({f"examples/{name}.cc" for name in names}, sources)
        for name in names:
            answer = subprocess.check_output([TOP / "run", "--preset", name], text=True)
            self.assertEqual(answer, "release\n" if name in listed else "run\n", name)


if __name__ == "__main__":
    unittest.main()
