"""What the site has beyond docs/: files of the root as pages, pages for the description of the API and the schemas of events, and links
to files of the repository."""

import json
import os
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
OF_ROOT = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
SOURCES = {page: source for source, page in OF_ROOT.items()}
API = '# Description of the HTTP API\n\n[openapi.yaml](openapi.yaml), as [a table](reference/requests.md) too.\n\n<swagger-ui src="openapi.yaml"/>\n'
GENERATED = ("openapi.md", "schemas.md")
FENCE = re.compile(r"^(```.*?^```)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r'(\]\(|(?:src|srcset|href)=")(?![a-z]+:|#|/)([^)#"\s]+)')


def on_config(config):
    """Lists the groups of decisions below their index."""
    chapter = next(chapter["Decisions"] for chapter in config.nav if "Decisions" in chapter)
    chapter.append({"Groups": [f"decisions/{file.name}" for file in sorted((ROOT / "docs/decisions").glob("*.md"))]})


def on_files(files, config):
    for source, page in OF_ROOT.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text("utf-8")))
    files.append(File.generated(config, "openapi.md", content=API))
    files.append(File.generated(config, "schemas.md", content=schemas()))
    diagrams = os.environ.get("MERMAID")
    if diagrams:
        files.append(File.generated(config, "assets/mermaid.js", abs_src_path=diagrams))
        config.extra_javascript.append("assets/mermaid.js")
    return files


def schemas():
    rows = ["# JSON Schemas\n\nOf [events](reference/events.md), JSON Schema 2020-12, and of the health document.\n\n| schema | of |\n|---|---|"]
    for file in sorted((ROOT / "docs/schemas").rglob("*.json")):
        path = file.relative_to(ROOT / "docs").as_posix()
        schema = json.loads(file.read_text("utf-8"))
        rows.append(f"| [{path.removeprefix('schemas/')}]({path}) | {schema.get('description', schema.get('title', ''))} |")
    return "\n".join(rows)


def on_page_markdown(markdown, page, config, files):
    """Points links to the same files as in the repository: to a page or a file of the site, or else to the forge."""
    here = page.file.src_uri
    source = SOURCES.get(here, f"docs/{here}")

    def rewritten(match):
        path, mark, anchor = match[2].partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        inside = OF_ROOT.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        if inside and (files.get_file_from_path(inside) or not (ROOT / target).exists()):
            url = posixpath.relpath(inside, posixpath.dirname(here) or ".")
        elif (ROOT / target).exists() and here not in GENERATED:
            kind = "tree" if (ROOT / target).is_dir() else "blob"
            url = f"{config.extra['repository']}/{kind}/{config.extra['revision']}/{target}"
        else:
            return match[0]
        return match[1] + url + mark + anchor

    return "".join(part if part.startswith("```") else LINK.sub(rewritten, part) for part in FENCE.split(markdown))
