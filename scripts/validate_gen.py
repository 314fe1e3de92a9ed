"""Random Terraform trees in which something fails for some input, with all the inputs that are meant.

The trees know nothing of tf-phi: which inputs there are follows from the variables, their lists and their files alone.
"""

import itertools
import json
import random


class Variable:
    """A root variable: its block, the values that are listed for it, and its default."""

    def __init__(self, name, kind, default=None, has_default=False, listed=(), by="none", refuses=None):
        self.name, self.kind, self.default, self.has_default = name, kind, default, has_default
        self.listed, self.by, self.refuses = list(listed), by, refuses

    def block(self):
        lines = [f'variable "{self.name}" {{', f"  type = {self.kind}"]
        if self.has_default:
            lines.append(f"  default = {hcl(self.default)}")
        if self.by == "validation":
            lines += [
                "  validation {",
                f"    condition = contains({hcl(self.listed)}, var.{self.name})",
                f'    error_message = "no such {self.name}"',
                "  }",
            ]
        if self.refuses is not None:
            lines += [
                "  validation {",
                f"    condition = var.{self.name} != {hcl(self.refuses)}",
                f'    error_message = "not ${{var.{self.name}}}"',
                "  }",
            ]
        return "\n".join(lines + ["}"])


def hcl(value):
    """A value as HCL."""
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(k)} = {hcl(v)}" for k, v in value.items())
        return "{ " + inner + " }" if inner else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(hcl(v) for v in value) + "]"
    return json.dumps(value)


class Tree:
    """Files, and the inputs that are meant."""

    def __init__(self):
        self.files, self.variables, self.environments, self.workspaces = {}, [], {}, []
        # What is listed for `cfg.a`, an attribute.
        self.attribute = []

    def wholes(self):
        """Each environment's whole assignment, by its name."""
        base = {v.name: v.default for v in self.variables if v.has_default}
        named = self.environments or {"default": {}}
        return {name: {**base, **given} for name, given in named.items()}

    def inputs(self):
        """Every input that is meant, as (environment or None, workspace, variables)."""
        wholes = self.wholes()
        free = {}
        for v in self.variables:
            seen = [json.dumps(w.get(v.name)) for w in wholes.values()]
            rest = [x for x in v.listed if json.dumps(x) not in seen]
            if rest:
                free[v.name] = rest
        for name, whole in wholes.items():
            # The workspace of an environment's own name is its own.
            home = name if name in self.workspaces else "default"
            taken = {n if n in self.workspaces else "default" for n in wholes}
            spaces = [w for w in self.workspaces if w not in taken]
            # Another value of an attribute comes with the environment's others.
            known = [w["cfg"]["a"] for w in wholes.values() if "cfg" in w]
            rest = [x for x in self.attribute if x not in known]
            beside = {"cfg": [{**whole["cfg"], "a": x} for x in rest]} if rest else {}
            lists = {**free, **beside}
            names = sorted(lists)
            for picked in itertools.product(*[[None, *lists[n]] for n in names]):
                others = {n: x for n, x in zip(names, picked) if x is not None}
                for space in [home, *spaces]:
                    own = name if not others and space == home else None
                    yield own, space, {**whole, **others}


