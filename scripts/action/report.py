"""The report as Markdown, in parts of which each stands by itself, the most important first.

Whatever comes from a tree stands as code or as escaped text.
"""

import json

# Destroys first.
ORDER = ["delete", "replace", "forget", "update", "create", "import", "move", "read", "no-op", "absent"]
WORDS = {"delete": "destroyed", "replace": "replaced", "update": "changed", "create": "added", "read": "read",
         "forget": "no longer managed", "import": "imported", "move": "moved",
         "no-op": "unchanged", "absent": "not there"}
# What loses an object.
GONE = ("delete", "replace", "forget")
# So many rows of a table are shown, and so many stand in one part; of what goes so few that a part always fits.
ROWS, PART, GONE_PART = 400, 40, 10
# So many environments are named in a row of what goes.
NAMED = 5
# So many characters of Terraform's own text.
TEXT = 40_000
VALUE = 80


def parts(runner, result):
    """The parts, the most important first: what goes in any directory, and then everything else."""
    out = [heading(runner, result)]
    several = len(result.parts) > 1
    for bodies_of in (_gone, _others):
        for part in result.parts:
            title = "### %s\n\n" % runner.code(part.directory, 400) if several else ""
            for body in bodies_of(runner, part):
                out.append(title + body)
                title = ""
    return out


def heading(runner, result):
    """What is the case, in two lines."""
    base = " against %s" % runner.code(result.base[:12]) if result.base else ""
    counts = [(result.count(n), w) for n, w in (("destroy", "to destroy"), ("replace", "to replace"),
                                                ("change", "to change"), ("add", "to add"))]
    said = ["**%d %s**" % c for c in counts if c[0]]
    goes, may_go = (sum(len(of(part)) for part in result.parts) for of in (_going, _may_go))
    said += ["**%d instance%s**" % (goes, " goes" if goes == 1 else "s go")] if goes else []
    said += ["**%d declaration%s may lose instances**" % (may_go, "" if may_go == 1 else "s")] if may_go else []
    findings = len(result.findings)
    said += ["**%d finding%s**" % (findings, "" if findings == 1 else "s")] if findings else []
    if result.failed:
        said.append("**not everything could be done**")
    if not said:
        differ = "values or specializations differ" if result.mode == "review" else "nothing is added, changed or destroyed, but the plan is not empty"
        said = [differ if result.changed else "nothing changes"]
    if result.mode == "check" and not result.changed and not findings and not result.failed:
        said = ["specialised and up to date"]
    return "## tf-phi %s%s\n\n%s\n" % (result.mode, base, " · ".join(said))


def _environments(part):
    return part.data.get("environments") or []


def _plan_of(environment):
    plan = environment.get("plan")
    return plan if isinstance(plan, dict) else {}


def _is_planned(environment):
    """Whether a plan says what goes."""
    return bool(_plan_of(environment)) and "error" not in _plan_of(environment)


def _going(part):
    """The instances that go where no plan says so, each with its environment."""
    return [(str(one.get("address", "")), environment) for environment in _environments(part) if not _is_planned(environment)
            for one in environment.get("instances") or [] if not one.get("after")]


def _may_go(part):
    """The declarations that may lose instances, each with the environments."""
    rows = {}
    for environment in _environments(part):
        for one in environment.get("may_go") or []:
            rows.setdefault(str(one), []).append(environment)
    return rows


def _gone(runner, part):
    """What goes, in parts so small that nothing else pushes them out."""
    name = lambda environment: runner.code(str(environment.get("name", "")), 60)
    bodies = [body for e in _environments(part) for body in _plan(runner, e, True)]
    rows = [["goes", runner.code(address, 200), name(environment)] for address, environment in _going(part)]
    bodies += _tables("Instances that go", ["", "Address", "Environment"], rows, GONE_PART)
    rows = []
    for one, environments in _may_go(part).items():
        more = len(environments) - NAMED
        names = ", ".join(map(name, environments[:NAMED])) + (" and %d more" % more if more > 0 else "")
        rows.append([runner.code(one, 200), names])
    return bodies + _tables("May lose instances", ["Declaration", "Environment"], rows, GONE_PART)


