"""From the addresses of a specialised tree's plan back to the original's, by `.phi/history.jsonl`.

Each line there says of a copy's address which address of the original it stands for, and whether its key `[0]` comes from the gate.
An address of which two lines say different things stays as it is. The file is the tree's, and may say anything: whoever shows what it gives names the plan's own address, too.
"""

import json
import re

# Where a name ends, and the key behind it.
END = re.compile(r"[.\[]")
KEY = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|\d+)\]')

# No address has more steps.
MOST_STEPS = 256

# No history is larger.
LARGEST = 64 * 1024 * 1024


def steps(address):
    """The names of an address, each with its key or nothing."""
    found, at = [], 0
    while at < len(address):
        end = END.search(address, at)
        end = end.start() if end else len(address)
        key = KEY.match(address, end)
        behind = key.end() if key else end
        if end == at or address[behind:behind + 1] not in ("", ".") or len(found) == MOST_STEPS:
            # No address of Terraform's, which stays as it is.
            return [[address, ""]]
        found.append([address[at:end], key.group() if key else ""])
        at = behind + 1
    return found


class Originals:
    """What is remembered of copies."""

    def __init__(self, lines):
        self.known = {}
        for line in lines:
            try:
                entry = json.loads(line)
                copy, original, keys = (str(entry[k]) for k in ("address", "original", "keys"))
            except (ValueError, KeyError, TypeError, RecursionError):
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
        if len(found) == 1 and found[0][0] == address and "." in address:
            return address
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