class Gen:
    """One random tree."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.vars, self.locals, self.each, self.outputs, self.count = {}, {}, [], {}, False
        # How many operations of the declaration at hand may fail, and what strings are known to be.
        self.risk, self.domains = 0, {}
        # How each resource is repeated.
        self.repeated = {}

    def chance(self, percent):
        return self.r.randrange(100) < percent

    def pick(self, of):
        return of[self.r.randrange(len(of))]

    def risky(self):
        """Whether what is made now may fail; most of a tree has to be sound, or nothing but errors would be seen."""
        if self.risk and self.chance(60):
            self.risk -= 1
            return True
        return False

    def by_key(self, make, d):
        """A value by a key that a map may lack."""
        known = list(self.domains)
        if known and self.chance(80):
            key = self.pick(known)
            words = self.domains[key]
        else:
            key, words = self.string(d - 1), ["a", "b", "dev", "prod", "s", "1"]
        if not self.risky():
            if key in self.domains:
                return f"{{ {', '.join(f'{json.dumps(w)} = {make(d - 1)}' for w in words)} }}[{key}]"
            return f"lookup({{ a = {make(d - 1)} }}, {key}, {make(0)})"
        kept = [w for w in words if self.chance(65)] or words[:1]
        own = f"{{ {', '.join(f'{json.dumps(w)} = {make(d - 1)}' for w in kept)} }}"
        return self.pick([f"{own}[{key}]", f"{own}[{key}]", f"lookup({own}, {key})"])

    def either(self, risky, safe):
        return risky() if self.risky() else safe()

    # Expressions, by type. `d` is how deep they may still go.

    def string(self, d):
        leaves = [lambda: json.dumps(self.pick(["a", "b", "dev", "prod", "", "1", "x-y"]))]
        leaves += [lambda n=n: n for n in self.named("string")] * 3
        if self.each:
            leaves += [lambda: "each.key"] * 3
        if d <= 0:
            return self.pick(leaves)()
        deeper = [
            lambda: f'"${{{self.string(d - 1)}}}-{self.pick("xyz")}"',
            lambda: self.by_key(self.string, d),
            lambda: self.by_key(self.string, d),
            lambda: self.either(lambda: f"{self.strings(d - 1)}[{self.number(d - 1)}]", lambda: f'concat({self.strings(d - 1)}, ["z"])[0]'),
            lambda: f"({self.boolean(d - 1)} ? {self.string(d - 1)} : {self.string(d - 1)})",
            lambda: f"upper({self.string(d - 1)})",
            lambda: f"join(\",\", {self.strings(d - 1)})",
            lambda: self.either(lambda: f"element({self.strings(d - 1)}, {self.number(d - 1)})", lambda: f'element(["a", "b"], {self.whole(d - 1)})'),
            lambda: f"tostring({self.number(d - 1)})",
            lambda: f"try({self.map_of('string', d - 1)}[{self.string(d - 1)}], {self.string(0)})",
            lambda: self.either(lambda: f"regex(\"[a-m]+\", {self.string(d - 1)})", lambda: f"trimprefix({self.string(d - 1)}, \"a\")"),
            lambda: self.either(lambda: f"one({self.strings(d - 1)})", lambda: f"one([{self.string(d - 1)}])"),
            lambda: f"{self.obj(d - 1)}.a",
            lambda: self.either(lambda: f"coalesce({self.string(d - 1)}, {self.string(d - 1)})", lambda: f'coalesce({self.string(d - 1)}, "c")'),
            lambda: f"substr({self.string(d - 1)}, 0, {self.whole(d - 1)})",
        ]
        return self.pick(leaves)() if self.chance(30) else self.pick(deeper)()

    def number(self, d):
        leaves = [lambda: str(self.pick([0, 1, 2, 3]))]
        leaves += [lambda n=n: n for n in self.named("number")] * 3
        if self.count:
            leaves += [lambda: "count.index"] * 3
        if d <= 0:
            return self.pick(leaves)()
        deeper = [
            lambda: f"length({self.strings(d - 1)})",
            lambda: self.either(lambda: f"tonumber({self.string(d - 1)})", lambda: f"try(tonumber({self.string(d - 1)}), 1)"),
            lambda: self.by_key(self.number, d),
            lambda: self.by_key(self.number, d),
            lambda: f"({self.number(d - 1)} + {self.number(d - 1)})",
            lambda: f"({self.number(d - 1)} * 2)",
            lambda: f"({self.boolean(d - 1)} ? {self.number(d - 1)} : {self.number(d - 1)})",
            lambda: self.either(lambda: f"index({self.strings(d - 1)}, {self.string(d - 1)})", lambda: f"max({self.number(d - 1)}, 1)"),
            lambda: self.either(lambda: f"parseint({self.string(d - 1)}, 10)", lambda: f"min({self.number(d - 1)}, 1)"),
        ]
        return self.pick(leaves)() if self.chance(40) else self.pick(deeper)()

    def whole(self, d):
        """A number that is small and not negative."""
        return f"min(max({self.number(d)}, 0), 3)"

    def boolean(self, d):
        leaves = [lambda: self.pick(["true", "false"])]
        leaves += [lambda n=n: n for n in self.named("bool")] * 4
        if d <= 0:
            return self.pick(leaves)()
        deeper = [
            lambda: f"({self.string(d - 1)} == {self.string(d - 1)})",
            lambda: f"({self.string(d - 1)} != {self.string(d - 1)})",
            lambda: f"({self.number(d - 1)} > {self.number(d - 1)})",
            lambda: f"!{self.boolean(d - 1)}",
            lambda: f"({self.boolean(d - 1)} && {self.boolean(d - 1)})",
            lambda: f"({self.boolean(d - 1)} || {self.boolean(d - 1)})",
            lambda: f"contains({self.strings(d - 1)}, {self.string(d - 1)})",
            lambda: f"can({self.map_of('string', d - 1)}[{self.string(d - 1)}])",
            lambda: self.by_key(self.boolean, d),
        ]
        return self.pick(leaves)() if self.chance(20) else self.pick(deeper)()

    def strings(self, d):
        leaves = [lambda: self.pick(['["a"]', '["a", "b"]', '["dev", "prod", "x"]', '["a", "b", "c"]'])]
        leaves += [lambda n=n: n for n in self.named("list(string)")] * 3
        if d <= 0:
            return self.pick(leaves)()
        deeper = [
            lambda: f"[{self.string(d - 1)}, {self.string(d - 1)}]",
            lambda: f"keys({self.map_of('string', d - 1)})",
            lambda: f"split(\"-\", {self.string(d - 1)})",
            lambda: f"[for x in {self.strings(d - 1)} : x if x != {self.string(d - 1)}]",
            lambda: self.either(lambda: f"[for x in {self.strings(d - 1)} : {{ a = 1, b = 2, dev = 3, prod = 4, x = 5, c = 6 }}[x] > 9 ? x : \"y\"]", lambda: f"[for x in {self.strings(d - 1)} : upper(x)]"),
            lambda: self.either(lambda: f"slice({self.strings(d - 1)}, 0, {self.number(d - 1)})", lambda: f"reverse({self.strings(d - 1)})"),
            lambda: f"({self.boolean(d - 1)} ? {self.strings(d - 1)} : [])",
            lambda: f"concat({self.strings(d - 1)}, {self.strings(d - 1)})",
        ]
        return self.pick(leaves)() if self.chance(40) else self.pick(deeper)()

    def map_of(self, kind, d):
        make = {"string": self.string, "number": self.number, "bool": self.boolean}[kind]
        keys = self.r.sample(["a", "b", "dev", "prod", "qa", "s", "m"], self.r.randrange(1, 4))
        named = self.named(f"map({kind})")
        if named and self.chance(40):
            return self.pick(named)
        own = "{ " + ", ".join(f"{k} = {make(d - 1)}" for k in keys) + " }"
        return f"merge({own}, {self.map_of(kind, 0)})" if d > 0 and self.chance(15) else own

    def obj(self, d):
        named = self.named("object({ a = string, b = optional(string) })")
        if named and self.chance(60):
            return self.pick(named)
        return f"{{ a = {self.string(d - 1)} }}" if self.chance(50) else f"{{ a = {self.string(d - 1)}, b = {self.string(d - 1)} }}"

    def named(self, kind):
        return [n for n, k in {**self.vars, **self.locals, **self.outputs}.items() if k == kind]

    def value(self, d):
        kind = self.pick(["string", "string", "number", "bool", "list"])
        return {"string": self.string, "number": self.number, "bool": self.boolean, "list": self.strings}[kind](d)

    # Declarations.

    def roots(self, tree):
        words = ["dev", "prod", "qa"]
        pool = [
            lambda: Variable("env", "string", "dev", self.chance(50), self.r.sample(words, 2 if self.chance(50) else 3), self.pick(["validation", "phi"])),
            lambda: Variable("size", "string", "s", self.chance(60), ["s", "m", "l"][: self.r.randrange(2, 4)], "phi", self.pick([None, None, "l", "m"])),
            lambda: Variable("on", "bool", self.chance(50), True, [True, False], "type"),
            lambda: Variable("n", "number", self.pick([0, 1, 2]), True, [], "none", self.pick([None, None, 3])),
            lambda: Variable("zones", "list(string)", self.pick([[], ["a"], ["a", "b"]]), True),
            lambda: Variable("tags", "map(string)", self.pick([{}, {"a": "x"}, {"dev": "d", "prod": "p"}]), True),
            lambda: Variable("cfg", "object({ a = string, b = optional(string) })", {"a": "s"}, True),
        ]
        tree.variables = [make() for make in self.r.sample(pool, self.r.randrange(2, 5))]
        for v in tree.variables:
            if v.by == "validation" and v.has_default and v.default not in v.listed and self.chance(70):
                v.default = v.listed[0]
            if v.by == "phi" and v.has_default and v.default not in v.listed:
                v.default = v.listed[0]
        required = [v for v in tree.variables if not v.has_default]
        if required or self.chance(70):
            for name in self.r.sample(words, self.r.randrange(1, 4)):
                given = {}
                for v in tree.variables:
                    if v.has_default and self.chance(40):
                        continue
                    given[v.name] = self.given(v)
                tree.environments[name] = given
        for v in tree.variables:
            self.vars[f"var.{v.name}"] = v.kind
            if v.kind == "string":
                self.domains[f"var.{v.name}"] = v.listed
        phi = [f'variable "{v.name}" {{\n  universe = {hcl(v.listed)}\n}}\n' for v in tree.variables if v.by == "phi"]
        if self.chance(15):
            tree.workspaces = ["default", "prod"]
            phi.append('variable "terraform.workspace" {\n  universe = ["default", "prod"]\n}\n')
            self.vars["terraform.workspace"] = "string"
        if phi:
            tree.files["phi.hcl"] = "".join(phi)
        for name, given in tree.environments.items():
            tree.files[f"env/{name}.tfvars"] = "".join(f"{k} = {hcl(x)}\n" for k, x in given.items())

    def given(self, v):
        if v.listed and self.chance(90):
            return self.pick(v.listed)
        return {
            "string": lambda: self.pick(["s", "dev", "other"]),
            "bool": lambda: self.chance(50),
            "number": lambda: self.pick([0, 1, 2, 3]),
            "list(string)": lambda: self.pick([[], ["a"], ["a", "b"], ["prod"]]),
            "map(string)": lambda: self.pick([{}, {"a": "1"}, {"dev": "x", "qa": "y"}]),
        }.get(v.kind, lambda: self.pick([{"a": "m"}, {"a": "s", "b": "t"}]))()

    def rule(self, kind, indent):
        pad = " " * indent
        message = '"it fails"' if self.chance(70) else f'"fails: ${{{self.string(1)}}}"'
        # Terraform wants a condition that refers to something.
        refers = self.pick([n for n in self.vars] or ["path.root"])
        self.risk = int(self.chance(25))
        condition = self.boolean(2)
        if self.chance(50):
            # Most rules hold for most inputs.
            strings = [n for n in self.domains if n in self.vars]
            if strings:
                n = self.pick(strings)
                condition = f"({n} != {json.dumps(self.pick(self.domains[n]))} || {condition})"
        elif self.chance(60):
            condition = f"({condition} || {refers} == {refers})"
        if not any(n in condition for n in self.vars):
            condition = f"({refers} != null || {condition})" if self.chance(50) else f"({refers} != null ? {condition} : true)"
        return [f"{pad}{kind} {{", f"{pad}  condition = {condition}", f"{pad}  error_message = {message}", f"{pad}}}"]

    def resource(self, name):
        lines = [f'resource "terraform_data" "{name}" {{']
        how = self.r.randrange(4)
        self.risk = int(self.chance(15))
        if how == 0:
            lines.append(f"  count = {self.pick([self.whole(2), self.boolean(1) + ' ? 1 : 0', '2'])}")
            self.count = True
        elif how == 1:
            over = self.pick([f"toset({self.strings(2)})", self.map_of("string", 1), f"{{ for k in {self.strings(1)} : k => {self.string(1)} }}"])
            lines.append(f"  for_each = {over}")
            self.each = ["each.key"]
        self.risk = int(self.chance(40))
        lines.append(f"  input = {self.value(3)}")
        if self.chance(40):
            lines.append(f"  triggers_replace = [{self.value(2)}]")
        if self.chance(40):
            lines.append("  lifecycle {")
            lines += self.rule(self.pick(["precondition", "precondition", "postcondition"]), 4)
            lines.append("  }")
        self.count, self.each = False, []
        self.repeated[name] = {0: "count", 1: "for_each"}.get(how)
        return "\n".join(lines + ["}"])

    def instances(self, own):
        """Blocks that ask which instances resources have, from a source of their own, so that the trees of a seed stay what they were."""
        blocks = []
        for name, how in self.repeated.items():
            of = f"terraform_data.{name}"
            texts = ['"a"', '"dev"', *(n for n, k in self.vars.items() if k == "string")]
            numbers = ["0", "1", *(n for n, k in self.vars.items() if k == "number")]
            key = own.choice(numbers if how == "count" else texts)
            asked = {
                "count": [f"length({of})", f"length([{of}[{key}].id])", f"length([one({of}[*].id)])", f"can({of}[{key}].id)",
                          f'try({of}[{key}].id, "none") == "none" ? 1 : 0', f"length(concat({of}[*].id, [1]))"],
                "for_each": [f"keys({of})", f"length({of})", f"length([{of}[{key}].id])", f"can({of}[{key}])", f"contains(keys({of}), {key})",
                             f"join(\",\", [for k, v in {of} : upper(k)])", f"length(values({of})[*].id)"],
                None: [f"length({of}[*].id)", f"length([{of}.id])", f"can({of}.id)"],
            }[how]
            value = own.choice(asked)
            if own.randrange(2):
                known = own.sample(["0", "1", "2", "3", "true", "false", "a", "dev"], 5)
                value = f"{{ {', '.join(json.dumps(k) + ' = 1' for k in known)} }}[jsonencode({value})]"
            blocks.append(f'output "of_{name}" {{\n  value = {value}\n}}')
            if how == "for_each" and own.randrange(3) == 0:
                body = f'  for_each = {of}\n  input    = {{ a = 1, b = 2, dev = 3, prod = 4 }}[each.key]\n'
                blocks.append(f'resource "terraform_data" "over_{name}" {{\n{body}}}')
            if how == "count" and own.randrange(3) == 0:
                body = f"  count = {own.choice(numbers)}\n  input = length([{of}[count.index].id])\n"
                blocks.append(f'resource "terraform_data" "beside_{name}" {{\n{body}}}')
        return blocks

    def module(self, tree):
        inner = Gen(self.r.randrange(1 << 30))
        kinds = {"p": "string", "q": "number", "r": "list(string)", "t": "bool"}
        names = self.r.sample(sorted(kinds), self.r.randrange(1, 4))
        lines = []
        for name in names:
            kind = kinds[name]
            lines += [f'variable "{name}" {{', f"  type = {kind}"]
            if self.chance(25):
                lines.append("  nullable = false")
            if self.chance(35):
                inner.vars = {f"var.{name}": kind}
                condition = {"string": f"var.{name} != \"b\"", "number": f"var.{name} < 3", "list(string)": f"length(var.{name}) > 0", "bool": f"var.{name}"}[kind]
                lines += ["  validation {", f"    condition = {condition}", f'    error_message = "bad {name}"', "  }"]
            lines.append("}")
        inner.vars = {f"var.{n}": kinds[n] for n in names}
        lines.append("locals {")
        inner.risk = int(self.chance(30))
        lines.append(f"  l = {inner.string(3)}")
        lines.append("}")
        inner.locals = {"local.l": "string"}
        if self.chance(60):
            lines.append(inner.resource("w"))
        inner.risk = int(self.chance(30))
        lines += ['output "o" {', f"  value = {inner.string(2)}"]
        if self.chance(30):
            lines += inner.rule("precondition", 2)
        lines.append("}")
        tree.files["m/main.tf"] = "\n".join(lines) + "\n"
        calls = []
        for call in ["m", "k"][: self.r.randrange(1, 3)]:
            own = [f'module "{call}" {{', '  source = "./m"']
            how = self.r.randrange(5)
            self.risk = int(self.chance(25))
            if how == 0:
                own.append(f"  count = {self.pick([self.whole(1), self.boolean(1) + ' ? 1 : 0'])}")
                self.count = True
            elif how == 1:
                own.append(f"  for_each = toset({self.strings(1)})")
                self.each = ["each.key"]
            for name in names:
                make = {"string": self.string, "number": self.number, "list(string)": self.strings, "bool": self.boolean}[kinds[name]]
                value = make(2)
                if self.chance(7):
                    value = f"({self.boolean(1)} ? null : {value})"
                elif self.chance(4):
                    value = self.string(2)
                own.append(f"  {name} = {value}")
            self.count, self.each = False, []
            own.append("}")
            calls.append("\n".join(own))
            if how == 0:
                self.outputs[f"module.{call}[0].o"] = "string"
            elif how != 1:
                self.outputs[f"module.{call}.o"] = "string"
        return calls

    def tree(self):
        tree = Tree()
        self.roots(tree)
        blocks = [v.block() for v in tree.variables]
        lines = []
        for i in range(self.r.randrange(1, 4)):
            kind = self.pick(["string", "number", "bool", "list(string)", "map(string)"])
            make = {"string": self.string, "number": self.number, "bool": self.boolean, "list(string)": self.strings, "map(string)": lambda d: self.map_of("string", d)}[kind]
            self.risk = int(self.chance(25))
            lines.append(f"  l{i} = {make(2)}")
            self.locals[f"local.l{i}"] = kind
        blocks.append("locals {\n" + "\n".join(lines) + "\n}")
        if self.chance(50):
            blocks += self.module(tree)
        for i in range(self.r.randrange(1, 3)):
            blocks.append(self.resource(f"r{i}"))
        if self.chance(50):
            self.risk = int(self.chance(40))
            own = ['output "o" {', f"  value = {self.value(3)}"]
            own += self.rule("precondition", 2) if self.chance(30) else []
            blocks.append("\n".join(own + ["}"]))
        if self.chance(25):
            blocks.append("\n".join(['check "c" {', *self.rule("assert", 2), "}"]))
        own = random.Random("\n".join(blocks))
        if own.randrange(2):
            blocks += self.instances(own)
        tree.files["main.tf"] = "\n".join(blocks) + "\n"
        if any(v.name == "cfg" for v in tree.variables):
            # From a source of its own, so that the trees of a seed stay what they were.
            own = random.Random(tree.files["main.tf"])
            if own.randrange(2):
                tree.attribute = own.sample(["s", "m", "q", "dev"], own.randrange(1, 4))
                tree.files["phi.hcl"] = tree.files.get("phi.hcl", "") + f'variable "cfg.a" {{\n  universe = {hcl(tree.attribute)}\n}}\n'
        return tree
