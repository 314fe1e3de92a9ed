"""The arguments and blocks of files in HCL, by a reading that has nothing of tf-phi's."""

import re

from commits_tokens import BLANK, HEREDOC, heredoc_end, string_end

NAME = re.compile(r"[\w-]+")
META = {"count", "for_each", "provider", "providers", "depends_on", "lifecycle", "provisioner", "connection"}


def skipped(text, at):
    """Behind the string, heredoc or comment that begins here, or behind one character."""
    heredoc = HEREDOC.match(text, at)
    if heredoc:
        return heredoc_end(text, heredoc.end(), heredoc[1])
    if text[at] == '"':
        return string_end(text, at + 1)
    if text.startswith("/*", at):
        return text.index("*/", at) + 2
    if text[at] == "#" or text.startswith("//", at):
        return text.find("\n", at) if "\n" in text[at:] else len(text)
    return at + 1


def group_end(text, at, stop):
    """Where the character of `stop` is that no bracket and no string holds."""
    depth = 0
    while at < len(text) and (depth or text[at] not in stop):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        at = skipped(text, at)
    return at


def items(text):
    """The arguments (name, text) and the blocks (type, labels, items) of a body."""
    at, out = 0, []
    while at < len(text):
        word = NAME.match(text, at)
        if not word:
            at = skipped(text, at)
            continue
        at = word.end()
        blank = BLANK.match(text, at)
        at = blank.end() if blank else at
        if text[at:at + 1] == "=":
            end = group_end(text, at + 1, "\n}")
            out.append((word[0], uncommented(text[at + 1:end])))
        else:
            end = group_end(text, at, "{")
            labels = [label.strip('"') for label in text[at:end].split()]
            at, end = end + 1, group_end(text, end + 1, "}")
            out.append((word[0], labels, items(text[at:end])))
        at = end + 1
    return out


def uncommented(text):
    """An expression that ends with a comment would take in what is written behind it."""
    return text.strip() + "\n"


def fields(body, above="", is_call=False):
    """Every argument of a block by its path; blocks of a type are counted where there are several, and those that iterate are left out."""
    types = [item[0] for item in body if len(item) == 3]
    left_out = {"dynamic"} | {item[1][0] for item in body if item[0] == "dynamic" and len(item) == 3}
    seen = {}
    for item in body:
        if not above and item[0] in META or is_call and item[0] in ("source", "version"):
            continue
        if len(item) == 2:
            yield above + item[0], item[1]
        elif item[0] not in left_out:
            at = seen[item[0]] = seen.get(item[0], -1) + 1
            yield from fields(item[2], "%s%s." % (above, item[0]) + ("%d." % at if types.count(item[0]) > 1 else ""))
