#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets into fuzz/corpus, from the golden trees, the differential rows and fuzz/seeds."""

import hashlib
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"


def put(target: str, text: str) -> None:
    data = text.encode()
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ("seed-" + hashlib.sha256(data).hexdigest()[:16])).write_bytes(data)


def tree(folder: pathlib.Path) -> None:
    parts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in {".tf", ".hcl", ".tfvars", ".json"}:
            text = path.read_text()
            parts.append(f"-- {path.relative_to(folder).as_posix()} --\n{text}")
            if path.suffix != ".json":
                put("parse", text)
    put("config", "".join(parts))


def rows() -> None:
    """Expressions, one a row: the first column of tables, or the field `expr` of JSON lines."""
    for path in sorted((ROOT / "e2e" / "differential").rglob("*")):
        if not path.is_file():
            continue
        for line in path.read_text(errors="replace").splitlines():
            line = line.strip()
            if line.startswith("{"):
                try:
                    line = json.loads(line).get("expr", "")
                except ValueError:
                    pass
            if line and not line.startswith("#"):
                put("eval", line.split("\t")[0])


def main() -> None:
    for case in sorted((ROOT / "tests" / "golden").glob("*/*/in")) + sorted((ROOT / "examples").glob("*")):
        tree(case)
    for path in sorted((ROOT / "fuzz" / "seeds").glob("*")):
        text = path.read_text()
        if path.name.endswith(".exprs"):
            for line in text.split("\n---\n"):
                put("eval", line)
                put("parse", "x = " + line.strip("\n") + "\n")
        elif path.name.endswith(".tree"):
            put("config", text)
        else:
            put("parse", text)
    rows()


main()
