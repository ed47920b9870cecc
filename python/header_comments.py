"""Collects the comments of the C++ headers for the docstrings of the package.

    header_comments.py --output FILE --depfile FILE --bindings FOLDER -- OPTION...

Parses the headers that the bindings include, with the compiler's options OPTION,
by libclang: the package "libclang" of PyPI or Debian's python3-clang. Writes a
table for bindings/docstrings.cc. Without libclang the table is empty, and a
message says so."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

try:
    from clang import cindex
except ImportError:
    cindex = None

# How exceptions of C++ arrive in Python.
PYTHON_NAMES = {
    "std::logic_error": "RuntimeError", "std::runtime_error": "RuntimeError",
    "std::out_of_range": "IndexError", "std::bad_cast": "RuntimeError",
    "std::exception": "Exception", "std::string_view": "str",
    "std::string": "str", "nullptr": "None", "true": "True", "false": "False",
}


def plain_lines(comment):
    """Returns the lines of a comment without the marks of a comment."""
    text = re.sub(r"^/\*\*<?|\*/$", "", comment.strip())
    lines = []
    for line in text.splitlines():
        line = line.strip()
        line = re.sub(r"^///<? ?", "", line)
        line = re.sub(r"^\*+ ?", "", line)
        lines.append(line.strip())
    return lines


def translate(text):
    """Returns the text with the names that Python has for things."""
    text = re.sub(r"@(?:p|c|a|e|b|ref|em) ", "", text)
    text = re.sub(r"@f[$\[\]{}]", "", text)
    for name, ours in PYTHON_NAMES.items():
        text = re.sub(rf"(?<![\w:]){re.escape(name)}(?!\w)", ours, text)
    return re.sub(r"(?<![\w@])@(?=[\w{}])", "", text)


def docstring(comment):
    """Returns the text of a comment, and a list of (parameter, text)."""
    comment = re.sub(r"@code.*?@endcode", "", comment, flags=re.S)
    comment = re.sub(r"@[{}]", "", comment)
    # A command begins a paragraph wherever it is.
    comment = re.sub(
        r"\s*@(param|tparam|returns?|throws|exception|pre|note|warning|see|name"
        r"|file)\b(?:\[\w+\])?", r"\n@\1", comment)
    paragraphs = [[]]
    for line in plain_lines(comment):
        if line.startswith("@") or not line:
            paragraphs.append([])
        if line:
            paragraphs[-1].append(line)
    parts, parameters = [], []
    for lines in paragraphs:
        if not lines:
            continue
        word = re.match(r"@(\w+)\s*", lines[0])
        command = word.group(1) if word else ""
        if word:
            lines = [lines[0][word.end():]] + lines[1:]
        joined = translate("\n".join(lines)).strip()
        if command == "param":
            name, _, rest = joined.partition(" ")
            parameters.append((name.rstrip(","), rest.replace("\n", " ")))
        elif command in ("tparam", "name", "file"):
            continue
        elif command in ("return", "returns"):
            parts.append("Returns " + joined)
        elif command in ("throws", "exception"):
            parts.append("Raises " + joined)
        elif command == "pre":
            parts.append("Requires: " + joined)
        elif command in ("note", "warning", "see"):
            parts.append(command.capitalize() + ": " + joined)
        elif joined:
            parts.append(joined)
    return "\n\n".join(parts), [p for p in parameters if p[1]]


class Collector:
    """Goes through the classes of the namespace wyvern."""

    def __init__(self):
        # By class: what its bases are, and its comments by member.
        self.bases = {}
        self.members = {}

    def collect(self, cursor):
        """Visits a namespace."""
        kinds = cindex.CursorKind
        for child in cursor.get_children():
            if child.kind == kinds.NAMESPACE:
                if child.spelling != "internal":
                    self.collect(child)
            elif child.kind in (kinds.CLASS_DECL, kinds.STRUCT_DECL,
                                kinds.CLASS_TEMPLATE):
                if child.is_definition():
                    self.collect_class(child)

    def collect_class(self, cursor):
        """Visits a class: its comment, its public members and its bases."""
        kinds = cindex.CursorKind
        name = cursor.spelling.split("<")[0]
        if name in self.members:
            return
        members = self.members.setdefault(name, [])
        bases = self.bases.setdefault(name, [])
        self.add(members, "", cursor, [])
        public = cursor.kind == kinds.STRUCT_DECL
        for child in cursor.get_children():
            if child.kind == kinds.CXX_BASE_SPECIFIER:
                base = re.sub(r"<.*", "", child.type.spelling)
                bases.append(base.split("::")[-1])
            elif child.kind == kinds.CXX_ACCESS_SPEC_DECL:
                public = child.access_specifier.name == "PUBLIC"
            elif child.kind in (kinds.CLASS_DECL, kinds.STRUCT_DECL):
                if public and child.is_definition():
                    self.collect_class(child)
            elif child.kind in (kinds.CXX_METHOD, kinds.CONSTRUCTOR,
                                kinds.FUNCTION_TEMPLATE, kinds.FIELD_DECL):
                # Blocks in Python call the protected functions of LeafSystem.
                member = child.spelling.split("<")[0]
                if child.kind == kinds.CONSTRUCTOR or member == name:
                    member = "__init__"
                arguments = [c.spelling for c in child.get_children()
                             if c.kind == kinds.PARM_DECL]
                self.add(members, member, child, arguments)

    @staticmethod
    def add(members, name, cursor, arguments):
        """Adds a comment, if there is one."""
        comment = cursor.raw_comment
        if not comment or not comment.startswith(("/**", "///")):
            return
        text, parameters = docstring(comment)
        if text or parameters:
            members.append((name, arguments, text, parameters))

    def inherited(self, name, seen=()):
        """Returns the comments of a class and then those of its bases."""
        own = list(self.members.get(name, []))
        known = {member for member, *_ in own} | {""}
        for base in self.bases.get(name, []):
            if base not in seen:
                own += [entry for entry in
                        self.inherited(base, (*seen, name))
                        if entry[0] not in known]
        return own

    def rows(self, names):
        """Returns the rows of classes and members of these names, sorted by
        key; the bindings put the names of declarations of events together."""
        result = []
        for name in set(self.members) & names:
            for member, arguments, text, parameters in self.inherited(name):
                if member not in names | {"", "__init__"} and not (
                        member.startswith("Declare")):
                    continue
                key = f"{name}.{member}" if member else name
                result.append((key, "," + ",".join(arguments) + ",", text,
                               parameters))
        return sorted(result, key=lambda row: row[0].encode())


def literal(text):
    """Returns a string literal of C++."""
    return json.dumps(text, ensure_ascii=False).replace("?", "\\?").replace(
        "\\u0001", '\\001""').replace("\\u0002", '\\002""')


def parse(headers, options):
    """Returns the translation unit of some headers."""
    # The package of PyPI has no headers of its own, such as stddef.h.
    compiler = subprocess.run(["c++", "-print-file-name=include"],
                              capture_output=True, text=True, check=False)
    builtin = compiler.stdout.strip()
    text = "".join(f'#include "{header}"\n' for header in headers)
    flags = ["-x", "c++", "-std=c++20", "-ferror-limit=0", "-w",
             "-DEIGEN_DONT_VECTORIZE", *options]
    if builtin:
        flags += ["-idirafter", builtin]
    unit = cindex.TranslationUnit
    return cindex.Index.create().parse(
        "headers.cc", flags, [("headers.cc", text)],
        unit.PARSE_SKIP_FUNCTION_BODIES | unit.PARSE_INCOMPLETE)


def headers_of(folder):
    """Returns the headers of the library that the bindings include."""
    found = set()
    for file in sorted(folder.glob("*.cc")):
        found |= set(re.findall(r'^#include "(wyvern/[^"]+)"',
                                file.read_text(), re.M))
    return sorted(found)


def names_in(folder):
    """Returns the texts in the bindings, the names of classes among them."""
    return {name for file in folder.glob("*.cc")
            for name in re.findall(r'"(\w+)"', file.read_text())}


def read_rows(folder, options):
    """Returns the rows of the table and the files that they depend on."""
    if cindex is None:
        return None, []
    try:
        unit = parse(headers_of(folder), options)
    except (cindex.LibclangError, cindex.TranslationUnitLoadError) as error:
        print(f"header_comments.py: {error}", file=sys.stderr)
        return None, []
    collector = Collector()
    kinds = cindex.CursorKind
    for cursor in unit.cursor.get_children():
        if cursor.kind == kinds.NAMESPACE and cursor.spelling == "wyvern":
            collector.collect(cursor)
    files = sorted({str(i.include) for i in unit.get_includes()})
    return collector.rows(names_in(folder)), files


def main():
    """Writes the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--depfile", type=pathlib.Path, required=True)
    parser.add_argument("--bindings", type=pathlib.Path, required=True)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    rows, files = read_rows(arguments.bindings, arguments.options)
    if rows is None:
        print("Docstrings: libclang is missing, so the package has none from "
              "the C++ headers; pip install libclang", file=sys.stderr)
    lines = []
    for key, names, text, parameters in rows or []:
        marked = "".join(f"\x01{name}\x02{words}" for name, words in parameters)
        lines.append("{" + ", ".join(
            literal(part) for part in (key, names, text, marked)) + "},\n")
    arguments.output.write_text("".join(lines))
    paths = " ".join(file.replace(" ", "\\ ") for file in files)
    arguments.depfile.write_text(f"{arguments.output}: {paths}\n")


if __name__ == "__main__":
    main()
