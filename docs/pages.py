#!/usr/bin/env python3
"""Steps of docs/build around MkDocs.

    pages.py stage TOP FOLDER   copies each page of TOP, with its pictures
    pages.py check SITE         checks each link of the pages of a site

A link to a source file becomes its text, because the site has no sources.
"""
import html.parser
import pathlib
import re
import shutil
import sys
import urllib.parse

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
PICTURES = {".png", ".svg", ".webp", ".gif", ".jpg"}


def find_pages(top):
    for path in sorted(top.rglob("*.md")):
        parts = path.relative_to(top).parts
        if not any(p in ("build", "node_modules") or p.startswith(".")
                   for p in parts):
            yield path


def rewrite_link(page, match):
    picture, text, target = match.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return match.group(0)
    path, _, anchor = target.partition("#")
    file = page.parent / path
    if file.is_dir() and (file / "README.md").exists():
        path = path.rstrip("/") + "/README.md"
        return f"[{text}]({path}{'#' + anchor if anchor else ''})"
    if picture or file.suffix in PICTURES | {".md"}:
        return match.group(0)
    return text


def rewrite(page):
    """The page with links as the site wants them, code blocks as they are."""
    lines, is_code = [], False
    for line in page.read_text().splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            line = LINK.sub(lambda match: rewrite_link(page, match), line)
        lines.append(line)
    return "\n".join(lines) + "\n"


def stage(top, folder):
    for page in find_pages(top):
        place = folder / page.relative_to(top)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(rewrite(page))
        for picture, _, target in LINK.findall(page.read_text()):
            file = page.parent / target
            if picture and "://" not in target and file.exists():
                copy = folder / file.resolve().relative_to(top.resolve())
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, copy)
    images = top / "docs" / "images"
    shutil.copytree(images, folder / "docs" / "images", dirs_exist_ok=True)


class Links(html.parser.HTMLParser):
    """Links, anchors and loaded files of a page."""

    def __init__(self, file):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes[a] for a in ("id", "name")
                            if attributes.get(a))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag in ("img", "script", "iframe") and attributes.get("src"):
            self.loads.append(attributes["src"])
        if tag == "link" and attributes.get("rel") in ("stylesheet", "icon"):
            self.loads.append(attributes["href"])


def check(site):
    pages = {file: Links(file) for file in sorted(site.rglob("*.html"))
             if "reference" not in file.relative_to(site).parts}
    faults, count = [], 0
    for file, page in pages.items():
        name = file.relative_to(site)
        for link in page.links + page.loads:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loads and url.scheme != "data":
                    faults.append(f"{name} loads {link}: the site is offline")
                continue
            count += 1
            target = file
            if url.path:
                target = (file.parent / urllib.parse.unquote(url.path))
                target = target.resolve()
                if target.is_dir():
                    target /= "index.html"
            if not target.exists():
                faults.append(f"{name} links to {link}, which does not exist")
            elif (url.fragment and target in pages and not
                  url.fragment.startswith("__") and
                  urllib.parse.unquote(url.fragment)
                  not in pages[target].anchors):
                faults.append(f"{name} links to {link}: no such heading")
    print("\n".join(faults) or
          f"{len(pages)} pages, {count} links: each leads somewhere.")
    return 1 if faults or count < 1000 else 0


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "stage":
        stage(pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]))
    elif len(sys.argv) == 3 and sys.argv[1] == "check":
        sys.exit(check(pathlib.Path(sys.argv[2]).resolve()))
    else:
        sys.exit(__doc__)
