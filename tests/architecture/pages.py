#!/usr/bin/env python3
"""Tests of the pages: links, files that they name, the README's program and
pictures, commands, messages on the page of errors, tests that hold promises.
`snippets` compiles their C++; tests/app/program_test.cc runs their commands."""

import pathlib
import re
import unittest

from sources import SOURCES, TOP, files_below, read

PAGES = {page: read(page) for page in files_below(".", ".md")}
USER_PAGES = {p: t for p, t in PAGES.items() if p == "README.md" or p[:5] == "docs/"}
EXAMPLES = {p.name: p.read_text() for p in (TOP / "examples").glob("*.cc")}
# The pages that list a folder's files by what a reader looks for.
FOLDERS_WITH_LISTS = [
    *("multibody/" + name for name in "dynamics parsing plant recording sensors tree".split()),
    *("systems/" + name for name in "framework primitives recording sensors".split()),
    "multibody/standalone",
]


def first_block(page, language):
    """Returns the first block of code in this language."""
    return re.search(rf"^```{language}\n(.*?)^```$", read(page), re.M | re.S)[1]


class Links(unittest.TestCase):
    def test_lead_to_files(self):
        count = 0
        for page, text in PAGES.items():
            prose = "".join(text.split("```")[::2])
            for link in re.findall(r"""(?:\]\(|src=")([^)#"]+)""", prose):
                if not link.startswith("http"):
                    target = TOP / pathlib.Path(page).parent / link
                    self.assertTrue(target.exists(), f"{page} links to {link}")
                    count += 1
        self.assertGreater(count, 60)

    def test_of_contributing_are_paths_that_exist(self):
        pattern = r"`([a-z0-9_]+/[a-z0-9_/]+\.(?:cc|h|py|md|txt|yml))`"
        paths = re.findall(pattern, read("CONTRIBUTING.md"))
        self.assertGreater(len(paths), 25)
        self.assertEqual([path for path in paths if not (TOP / path).exists()], [])


class Lists(unittest.TestCase):
    def test_of_a_folder_name_each_file_of_it(self):
        for folder in FOLDERS_WITH_LISTS:
            words = set(re.findall("[a-z0-9_]+", read(f"{folder}/README.md")))
            for file in files_below(folder, ".h", ".cc"):
                self.assertIn(pathlib.Path(file).stem, words, f"not in {folder}/README.md")

    def test_of_examples_are_complete(self):
        page = read("examples/README.md")
        for name, text in EXAMPLES.items():
            self.assertIn(name, page)
            self.assertRegex(name, "^[0-9][0-9]")
            self.assertLessEqual(text.count("\n"), 80, name)
            self.assertTrue(text.startswith("// "), name)

    # As `Suite.Test`, and fuzz.name for a program of tests/fuzz.
    def test_of_promises_name_tests_that_exist(self):
        text = "".join(read(path) for path in files_below("tests", ".cc"))
        tests = set(re.findall(r"\(\s*(\w+),\s+(\w+)\)", text))
        fuzzers = read("tests/fuzz/CMakeLists.txt")
        text = read("docs/promises.md") + read("docs/claims.md")
        names = re.findall(r"`([A-Za-z]+)\.([A-Za-z0-9]+)`", text)
        self.assertGreater(len(names), 70)
        for suite, test in names:
            exists = test in fuzzers if suite == "fuzz" else (suite, test) in tests
            self.assertTrue(exists, f"{suite}.{test} holds a promise or a claim")


class Readme(unittest.TestCase):
    def test_is_short_and_shows_files_verbatim(self):
        self.assertLessEqual(read("README.md").count("\n"), 150)
        self.assertEqual(first_block("README.md", "cpp"), EXAMPLES["00_swing.cc"])
        pages = ("README.md", "docs/getting_started.md")
        self.assertEqual(*(first_block(page, "yaml") for page in pages))

    def test_pictures_are_small_and_each_is_shown(self):
        text = "".join(USER_PAGES.values())
        sizes = {p.name: p.stat().st_size for p in (TOP / "docs/images").iterdir()}
        self.assertEqual([name for name in sizes if f"images/{name}" not in text], [])
        self.assertLessEqual(max(sizes.values()), 3_000_000)
        self.assertLessEqual(sum(sizes.values()), 8_000_000)


class Changelog(unittest.TestCase):
    def test_has_the_version_of_the_build_and_short_lines(self):
        text = read("CHANGELOG.md")
        self.assertIn("## [Unreleased]", text)
        self.assertIn(re.search(r"wyvern VERSION ([0-9.]+)", read("CMakeLists.txt"))[1], text)
        for line in re.findall("^- (.*)", text, re.M):
            self.assertLessEqual(len(line.split()), 25, line)


class Errors(unittest.TestCase):
    # Three dots of the page stand for values. A message has at most 800 characters.
    def test_of_the_page_are_messages_of_the_sources(self):
        text = "\f".join(re.sub(r'"\s*\n\s*"', "", t) for t in SOURCES.values())
        rows = re.findall(r"^\| (`+)(.*?[^`])\1 \| ", read("docs/errors.md"), re.M)
        self.assertGreaterEqual(len(rows), 40)
        for _, message in rows:
            parts = [p for p in message.replace('"', '\\"').split("...") if p.strip()]
            starts = [m.start() for m in re.finditer(re.escape(parts[0]), text)]
            pattern = re.compile("[^\f]*?".join(map(re.escape, parts)))
            is_there = any(pattern.match(text, at, at + 800) for at in starts)
            self.assertTrue(is_there, f"No source has the message {message}")


class Shell(unittest.TestCase):
    # Each starts with a command that a test or CI runs. `./run NAME` is one example.
    def test_commands_of_pages_are_known(self):
        known = re.compile(
            r"(wyvern|\./run|\./test|cmake|docs/build|apt-get|export|"
            r"examples/models/fetch_models|pip install \.)( .*)?|    --.*"
        )
        blocks = re.findall(r"^```sh\n(.*?)^```", "\n".join(USER_PAGES.values()), re.M | re.S)
        lines = [line for line in "".join(blocks).splitlines() if line]
        self.assertGreater(len(lines), 40)
        for line in lines:
            self.assertTrue(known.fullmatch(line), line)
            if run := re.match(r"\./run ([0-9a-z_]+)", line):
                found = [name for name in EXAMPLES if re.match(f"(...)?{run[1]}", name)]
                self.assertEqual(len(found), 1, line)


if __name__ == "__main__":
    unittest.main()
