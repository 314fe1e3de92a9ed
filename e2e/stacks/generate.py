"""Random Stacks for the tests of Stacks, in the format of cases.txt: generate.py CASES SEED.

A Stack has variables of all kinds of types that deployments set, locals, components of four modules with and without `for_each`, an
embedded Stack or two, and outputs. Expressions are made by type, so that most Stacks plan; some have an error for some
deployment: an index or key that isn't there, a conversion that fails, a validation, a value that comes after apply. The arms of a
conditional differ: where they are alike, tf-phi knows the value whatever the condition is, and a plan says that it isn't known.
"""

import json
import random
import sys

MODULES = {
    "text": (
        {"s": "string", "n": "number"},
        'variable "s" {\n  type    = string\n  default = "dflt"\n}\nvariable "n" {\n  type    = number\n  default = 2\n}\n'
        'resource "terraform_data" "r" {\n  count = var.n > 2 ? 2 : 1\n  input = "${var.s}:${count.index}"\n}\n'
        'output "s" {\n  value = "${var.s}."\n}\noutput "n" {\n  value = var.n * 2\n}\n'
        'output "id" {\n  value = terraform_data.r[0].id\n}\n',
        {"s": "string", "n": "number", "id": "string"},
    ),
    "many": (
        {"m": "map(string)", "on": "bool"},
        'variable "m" {\n  type = map(string)\n}\nvariable "on" {\n  type     = bool\n  default  = true\n  nullable = false\n}\n'
        'resource "terraform_data" "r" {\n  for_each = var.on ? var.m : {}\n  input    = { key = each.key, value = each.value }\n}\n'
        'output "m" {\n  value = { for k, v in var.m : k => upper(v) }\n}\noutput "l" {\n  value = sort(values(var.m))\n}\n'
        'output "on" {\n  value = var.on\n}\n',
        {"m": "map(string)", "l": "list(string)", "on": "bool"},
    ),
    "nested": (
        {"l": "list(string)"},
        'variable "l" {\n  type = list(string)\n}\nmodule "in" {\n  for_each = toset(var.l)\n  source   = "../text"\n'
        '  s        = each.key\n  n        = 1\n}\noutput "l" {\n  value = [for k, v in module.in : v.s]\n}\n'
        'output "s" {\n  value = join("+", var.l)\n}\n',
        {"l": "list(string)", "s": "string"},
    ),
    "checked": (
        {"o": "object"},
        'variable "o" {\n  type = object({ name = string, size = optional(number, 3) })\n  validation {\n'
        '    condition     = var.o.size < 9\n    error_message = "Too large."\n  }\n}\n'
        'resource "terraform_data" "r" {\n  input = var.o\n  lifecycle {\n    precondition {\n'
        '      condition     = var.o.name != "bad"\n      error_message = "Bad."\n    }\n  }\n}\n'
        'output "o" {\n  value = var.o\n}\noutput "s" {\n  value = "${var.o.name}${var.o.size}"\n}\n',
        {"o": "object", "s": "string"},
    ),
}

OBJECT = "object({ name = string, size = optional(number, 3) })"
TYPES = ["string", "number", "bool", "list(string)", "map(string)", "set(string)", "object"]
WORDS = ["a", "b", "dev", "prod", "x y", "ü", "7", "true", "bad"]


