"""Random pairs of trees: a root module with a module and environments, and the same after one or two edits.

An expression is a list `[kind, parts…]`, so that an edit can take any part of it and put another in its place. Everything has a type
(text, number, truth, list of texts, map of texts), so that nearly all trees are ones that Terraform accepts.
"""

import copy
import re

TEXTS = ["a", "b", "dev", "prod", "x-1", "", "Z z"]
KEYS = ["k", "q", "w"]
OBJECT = 'object({ a = string, b = optional(string, "d"), c = optional(list(string), ["x"]) })'


def quote(text):
    return '"%s"' % text


class Scope:
    """What an expression may name."""

    def __init__(self, rng):
        self.rng = rng
        self.names = {"s": [], "n": [], "b": [], "l": [], "m": []}
        self.open = {"s": [], "n": [], "b": [], "l": [], "m": []}

    def pick(self, kind, known):
        names = self.names[kind] + ([] if known else self.open[kind] * 3)
        return self.rng.choice(names) if names else None

    def expr(self, kind, depth=3, known=False):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.35:
            name = self.pick(kind, known)
            if name and rng.random() < 0.8:
                return ["name", name]
            return self.literal(kind, known)
        part = lambda k: self.expr(k, depth - 1, known)
        make = {
            "s": [lambda: ["template", part("s"), rng.choice(["-", "/", " "]), part("s")], lambda: ["call", "upper", part("s")],
                  lambda: ["call", "lower", part("s")], lambda: ["if", part("b"), part("s"), part("s")],
                  lambda: ["call", "join", ["text", rng.choice(["-", ","])], part("l")], lambda: ["paren", part("s")],
                  lambda: ["call", "tostring", part("n")], lambda: ["call", "try", part("s"), part("s")],
                  lambda: ["call", "lookup", part("m"), ["text", rng.choice(KEYS)], part("s")],
                  lambda: ["call", "format", ["text", "%s!%s"], part("s"), part("s")], lambda: ["heredoc", part("s")],
                  lambda: ["call", "jsonencode", part("m")], lambda: ["tpl", part("s"), part("l")], lambda: ["file"]],
            "n": [lambda: ["binary", part("n"), rng.choice("+-*"), part("n")], lambda: ["call", "length", part("l")],
                  lambda: ["if", part("b"), part("n"), part("n")], lambda: ["call", "max", part("n"), part("n")]],
            "b": [lambda: ["binary", part("s"), rng.choice(["==", "!="]), part("s")], lambda: ["not", part("b")],
                  lambda: ["binary", part("n"), rng.choice(["<", ">="]), part("n")], lambda: ["call", "contains", part("l"), part("s")],
                  lambda: ["binary", part("b"), rng.choice(["&&", "||"]), part("b")]],
            "l": [lambda: ["list", part("s"), part("s")], lambda: ["for", "l", part("l"), rng.choice(["-f", "-g"])],
                  lambda: ["call", "concat", part("l"), part("l")], lambda: ["call", "values", part("m")],
                  lambda: ["call", "keys", part("m")], lambda: ["call", "tolist", part("l")], lambda: ["call", "reverse", part("l")]],
            "m": [lambda: ["map", [rng.choice(KEYS), part("s")]], lambda: ["map", ["k", part("s")], ["q", part("s")]],
                  lambda: ["call", "merge", part("m"), part("m")], lambda: ["for", "m", part("m"), rng.choice(["upper", "lower"])]],
        }[kind]
        return rng.choice(make)()

    def literal(self, kind, known):
        rng = self.rng
        return {
            "s": lambda: ["text", rng.choice(TEXTS)], "n": lambda: ["number", rng.randrange(4)], "b": lambda: ["bool", rng.random() < 0.5],
            "l": lambda: ["list", *[["text", rng.choice(TEXTS)] for _ in range(rng.randrange(3))]],
            "m": lambda: ["map", *[[k, ["text", rng.choice(TEXTS)]] for k in KEYS[:rng.randrange(3)]]],
        }[kind]()


