"""Every YAML file that the documents show, taken out and checked by the schema of its kind; see scripts/workflows.

The first line of a block of YAML is a comment with the file's name, which tells its kind.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ruamel.yaml import YAML

SCHEMAS = [
    (re.compile(r"\.github/workflows/[\w-]+\.yml"), "vendor.github-workflows"),
    (re.compile(r"\.gitlab-ci\.yml"), "vendor.gitlab-ci"),
    # No schema of these is at hand: they have to be YAML.
    (re.compile(r"\.pre-commit-config\.yaml|repos\.yaml"), None),
]
BLOCK = re.compile(r"^```ya?ml\n(.*?)^```$", re.M | re.S)


def blocks(root):
    """(document, name, text) of every block."""
    for document in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        for text in BLOCK.findall(document.read_text(encoding="utf-8")):
            name = text.split("\n", 1)[0].removeprefix("# ").strip()
            yield document.relative_to(root), name, text


def check(path, schema):
    """What is wrong with a file, or nothing."""
    try:
        YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    except Exception as error:  # Whatever the parser says.
        return str(error)
    if schema is None:
        return ""
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def inputs_of(action, text):
    """Inputs of a workflow's steps that the action doesn't have."""
    known = set(YAML(typ="safe").load(action.read_text(encoding="utf-8"))["inputs"])
    jobs = YAML(typ="safe").load(text).get("jobs") or {}
    steps = [step for job in jobs.values() for step in job.get("steps") or []]
    own = [step for step in steps if str(step.get("uses", "")).startswith("OWNER/tf-phi@")]
    return sorted({name for step in own for name in step.get("with") or {}} - known)


def main(root):
    """The exit status."""
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for document, name, text in blocks(root):
            schema = next((s for pattern, s in SCHEMAS if pattern.fullmatch(name)), False)
            if schema is False:
                wrong.append("%s: %r names no file of a known kind" % (document, name))
                continue
            path = Path(folder) / ("%d.yml" % count)
            path.write_text(text, encoding="utf-8")
            found = check(path, schema)
            if not found and schema == "vendor.github-workflows":
                unknown = inputs_of(root / "action.yml", text)
                found = "unknown inputs: %s" % ", ".join(unknown) if unknown else ""
            count += 1
            if found:
                wrong.append("%s, %s: %s" % (document, name, found))
        for name, schema in (("action.yml", "vendor.github-actions"), (".pre-commit-hooks.yaml", None)):
            found = check(root / name, schema)
            wrong += ["%s: %s" % (name, found)] if found else []
    print("\n".join(wrong) or "%d files of the documents are as their schemas want them" % count)
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parents[1]))