class Stack:
    def __init__(self, rng, prefix=""):
        self.rng, self.prefix = rng, prefix
        # What expressions may name, by type.
        self.known = {t: [] for t in TYPES}
        self.blocks = []

    def value(self, kind):
        r = self.rng
        word = lambda: r.choice(WORDS)
        return {
            "string": word,
            "number": lambda: r.choice([0, 1, 2, 3, 5, -1, 0.5, 10]),
            "bool": lambda: r.random() < 0.5,
            "list(string)": lambda: [word() for _ in range(r.randrange(4))],
            "map(string)": lambda: {word(): word() for _ in range(r.randrange(3))},
            "set(string)": lambda: sorted({word() for _ in range(r.randrange(4))}),
            "object": lambda: {"name": word(), **({"size": r.choice([1, 8, 9, 12])} if r.random() < 0.5 else {})},
        }[kind]()

    def literal(self, kind):
        return json.dumps(self.value(kind), ensure_ascii=False)

    def expr(self, kind, depth=2):
        r = self.rng
        if self.known[kind] and r.random() < (0.7 if depth else 0.9):
            return r.choice(self.known[kind])
        if not depth or r.random() < 0.15:
            return self.literal(kind)
        e = lambda k: self.expr(k, depth - 1)
        forms = {
            "string": [
                lambda: '"%s-${%s}"' % (r.choice("pq"), e("string")),
                lambda: '"n${%s}"' % e("number"),
                lambda: "upper(%s)" % e("string"),
                lambda: '%s ? %s : "${%s}~"' % (self.atom("bool", depth), e("string"), e("string")),
                lambda: 'try(%s[%s], "none")' % (self.atom("list(string)", depth), self.index()),
                lambda: 'lookup(%s, %s, "none")' % (e("map(string)"), e("string")),
                lambda: "%s.name" % self.atom("object", depth),
                lambda: 'join("|", %s)' % e("list(string)"),
                lambda: "jsonencode(%s)" % e("object"),
            ],
            "number": [
                lambda: "%s + %s" % (self.atom("number", depth), self.atom("number", depth)),
                lambda: "length(%s)" % e("list(string)"),
                lambda: "max(%s, %s)" % (e("number"), e("number")),
                lambda: "try(tonumber(%s), 4)" % e("string"),
                lambda: "%s ? %s : %s + 0.25" % (self.atom("bool", depth), e("number"), self.atom("number", depth)),
            ],
            "bool": [
                lambda: "%s == %s" % (self.atom("string", depth), self.atom("string", depth)),
                lambda: "%s > %s" % (self.atom("number", depth), self.atom("number", depth)),
                lambda: "contains(%s, %s)" % (e("list(string)"), e("string")),
                lambda: "!%s" % self.atom("bool", depth),
                lambda: "%s && %s" % (self.atom("bool", depth), self.atom("bool", depth)),
            ],
            "list(string)": [
                lambda: "[%s, %s]" % (e("string"), e("string")),
                lambda: "[for x in %s : upper(x)]" % e("list(string)"),
                lambda: "sort(keys(%s))" % e("map(string)"),
                lambda: "sort(tolist(%s))" % e("set(string)"),
                lambda: "concat(%s, %s)" % (e("list(string)"), e("list(string)")),
            ],
            "map(string)": [
                lambda: "{ (%s) = %s }" % (e("string"), e("string")),
                lambda: "{ for x in %s : x => \"v${x}\" }" % e("set(string)"),
                lambda: "merge(%s, { k = %s })" % (e("map(string)"), e("string")),
            ],
            "set(string)": [
                lambda: "toset(%s)" % e("list(string)"),
                lambda: "toset(keys(%s))" % e("map(string)"),
                lambda: "setunion(%s, %s)" % (e("set(string)"), e("set(string)")),
            ],
            "object": [
                lambda: "{ name = %s, size = %s }" % (e("string"), e("number")),
                lambda: "{ name = %s }" % e("string"),
            ],
        }[kind]
        return r.choice(forms)()

    def atom(self, kind, depth):
        return "(%s)" % self.expr(kind, depth - 1)

    def index(self):
        return self.rng.choice(["0", "1", "2"])

    def add(self, text):
        self.blocks.append(text)

    def named(self, kind, name):
        self.known[kind].append(name)

    def of_type(self, kind):
        return OBJECT if kind == "object" else kind

    def components(self, count):
        r = self.rng
        for at in range(count):
            module = r.choice(sorted(MODULES))
            inputs, _, outputs = MODULES[module]
            name, over = "c%d" % at, None
            lines = ['component "%s" {' % name, '  source    = "%smods/%s"' % (self.prefix or "./", module)]
            mark = {k: list(v) for k, v in self.known.items()}
            if r.random() < 0.35:
                over = self.expr(r.choice(["set(string)", "map(string)"]))
                lines.append("  for_each  = %s" % over)
                self.known["string"] += ["each.key", "each.key"]
            given = {}
            for key, kind in inputs.items():
                optional = (module, key) in [("text", "s"), ("text", "n"), ("many", "on")]
                if optional and r.random() < 0.3:
                    continue
                given[key] = "null" if optional and r.random() < 0.15 else self.expr(kind)
            lines.append("  inputs    = { %s }" % ", ".join("%s = %s" % pair for pair in given.items()))
            self.known = mark
            lines += ["  providers = { terraform = provider.terraform.main }", "}"]
            self.add("\n".join(lines))
            for key, kind in outputs.items():
                if key == "id" and r.random() < 0.7:
                    continue
                if over is None:
                    self.named(kind, "component.%s.%s" % (name, key))
                elif kind == "string":
                    self.named("map(string)", "{ for k, v in component.%s : k => v.%s }" % (name, key))
                    self.named("list(string)", "values(component.%s)[*].%s" % (name, key))
                    if r.random() < 0.3:
                        self.named("string", 'component.%s["a"].%s' % (name, key))
                    self.named("string", 'try(component.%s["a"].%s, "gone")' % (name, key))

    def locals(self, count, prefix):
        for at in range(count):
            kind = self.rng.choice(TYPES)
            name = "%s%d" % (prefix, at)
            self.add("locals {\n  %s = %s\n}" % (name, self.expr(kind)))
            self.named(kind, "local.%s" % name)

    def outputs(self, count):
        made = {}
        for at in range(count):
            kind = self.rng.choice(TYPES)
            made["o%d" % at] = kind
            self.add('output "o%d" {\n  type  = %s\n  value = %s\n}' % (at, self.of_type(kind), self.expr(kind)))
        return made