def render(e):
    kind, *rest = e
    if kind == "name":
        return rest[0]
    if kind == "text":
        return quote(rest[0])
    if kind == "number":
        return str(rest[0])
    if kind == "bool":
        return "true" if rest[0] else "false"
    if kind == "template":
        return '"${%s}%s${%s}"' % (render(rest[0]), rest[1], render(rest[2]))
    if kind == "heredoc":
        return "join(\"\", [<<EOT\n<${%s}>\nEOT\n])" % render(rest[0])
    if kind == "call":
        return "%s(%s)" % (rest[0], ", ".join(map(render, rest[1:])))
    if kind == "if":
        return "(%s ? %s : %s)" % tuple(map(render, rest))
    if kind == "paren":
        return "(%s)" % render(rest[0])
    if kind == "not":
        return "!(%s)" % render(rest[0])
    if kind == "binary":
        return "(%s %s %s)" % (render(rest[0]), rest[1], render(rest[2]))
    if kind == "list":
        return "[%s]" % ", ".join(map(render, rest))
    if kind == "map":
        return "{ %s }" % ", ".join("%s = %s" % (k, render(v)) for k, v in rest)
    if kind == "for":
        if rest[0] == "l":
            return '[for x in %s : "${x}%s"]' % (render(rest[1]), rest[2])
        return "{ for k, v in %s : k => %s(v) }" % (render(rest[1]), rest[2])
    if kind == "tpl":
        return 'templatefile("${path.module}/t.tpl", { x = %s, all = %s })' % tuple(map(render, rest))
    if kind == "file":
        return 'trimspace(file("${path.module}/f.txt"))'
    if kind == "object":
        return "{ %s }" % ", ".join("%s = %s" % (k, render(v)) for k, v in rest)
    if kind == "wrapped":
        return '"${%s}"' % render(rest[0])
    if kind == "same":
        return "(true ? %s : %s)" % (render(rest[0]), render(rest[0]))
    raise ValueError(kind)


TYPES = {"text": "s", "template": "s", "heredoc": "s", "number": "n", "bool": "b", "not": "b", "list": "l", "map": "m",
         "wrapped": "s", "tpl": "s", "file": "s"}
CALLS = {"upper": "s", "lower": "s", "join": "s", "tostring": "s", "lookup": "s", "format": "s", "jsonencode": "s", "length": "n",
         "max": "n", "contains": "b", "concat": "l", "values": "l", "keys": "l", "tolist": "l", "reverse": "l", "merge": "m"}


def type_of(e, scope):
    kind, *rest = e
    if kind in TYPES:
        return TYPES[kind]
    if kind == "name":
        for names in (scope.names, scope.open):
            for k, all_of in names.items():
                if rest[0] in all_of:
                    return k
        return None
    if kind == "call":
        return CALLS.get(rest[0]) or type_of(rest[1], scope)
    if kind in ("paren", "same"):
        return type_of(rest[0], scope)
    if kind == "if":
        return type_of(rest[1], scope)
    if kind == "for":
        return rest[0]
    if kind == "binary":
        return "n" if rest[1] in "+-*" else "b"
    return None


def nodes(e, path=()):
    """Every part of an expression by its path."""
    yield path, e
    for at, part in enumerate(e[1:], 1):
        if isinstance(part, list) and part and isinstance(part[0], str):
            if e[0] in ("map", "object"):
                yield from nodes(part[1], (*path, at, 1))
            else:
                yield from nodes(part, (*path, at))


def put(e, path, new):
    if not path:
        return new
    e = list(e)
    e[path[0]] = put(e[path[0]], path[1:], new)
    return e


