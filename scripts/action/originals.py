"""From the addresses of a specialised tree's plan back to the original's, by `.phi/history.jsonl`.

Each line there says of a copy's address which address of the original it stands for, and whether its key `[0]` comes from the gate.
An address of which two lines say different things stays as it is.
"""

import json
import re

# A name, and the key behind it.
STEP = re.compile(r'([^.\[]+)(\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?(?:\.|$)')

# No history is larger.
LARGEST = 64 * 1024 * 1024


def steps(address):
    """The names of an address, each with its key or nothing."""
    return [[name, key or ""] for name, key in STEP.findall(address)]


class Originals:
    """What is remembered of copies."""

    def __init__(self, lines):
        self.known = {}
        for line in lines:
            try:
                entry = json.loads(line)
                copy, original, keys = (str(entry[k]) for k in ("address", "original", "keys"))
            except (ValueError, KeyError, TypeError):
                continue
            self.known.setdefault(copy, set()).add((original, keys))

    @classmethod
    def of(cls, directory):
        """Those of a directory; none where it has no history, or one that leads elsewhere."""
        path = directory / ".phi/history.jsonl"
        try:
            is_own = path.is_file() and path.resolve() == directory.resolve() / ".phi/history.jsonl"
            if not is_own or path.stat().st_size > LARGEST:
                return cls([])
            return cls(path.read_text(encoding="utf-8").splitlines())
        except (OSError, ValueError):
            return cls([])

    def original(self, address):
        """The address in the original. What lies within a copy is remembered by the original's path, so outer ones come first."""
        found = steps(address)
        for end in range(1, len(found) + 1):
            meant = self.known.get(".".join(name for name, _ in found[:end]), ())
            if len(meant) != 1:
                continue
            (original, keys), = meant
            names = steps(original)
            if len(names) == end:
                found[end - 1][0] = names[-1][0]
                if keys == "gate" and found[end - 1][1] == "[0]":
                    found[end - 1][1] = ""
        return ".".join(name + key for name, key in found)