PROVIDERS = 'required_providers {\n  terraform = { source = "terraform.io/builtin/terraform" }\n}\nprovider "terraform" "main" {}\n'


def variables(stack, rng, count, root):
    declared = {}
    for at in range(count):
        kind, name = rng.choice(TYPES), "v%d" % at
        default = stack.literal(kind) if rng.random() < 0.4 else None
        lines = ['variable "%s" {' % name, "  type = %s" % stack.of_type(kind)]
        if default is not None:
            lines.append("  default = %s" % default)
        if kind == "string" and rng.random() < 0.15 and root:
            lines.append('  validation {\n    condition     = var.%s != "bad"\n    error_message = "No."\n  }' % name)
        stack.add("\n".join(lines + ["}"]))
        stack.named(kind, "var.%s" % name)
        declared[name] = (kind, default is not None)
    return declared


def case(number, rng):
    out = ["### random %d: random" % number]
    file = lambda path, text: out.append("--- %s\n%s" % (path, text))
    stack = Stack(rng)
    declared = variables(stack, rng, rng.randrange(1, 5), True)
    stack.locals(rng.randrange(3), "l")
    stack.components(rng.randrange(1, 4))
    if rng.random() < 0.5:
        child = Stack(rng, "../")
        wanted = variables(child, rng, rng.randrange(1, 4), False)
        child.components(rng.randrange(1, 3))
        given = child.outputs(rng.randrange(1, 3))
        file("child/main.tfcomponent.hcl", PROVIDERS + "\n".join(child.blocks))
        over = stack.expr("set(string)") if rng.random() < 0.4 else None
        if over:
            stack.known["string"].append("each.key")
        inputs = ", ".join("%s = %s" % (n, stack.expr(k)) for n, (k, opt) in wanted.items() if not opt or rng.random() < 0.6)
        if over:
            stack.known["string"].remove("each.key")
        each = "  for_each = %s\n" % over if over else ""
        stack.add('stack "s" {\n  source = "./child"\n%s  inputs = { %s }\n}' % (each, inputs))
        for name, kind in given.items():
            if not over:
                stack.named(kind, "stack.s.%s" % name)
            elif kind == "string":
                stack.named("map(string)", "{ for k, v in stack.s : k => v.%s }" % name)
    stack.locals(rng.randrange(2), "m")
    stack.outputs(rng.randrange(1, 4))
    rng.shuffle(stack.blocks)
    half = len(stack.blocks) // 2
    file("a.tfcomponent.hcl", PROVIDERS + "\n".join(stack.blocks[:half]))
    file("b.tfcomponent.hcl", "\n".join(stack.blocks[half:]))
    for name, (_, text, _) in MODULES.items():
        file("mods/%s/main.tf" % name, text)
    deployed = []
    for name in rng.sample(["dev", "prod", "eu-1"], rng.randrange(1, 4)):
        inputs = {n: stack.value(k) for n, (k, opt) in declared.items() if not opt or rng.random() < 0.7}
        text = json.dumps(inputs, ensure_ascii=False)
        deployed.append('deployment "%s" {\n  inputs = %s\n}\n' % (name, text))
        out.append("--- inputs %s\n%s" % (name, text))
    file("main.tfdeploy.hcl", "".join(deployed))
    return "\n".join(out)


def main():
    cases, seed = int(sys.argv[1]), int(sys.argv[2])
    print("Random Stacks.\n\n### common\n")
    for number in range(seed, seed + cases):
        print(case(number, random.Random(number)) + "\n")


if __name__ == "__main__":
    main()