class Tree:
    """A root module, a module, environments."""

    def __init__(self, rng):
        self.rng = rng
        self.variables = {"s": ("string", ["text", "a"]), "n": ("number", ["number", 1]), "b": ("bool", ["bool", False]),
                          "l": ("list(string)", ["list", ["text", "a"]]), "m": ("map(string)", ["map", ["k", ["text", "a"]]])}
        self.values = {env: {} for env in ("dev", "prod")}
        self.objects = {env: self.an_object(rng) for env in self.values}
        self.template, self.text = "<${x}%{ for a in all }|${a}%{ endfor }>", "in a file"
        fixed = Scope(rng)
        for env in self.values:
            for name in self.variables:
                if rng.random() < 0.6:
                    self.values[env][name] = fixed.literal(name, True)
        scope = Scope(rng)
        for name in self.variables:
            scope.names[name].append("var." + name)
        scope.names["s"] += ["var.o.a", "var.o.b"]
        scope.names["l"].append("var.o.c")
        self.inner = self.module(rng)
        self.locals, self.items, self.outputs, self.extra = {}, {}, {}, []
        for at in range(rng.randrange(3, 8)):
            getattr(self, rng.choice(["a_local", "a_resource", "a_resource", "a_resource", "a_call"]))(scope, at)
        for at in range(rng.randrange(1, 3)):
            kind = rng.choice("sslm")
            self.outputs["o%d" % at] = scope.expr(kind, 2)
        self.scope = scope

    def an_object(self, rng):
        """A value of an object type, some of whose attributes may be left out."""
        own = Scope(rng)
        attrs = [["a", own.literal("s", True)]]
        attrs += [["b", own.literal("s", True)]] if rng.random() < 0.5 else []
        attrs += [["c", own.literal("l", True)]] if rng.random() < 0.5 else []
        return ["object", *attrs]

    def module(self, rng):
        scope = Scope(rng)
        scope.names["s"] += ["var.a", "var.d.a", "var.d.b"]
        scope.names["l"].append("var.c")
        one = scope.expr("s", 2)
        scope.open["s"].append("terraform_data.i.id")
        return {"scope": scope, "i": one, "j": scope.expr(rng.choice("sl"), 2), "o": scope.expr("s", 2), "p": scope.expr("l", 2)}

    def a_local(self, scope, at):
        kind = self.rng.choice("ssnblm")
        name = "l%d" % at
        is_known = self.rng.random() < 0.4
        self.locals[name] = scope.expr(kind, 3, is_known)
        (scope.names if is_known else scope.open)[kind].append("local." + name)

    def repetition(self, scope):
        rng = self.rng
        kind = rng.choice(["", "", "", "count", "if", "for_each", "set", "open"])
        if kind == "count":
            return kind, ["call", "min", ["number", 3], ["call", "max", ["number", 0], scope.expr("n", 1, True)]]
        if kind == "if":
            return kind, ["if", scope.expr("b", 1, True), ["number", 1], ["number", 0]]
        if kind == "for_each":
            return kind, scope.expr("m", 1, True)
        if kind == "set":
            return kind, ["call", "toset", scope.expr("l", 1, True)]
        if kind == "open":
            return "for_each", ["map", ["k", scope.expr("s", 1)], ["w", scope.expr("s", 1)]]
        return kind, None

    def a_resource(self, scope, at):
        rng = self.rng
        name = "r%d" % at
        kind, over = self.repetition(scope)
        own = copy.deepcopy(scope)
        own.rng = rng
        if kind in ("for_each", "set"):
            own.open["s"] += ["each.key", "each.value"]
        if kind in ("count", "if"):
            own.open["n"].append("count.index")
        item = {"kind": kind, "over": over, "input": own.expr(rng.choice("sssnblm"), 3), "scope": own}
        if rng.random() < 0.3:
            item["triggers_replace"] = own.expr(rng.choice("sl"), 2)
        before = [n for n, i in self.items.items() if "call" not in i]
        if before and rng.random() < 0.15:
            item["depends_on"] = rng.choice(before)
        self.items[name] = item
        address = "terraform_data." + name
        if kind == "":
            scope.open["s"] += [address + ".id", "tostring(try(%s.output, %s.id))" % (address, address)]
        elif kind in ("count", "if"):
            scope.open["l"] += [address + "[*].id"]
            scope.open["n"].append("length(%s)" % address)
            scope.open["s"].append('try(%s[0].id, "none")' % address)
        else:
            scope.open["l"] += ["[for k, v in %s : v.id]" % address, "keys(%s)" % address, "values(%s)[*].id" % address]
            scope.open["m"].append("{ for k, v in %s : k => v.id }" % address)

    def a_call(self, scope, at):
        name = "m%d" % at
        kind, over = self.repetition(scope)
        own = copy.deepcopy(scope)
        own.rng = self.rng
        if kind in ("for_each", "set"):
            own.open["s"] += ["each.key", "each.value"]
        self.items[name] = {"call": True, "kind": kind, "over": over, "a": own.expr("s", 2), "scope": own}
        if self.rng.random() < 0.6:
            self.items[name]["c"] = own.expr("l", 2)
        if self.rng.random() < 0.6:
            more = [["b", own.expr("s", 1)]] if self.rng.random() < 0.5 else []
            self.items[name]["d"] = ["object", ["a", own.expr("s", 2)], *more]
        if kind == "":
            scope.open["s"].append("module.%s.o" % name)
            scope.open["l"].append("module.%s.p" % name)
        elif kind in ("count", "if"):
            scope.open["l"].append("module.%s[*].o" % name)
        else:
            scope.open["l"].append("[for k, v in module.%s : v.o]" % name)

    # What can be edited: every expression, with the scope that it stands in.
    def places(self):
        for name in self.locals:
            yield self.locals, name, self.scope
        for name in self.outputs:
            yield self.outputs, name, self.scope
        for item in self.items.values():
            for part in ("input", "triggers_replace", "a", "c", "d", "over"):
                if item.get(part):
                    yield item, part, item["scope"]
        for part in ("i", "j", "o", "p"):
            yield self.inner, part, self.inner["scope"]

    def edit(self):
        """One edit; gives its name."""
        rng = self.rng
        kind = rng.choice(["part"] * 6 + ["reference"] * 8 + ["wrap"] * 3 + ["local", "value", "value", "value", "rename", "moved", "module", "environment", "depends",
                                                         "gone", "added", "layout", "ignore", "object", "file", "template", "type"])
        return kind if getattr(self, "edit_" + kind)() is not False else "nothing"

    def edit_part(self):
        rng = self.rng
        of, part, scope = rng.choice(list(self.places()))
        known = part == "over"
        path, node = rng.choice(list(nodes(of[part])))
        kind = type_of(node, scope)
        if kind is None or (known and not path):
            return False
        of[part] = put(of[part], path, scope.expr(kind, 1, known))

    def edit_reference(self):
        """What only an apply tells, in another way: another name, or text around it."""
        rng = self.rng
        found = []
        for of, part, scope in self.places():
            if part != "over":
                found += [(of, part, scope, path, node) for path, node in nodes(of[part])
                          if node[0] == "name" and any(node[1] in names for names in scope.open.values())]
        if not found:
            return False
        of, part, scope, path, node = rng.choice(found)
        kind = type_of(node, scope)
        others = [n for n in scope.open[kind] if n != node[1]]
        new = ["name", rng.choice(others)] if others and rng.random() < 0.6 else scope.expr(kind, 1)
        if kind == "s" and rng.random() < 0.4:
            new = ["template", node, "-", ["text", "x"]]
        of[part] = put(of[part], path, new)

    def edit_wrap(self):
        """What means the same."""
        rng = self.rng
        of, part, scope = rng.choice(list(self.places()))
        path, node = rng.choice(list(nodes(of[part])))
        kind = type_of(node, scope)
        if kind is None:
            return False
        how = rng.choice(["paren", "same"] + (["wrapped"] if kind == "s" else []))
        of[part] = put(of[part], path, [how, node])

    def edit_local(self):
        """A part of an expression of the root as a local of its own."""
        places = [p for p in self.places() if p[0] is not self.inner and p[1] != "over"]
        if not places:
            return False
        of, part, scope = self.rng.choice(places)
        path, node = self.rng.choice(list(nodes(of[part])))
        text = render(node)
        if any(n in text for n in ("each.", "count.", "local.")) or type_of(node, scope) is None:
            return False
        name = "x%d" % len(self.locals)
        self.locals[name] = node
        of[part] = put(of[part], path, ["name", "local." + name])

    def edit_value(self):
        rng = self.rng
        env = rng.choice(list(self.values))
        name = rng.choice(list(self.variables))
        self.values[env][name] = Scope(rng).literal(name, True)

    def edit_rename(self, moved=False):
        if not self.items:
            return False
        name = self.rng.choice(list(self.items))
        item = self.items[name]
        kind = "module" if "call" in item else "terraform_data"
        self.extra.append(("rename", kind, name, name + "z"))
        if moved:
            self.extra.append(("moved", "%s.%s" % (kind, name), "%s.%sz" % (kind, name)))

    def edit_moved(self):
        return self.edit_rename(True)

    def edit_module(self):
        self.extra.append(("folder", "m", "mz"))

    def edit_environment(self):
        self.values["qa"] = {"s": ["text", "qa"]}

    def edit_depends(self):
        names = [n for n, i in self.items.items() if "call" not in i]
        if len(names) < 2:
            return False
        first, last = names[0], names[-1]
        if self.items[last].pop("depends_on", None) is None:
            self.items[last]["depends_on"] = first

    def edit_gone(self):
        if not self.outputs:
            return False
        self.outputs.pop(self.rng.choice(list(self.outputs)))

    def edit_added(self):
        self.items["new"] = {"kind": "", "over": None, "input": self.scope.expr("s", 2), "scope": self.scope}

    def edit_layout(self):
        self.extra.append(("layout",))

    def edit_object(self):
        env = self.rng.choice(list(self.objects))
        self.objects[env] = self.an_object(self.rng)

    def edit_file(self):
        self.text = self.rng.choice(["in another file", "in a file"])

    def edit_template(self):
        self.template = self.rng.choice(["[${x}%{ for a in all }|${a}%{ endfor }]", "<${x}>", "<${x}%{ for a in all ~}|${a}%{ endfor ~}>"])

    def edit_type(self):
        self.extra.append(("replace", 'b = optional(string, "d")', 'b = optional(string, "e")'))

    def edit_ignore(self):
        names = [n for n, i in self.items.items() if "call" not in i]
        if not names:
            return False
        self.items[self.rng.choice(names)]["ignore"] = True

    def files(self):
        out = []
        for name, (ty, default) in self.variables.items():
            out.append('variable "%s" {\n  type    = %s\n  default = %s\n}\n' % (name, ty, render(default)))
        out.append('variable "o" {\n  type    = %s\n  default = { a = "oa" }\n}\n' % OBJECT)
        if self.locals:
            out.append("locals {\n%s}\n" % "".join("  %s = %s\n" % (n, render(e)) for n, e in self.locals.items()))
        for name, item in self.items.items():
            over = {"count": "count", "if": "count", "for_each": "for_each", "set": "for_each"}.get(item["kind"])
            lines = ["  %s = %s\n" % (over, render(item["over"]))] if over else []
            if "call" in item:
                lines += ['  source = "./m"\n', "  a = %s\n" % render(item["a"])]
                lines += ["  %s = %s\n" % (n, render(item[n])) for n in ("c", "d") if n in item]
                out.append('module "%s" {\n%s}\n' % (name, "".join(lines)))
                continue
            lines.append("  input = %s\n" % render(item["input"]))
            if "triggers_replace" in item:
                lines.append("  triggers_replace = %s\n" % render(item["triggers_replace"]))
            if item.get("depends_on"):
                lines.append("  depends_on = [terraform_data.%s]\n" % item["depends_on"])
            if item.get("ignore"):
                lines.append("  lifecycle {\n    ignore_changes = [input]\n  }\n")
            out.append('resource "terraform_data" "%s" {\n%s}\n' % (name, "".join(lines)))
        out += ['output "%s" {\n  value = %s\n}\n' % (n, render(e)) for n, e in self.outputs.items()]
        main = "".join(out)
        inner = ('variable "a" {\n  type = string\n}\nvariable "c" {\n  type    = list(string)\n  default = ["d"]\n}\n'
                 'variable "d" {\n  type    = ' + OBJECT + '\n  default = { a = "da" }\n}\n'
                 'resource "terraform_data" "i" {\n  input = %s\n}\nresource "terraform_data" "j" {\n  input = %s\n}\n'
                 'output "o" {\n  value = %s\n}\noutput "p" {\n  value = %s\n}\n'
                 % tuple(render(self.inner[p]) for p in ("i", "j", "o", "p")))
        files = {"main.tf": main, "m/main.tf": inner, "t.tpl": self.template, "f.txt": self.text, "m/t.tpl": "m" + self.template,
                 "m/f.txt": "m " + self.text}
        for kind, *rest in self.extra:
            if kind == "rename":
                what, old, new = rest
                head = 'module "%s"' if what == "module" else 'resource "terraform_data" "%s"'
                text = files["main.tf"].replace(head % old + " {", head % new + " {")
                files["main.tf"] = re.sub(r"\b%s\.%s\b" % (what, old), "%s.%s" % (what, new), text)
            elif kind == "moved":
                files["main.tf"] += "moved {\n  from = %s\n  to   = %s\n}\n" % tuple(rest)
            elif kind == "folder":
                for path in [p for p in files if p.startswith("m/")]:
                    files["mz/" + path[2:]] = files.pop(path)
                files["main.tf"] = files["main.tf"].replace('"./m"', '"./mz"')
            elif kind == "replace":
                for path in [p for p in files if p.endswith(".tf")]:
                    files[path] = files[path].replace(*rest)
            elif kind == "layout":
                files["main.tf"] = "# A comment.\n" + files["main.tf"].replace(" = ", "  =   ").replace("}\n", "}\n\n")
        for env, values in self.values.items():
            files["env/%s.tfvars" % env] = "".join("%s = %s\n" % (n, render(v)) for n, v in values.items())
            if env in self.objects:
                files["env/%s.tfvars" % env] += "o = %s\n" % render(self.objects[env])
        return files
