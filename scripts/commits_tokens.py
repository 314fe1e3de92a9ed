"""Whether two texts in HCL differ in more than comments and layout, by a reading of their tokens that has nothing of tf-phi's."""

import re

HEREDOC = re.compile(r"<<-?([\w-]+)\r?\n")
WORD = re.compile(r"[\w.]+")
BLANK = re.compile(r"[ \t\r]+")


def template_end(text, at):
    """Behind the brace that closes what is open before `at`."""
    depth = 1
    while at < len(text) and depth:
        if text[at] == '"':
            at = string_end(text, at + 1)
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def string_end(text, at):
    """Behind the quote that closes the string which begins before `at`."""
    while at < len(text):
        if text[at] == '"':
            return at + 1
        if text.startswith(("$${", "%%{"), at):
            at += 3
        elif text.startswith(("${", "%{"), at):
            at = template_end(text, at + 2)
        else:
            at += 2 if text[at] == "\\" else 1
    return at


def heredoc_end(text, at, word):
    """Behind the line that closes the heredoc of which the text begins at `at`."""
    while at < len(text):
        end = (text.find("\n", at) + len(text)) % len(text) + 1
        line, at = text[at:end], end
        if line.strip() == word:
            return at - (len(line) - len(line.rstrip("\r\n")))
    return at


def tokens(text):
    """The tokens of a file, comments left out; of several line ends in a row one."""
    out, at = [], 0
    while at < len(text):
        heredoc = HEREDOC.match(text, at)
        end = at + 1
        if text[at] == "#" or text.startswith("//", at):
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
            continue
        if text.startswith("/*", at):
            at = text.find("*/", at + 2) + 2 if "*/" in text[at + 2:] else len(text)
            continue
        if BLANK.match(text, at):
            at = BLANK.match(text, at).end()
            continue
        if text[at] == '"':
            end = string_end(text, at + 1)
        elif heredoc:
            end = heredoc_end(text, heredoc.end(), heredoc[1])
        elif WORD.match(text, at):
            end = WORD.match(text, at).end()
        if text[at] != "\n" or out and out[-1] != "\n":
            out.append(text[at:end])
        at = end
    while out and out[-1] == "\n":
        out.pop()
    return out


def is_layout(before, after):
    return tokens(before) == tokens(after)