def _others(runner, part):
    """Everything else."""
    environments = _environments(part)
    bodies = ["Not done: %s\n" % runner.code(part.failure, 300)] if part.failure else []
    bodies += [body for e in environments for body in _plan(runner, e, False)]
    bodies += _findings(runner, part.findings) + _values(runner, environments) + _instances(runner, environments)
    bodies += _uncompared(runner, environments) + _left_out(part.data.get("left_out") or 0)
    bodies += _specializations(runner, part.data.get("specializations") or [])
    return bodies + [_text(runner, name, text) for name, text in part.texts.items()]


def _tables(title, head, rows, size=PART):
    """A table in parts of so many rows, each with its title and its head."""
    first = "#### %s\n\n| %s |\n|%s\n" % (title, " | ".join(head), "---|" * len(head))
    line = lambda row: "| %s |\n" % " | ".join(row)
    shown = rows[:ROWS]
    parts = [first + "".join(map(line, shown[at:at + size])) for at in range(0, len(shown), size)]
    if len(rows) > ROWS:
        parts[-1] += "\nand %d more\n" % (len(rows) - ROWS)
    return parts


def _plan(runner, environment, is_gone):
    """What a plan does with what it takes away, or everything else that it does."""
    plan = _plan_of(environment)
    resources = [r for r in plan.get("resources") or [] if (r.get("after") in GONE) == is_gone]
    rank = lambda r: ORDER.index(r.get("after")) if r.get("after") in ORDER else len(ORDER)
    rows = []
    for resource in sorted(resources, key=rank):
        before, after = (WORDS.get(resource.get(k), "") for k in ("before", "after"))
        what = after if before in ("unchanged", "", after) else "%s (was: %s)" % (after, before)
        attributes = [str(a) for a in resource.get("attributes") or []]
        address, planned = (str(resource.get(k) or "") for k in ("address", "planned"))
        name = runner.code(address, 300)
        name += ", planned as %s" % runner.code(planned, 300) if planned not in ("", address) else ""
        rows.append([what, name, runner.code(", ".join(attributes))])
    title = "Plan: %s" % runner.code(str(environment.get("name", "")))
    if is_gone:
        return _tables("%s: what goes" % title, ["", "Resource", "Attributes"], rows, GONE_PART)
    if "error" in plan:
        return ["#### %s\n\nNot done: %s\n" % (title, runner.code(str(plan["error"]), 1000))]
    outputs = [[runner.code(str(name), 200)] for name in plan.get("outputs") or []]
    return _tables(title, ["", "Resource", "Attributes"], rows) + _tables("%s: outputs that differ" % title, ["Output"], outputs)


def cell(runner, of):
    """A cell of `matrix` and `review`."""
    kind = of.get("result") if isinstance(of, dict) else None
    if kind == "resolved":
        value = of.get("value")
        return "(sensitive value)" if value == {"sensitive": True} else runner.code(json.dumps(value, ensure_ascii=False), VALUE)
    if kind == "written":
        return runner.code(str(of.get("text", "")), VALUE)
    if kind == "unbounded" and of.get("term"):
        return runner.code(str(of.get("term")), VALUE)
    if kind == "unbounded":
        return "not known: %s" % runner.code(str(of.get("code", "")))
    if kind == "error":
        return "error: %s" % runner.code(str(of.get("error", "")), VALUE)
    if kind == "instances":
        each = ["%s %s" % (runner.code(str(k)), cell(runner, c)) for k, c in (of.get("instances") or {}).items()]
        return ", ".join(each[:5]) + (", …" if len(each) > 5 else "")
    return "—"


def _values(runner, environments):
    """Which values change where; environments in which one changes alike share a row."""
    rows = {}
    whole = lambda of: json.dumps(of, sort_keys=True, ensure_ascii=False)
    for environment in environments:
        for value in environment.get("values") or []:
            before, after = value.get("before"), value.get("after")
            key = (str(value.get("field", "")), whole(before), whole(after))
            rows.setdefault(key, (before, after, []))[2].append(runner.code(str(environment.get("name", ""))))
    lines = [[runner.code(key[0], 200), ", ".join(names), *_cells(runner, before, after)]
             for key, (before, after, names) in rows.items()]
    return _tables("Values", ["Field", "Environment", "Before", "After"], lines)


