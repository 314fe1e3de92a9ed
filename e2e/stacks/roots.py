"""Random root modules for which a Stack is proposed, in the format of cases.txt: roots.py CASES SEED.

Module calls with and without `for_each` and `count`, resources of the root between them, locals, outputs, and variable files. Expressions
are those of generate.py. Error cases are among them: then both plans have to stop.
"""

import json
import random
import sys

import generate
from generate import MODULES, TYPES, Stack


class Root(Stack):
    def calls(self, at):
        r = self.rng
        module = r.choice(sorted(MODULES))
        inputs, _, outputs = MODULES[module]
        name, over, count = "c%d" % at, None, False
        lines = ['module "%s" {' % name, '  source = "./mods/%s"' % module]
        mark = {k: list(v) for k, v in self.known.items()}
        if r.random() < 0.3:
            # What apply decides repeats nothing.
            over = r.choice(['toset(["a", "b"])', "{ for x in [\"a\", \"q\"] : x => upper(x) }", "var.each"])
            lines.append("  for_each = %s" % over)
            self.known["string"] += ["each.key", "each.key"]
        elif r.random() < 0.2:
            count = True
            lines.append("  count = var.copies")
            self.known["number"] += ["count.index"]
        for key, kind in inputs.items():
            optional = (module, key) in [("text", "s"), ("text", "n"), ("many", "on")]
            if optional and r.random() < 0.3:
                continue
            lines.append("  %s = %s" % (key, "null" if optional and r.random() < 0.1 else self.expr(kind)))
        self.known = mark
        self.add("\n".join(lines + ["}"]))
        for key, kind in outputs.items():
            if over is None and not count:
                self.named(kind, "module.%s.%s" % (name, key))
            elif kind == "string" and count:
                self.named("list(string)", "module.%s[*].%s" % (name, key))
            elif kind == "string":
                self.named("map(string)", "{ for k, v in module.%s : k => v.%s }" % (name, key))
                self.named("string", 'module.%s["a"].%s' % (name, key))

    def resource(self, at):
        r = self.rng
        name = "terraform_data.r%d" % at
        lines = ['resource "terraform_data" "r%d" {' % at]
        kind = r.choice(["string", "string", "list(string)", "map(string)", "object"])
        form = r.random()
        mark = {k: list(v) for k, v in self.known.items()}
        if form < 0.2:
            lines.append("  count = 2")
        elif form < 0.4:
            lines.append("  for_each = toset([\"a\", \"z\"])")
            self.known["string"].append("each.key")
        lines.append("  input = %s" % self.expr(kind))
        self.known = mark
        self.add("\n".join(lines + ["}"]))
        one = name + ("[0]" if form < 0.2 else '["a"]' if form < 0.4 else "")
        self.named(kind, "%s.input" % one)
        if r.random() < 0.4:
            self.named("string", "%s.id" % one)
        if form < 0.2 and r.random() < 0.5:
            self.named("list(string)", "%s[*].id" % name)


def case(number, rng):
    out = ["### random root %d: random" % number]
    file = lambda path, text: out.append("--- %s\n%s" % (path, text))
    root = Root(rng)
    declared = generate.variables(root, rng, rng.randrange(1, 5), True)
    root.add('variable "each" {\n  type = set(string)\n}\nvariable "copies" {\n  type = number\n  default = 1\n}')
    for at in range(rng.randrange(3, 8)):
        if rng.random() < 0.5:
            root.calls(at)
        else:
            root.resource(at)
        if rng.random() < 0.4:
            root.locals(1, "l%d_" % at)
    for at in range(rng.randrange(1, 4)):
        root.add('output "o%d" {\n  value = %s\n}' % (at, root.expr(rng.choice(TYPES))))
    rng.shuffle(root.blocks)
    half = len(root.blocks) // 2
    file("main.tf", "\n".join(root.blocks[:half]))
    file("more.tf", "\n".join(root.blocks[half:]))
    for name, (_, text, _) in MODULES.items():
        file("mods/%s/main.tf" % name, text)
    for name in rng.sample(["dev", "prod", "qa"], rng.randrange(1, 4)):
        lines = ["each = %s" % json.dumps(sorted(rng.sample(["a", "b", "c"], rng.randrange(1, 4))))]
        lines += ["%s = %s" % (n, json.dumps(root.value(k), ensure_ascii=False)) for n, (k, opt) in declared.items() if not opt or rng.random() < 0.7]
        file("env/%s.tfvars" % name, "\n".join(lines))
    return "\n".join(out)


def main():
    cases, seed = int(sys.argv[1]), int(sys.argv[2])
    print("Random root modules.\n\n### common\n")
    for number in range(seed, seed + cases):
        print(case(number, random.Random("root %d" % number)) + "\n")


if __name__ == "__main__":
    main()
