"""What a review says, read from its report, and the table of many."""

import collections
import re
import statistics

HEAD = re.compile(r"field\s+before\s+after")
COLUMNS = ["repository", "commits", "comments or layout alone", "nothing differs", "of these comments or layout", "no root reads it",
           "base isn't parsed", "not compared, in part", "nothing but not compared", "failed", "rows", "s", "MiB"]


def printed_rows(text):
    """The rows of a report as they are printed, each finding for one. Headings, and what stands below a row, are none."""
    count, in_table = 0, False
    for line in text.splitlines():
        if HEAD.match(line):
            in_table = True
        elif not line:
            in_table = False
        elif line.startswith(("  + ", "  - ", "not compared:", "may go:", "⚠ ")):
            count += 1
        elif in_table and not line.startswith(("  also ", "from ")) and not line.endswith("--all shows them."):
            count += 1
    return count


def reasons_of(text, err):
    """Why a review failed: the heads of its errors, without names and lines."""
    heads = re.findall(r"^⚠ Blocking: (.*)", text + "\n" + err, re.M)
    bare = (re.sub(r" \(in [0-9a-f~]+\)$", "", head) for head in heads)
    general = {re.sub(r"(resource|variable|module call|output|local) [\w.\"-]+$", r"\1 …", head) for head in bare}
    return sorted(general) or ["no reason is given"]


def told(status, text, err):
    """What a review says, in words for the table."""
    says = [line for line in text.splitlines() if line.strip()]
    opened = sum(line.startswith("not compared:") for line in says)
    rows = printed_rows(text)
    is_nothing = len(says) == 1 and re.fullmatch(r"Nothing differs in (\d+) of \1 director(y|ies)\.", says[0])
    kind = "failed" if status else "no root" if not says else "nothing" if is_nothing else "open" if rows == opened else "some"
    return {"kind": kind, "open": opened > 0, "unparsed": "is no configuration" in err, "rows": rows,
            "reasons": reasons_of(text, err) if status else []}


def spread(numbers, form):
    numbers = sorted(numbers)
    return " / ".join(form % one for one in (statistics.median(numbers), numbers[min(len(numbers) - 1, len(numbers) * 9 // 10)], numbers[-1]))


def said(name, found):
    """Prints the line of a repository."""
    kinds = collections.Counter(one["kind"] for one in found)
    counts = [len(found), sum(one["comments"] for one in found), kinds["nothing"], sum(one["comments"] and one["kind"] == "nothing" for one in found),
              kinds["no root"], sum(one["unparsed"] for one in found), sum(one["open"] for one in found), kinds["open"], kinds["failed"]]
    read = [one["rows"] for one in found if one["kind"] != "failed"] or [0]
    cells = [name, *map(str, counts), spread(read, "%d"), spread([one["seconds"] for one in found], "%.1f"), "%d" % max(one["memory"] for one in found)]
    print("| " + " | ".join(cells) + " |", flush=True)