def _cells(runner, before, after):
    """Two cells that differ, also where they are cut."""
    shown = [cell(runner, before), cell(runner, after)]
    if shown[0] != shown[1] or shown[0] == "(sensitive value)":
        return shown
    texts = [json.dumps(of, sort_keys=True, ensure_ascii=False) for of in (before, after)]
    same = next((at for at, (a, b) in enumerate(zip(*texts)) if a != b), min(map(len, texts)))
    return ["… " + runner.code(text[max(0, same - VALUE // 2):], VALUE) for text in texts]


def _left_out(count):
    """What is too much to be compared."""
    return ["**%d fields and declarations are not compared**, since all environments together are too much.\n" % count] if count else []


def _uncompared(runner, environments):
    """Fields of which nobody can say whether they differ, each with the environments."""
    rows = {}
    for environment in environments:
        for one in environment.get("uncompared") or []:
            rows.setdefault(str(one), []).append(runner.code(str(environment.get("name", ""))))
    rows = [[runner.code(one, 200), ", ".join(names)] for one, names in rows.items()]
    return _tables("Not compared without a plan", ["Field", "Environment"], rows)


def _instances(runner, environments):
    """Instances that come; and those that go beside a plan."""
    rows = []
    for environment in environments:
        for one in environment.get("instances") or []:
            if not one.get("after") and not _is_planned(environment):
                continue
            what = "comes" if one.get("after") else "goes"
            rows.append([what, runner.code(str(one.get("address", "")), 300), runner.code(str(environment.get("name", "")))])
    rows.sort(key=lambda row: row[0] != "goes")
    return _tables("Instances", ["", "Address", "Environment"], rows)


def _specializations(runner, all_of):
    values = lambda of: ", ".join(runner.code(json.dumps(v, ensure_ascii=False), VALUE) for v in of or []) or "—"
    rows = [[runner.code(str(s.get("unit", "")), 200), values(s.get("before")), values(s.get("after"))] for s in all_of]
    return _tables("Specialised", ["Unit", "Before", "After"], rows)


def _findings(runner, findings):
    """Findings of either kind: issues, and inputs at which Terraform stops."""
    rows = []
    for finding in findings:
        said = finding.get("summary") or finding.get("error") or ""
        where = finding.get("source_span") or finding.get("file") or ""
        condition = finding.get("gate") or finding.get("why") or ""
        about = finding.get("field") or ""
        names = ", ".join(str(name) for name in finding.get("environments") or [])
        rows.append([runner.code(str(text), 300) if text else "" for text in (where, about, said, condition, names)])
    return _tables("Findings", ["Where", "Field", "What", "When, or why", "Environments"], rows)


def _text(runner, name, text):
    text = runner.clean(text)
    if len(text) > TEXT:
        text = text[:TEXT] + "\n…"
    # A fence that no run of backticks in the text closes.
    longest = run = 0
    for c in text:
        run = run + 1 if c == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    summary = "Terraform's plan: %s" % runner.code(name)
    return "<details><summary>%s</summary>\n\n%stext\n%s\n%s\n\n</details>\n" % (summary, fence, text.strip("\n"), fence)


def assembled(all_parts, limit, link):
    """As many parts as fit into so many bytes, in order; what is left out is counted, and linked."""
    size = lambda text: len(text.encode("utf-8"))
    end = "\n%d of %d parts of the report are left out here: [the whole report](%s)\n"
    if size("\n".join(all_parts)) <= limit:
        return "\n".join(all_parts)
    room = limit - size(end % (len(all_parts), len(all_parts), link))
    kept = []
    for part in all_parts:
        if size(part) + 1 <= room:
            kept.append(part)
            room -= size(part) + 1
    return "\n".join(kept) + end % (len(all_parts) - len(kept), len(all_parts), link)
