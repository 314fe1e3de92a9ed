"""Random trees that have every production of the language in every place where Terraform takes an expression.

A tree is a root module and one or two modules, each a list of items: pieces of text that stand by themselves, so that a tree that fails
is made small by leaving items out. What is driven is a module's `var.v` (text), `var.n` (number) and `var.b` (bool), and in the root
whatever a split resource or call gives. Each production and each place is counted as it is made.
"""

import json
import random
import re

from grammar_exprs import BOOLS, FAVOURITES, NUMBERS, TEXTS, Gen, quote
from grammar_items import LOGGED, WideItems

# A module with an ephemeral variable.
N1 = """variable "a" {
  ephemeral = true
}
locals {
  b = [var.a]
}
output "a" {
  value = [ephemeralasnull(var.a), ephemeralasnull(local.b)]
}
output "e" {
  ephemeral = true
  value = "<${local.b[0]}>"
}
"""

# A module with a resource that is pinned.
N2 = """variable "a" {}
variable "v" {}
variable "w" {}
resource "terraform_data" "z9" {
  input = "<${var.w}>"
}
output "a" {
  value = [var.a, var.v, terraform_data.z9.input]
}
"""


class Tree(WideItems):
    """A tree: its items, and what they make."""

    def __init__(self, seed, minor=99, blocks=True):
        """Of a version of Terraform, 1.MINOR; with what the provider of blocks has, if there is one."""
        self.rng = random.Random(seed)
        self.seen = {}
        # Half of the trees have the items and productions that came later, and more of the places that are rare.
        self.wide = seed % 2 == 1
        self.favourite = self.rng.choice(sorted(FAVOURITES)) if self.wide else None
        self.minor, self.has_blocks = minor, blocks
        # True if its plans are applied as well.
        self.is_applied = self.wide and seed % 4 == 1
        # True if later expressions ask which instances a resource has.
        self.asks = seed % 3 == 0
        rng = self.rng
        self.values = {m: {"v": rng.sample(TEXTS, 2), "n": rng.sample(NUMBERS, 2), "b": rng.sample(BOOLS, 2)} for m in ("m0", "m1")}
        self.modules = ["m0"] + (["m1"] if rng.randrange(3) == 0 else [])
        self.crlf = {m for m in self.modules + ["root"] if rng.randrange(8) == 0}
        self.at_resource = rng.randrange(5) == 0
        self.driven = {m: {"v"} | {k for k in "nb" if rng.randrange(3)} for m in self.modules}
        # (module, kind of item, text)
        self.items = []
        # What the modules are given that may come from themselves.
        self.circles = []
        for m in self.modules:
            self.module_items(m)
        self.root_items()

    def gen(self, module):
        g = Gen(self.rng, self.seen, self.favourite)
        if module == "root":
            for m in self.modules:
                g.names["s"] += [f"module.{m}.ov", f"terraform_data.d0.input", "var.free"]
                g.names["n"].append(f"module.{m}.on")
                g.names["b"] += [f"module.{m}.ob", "(var.env == \"a\")"]
                g.names["l"] += [f"module.{m}.ol", f"terraform_data.d1[*].input"]
        else:
            g.names["s"] += ["var.v", "var.v", "local.lv", "var.free", "path.module", "terraform_data.p0.input"]
            g.names["n"] += ["var.n", "local.ln"]
            g.names["b"] += ["var.b", "local.lb"]
            g.names["l"] += ["local.ll", "terraform_data.c0[*].input"]
            g.names["m"] += ["local.lm"]
        return g

    def add(self, module, kind, text):
        self.items.append((module, kind, text))

    def module_items(self, m):
        rng, g = self.rng, self.gen(m)
        makers = [self.output, self.output, self.output, self.local, self.resource, self.conditions, self.output_condition, self.check,
                  self.validation, self.repeated, self.data, self.provisioner, self.call, self.moved, self.removed, self.json,
                  self.by_name, self.triggered]
        if self.has_blocks:
            makers += [self.nested, self.nested]
        if self.minor >= 10:
            makers += [self.ephemeral, self.ephemeral]
        if self.wide:
            makers += [self.declared, self.called, self.each, self.each, self.itself, self.asked, self.rare, self.rare, self.replaced]
        for at, make in enumerate(rng.choices(makers, k=rng.randrange(5, 11))):
            make(m, g, f"x{at}")

    def root_items(self):
        g = self.gen("root")
        makers = [self.output, self.output, self.local, self.resource, self.conditions, self.output_condition, self.check, self.repeated,
                  self.validation, self.provisioner, self.json, self.by_name, self.imported, self.removed, self.triggered, self.protected, self.test]
        makers += [self.nested] if self.has_blocks else []
        makers += [self.declared, self.called, self.each, self.itself, self.asked, self.rare, self.replaced, self.circle, self.circle] if self.wide else []
        for at, make in enumerate(self.rng.choices(makers, k=self.rng.randrange(2, 6))):
            make("root", g, f"y{at}")

    # Items ---------------------------------------------------------------------------------------------------------------------

    def output(self, m, g, x):
        self.add(m, "output", f"output \"{x}\" {{\n  value = {g.value('output')}\n}}\n")

    def local(self, m, g, x):
        self.add(m, "locals", f"locals {{\n  {x} = {g.value('locals')}\n}}\noutput \"{x}\" {{\n  value = local.{x}\n}}\n")

    def resource(self, m, g, x):
        more = f"\n  triggers_replace = {g.value('resource')}" if self.rng.randrange(3) == 0 else ""
        self.add(m, "resource", f"resource \"terraform_data\" \"{x}\" {{\n  input = {g.value('resource')}{more}\n}}\n")

    def condition(self, g, place):
        """Mostly one that is true, by what is driven alone or by more."""
        g.place = place
        kind = self.rng.randrange(10)
        sure = self.rng.choice([n for n in g.names["s"] if not n.startswith("(")])
        test = g.b(2) if kind == 0 else f"({g.b(2)} || {sure} != \"zz\")" if kind < 8 else f"{sure} != \"zz\""
        if not re.search(r"\b(var|local|module|terraform_data|path)\.", test):
            test = f"({test} || {sure} != \"zz\")"
        return test, g.value(place, "s", 2) if self.rng.randrange(2) else "\"No.\""

    def conditions(self, m, g, x):
        kind = self.rng.choice(["precondition", "postcondition"])
        test, message = self.condition(g, kind)
        self.add(m, kind, f"resource \"terraform_data\" \"{x}\" {{\n  input = 1\n  lifecycle {{\n    {kind} {{\n      condition = {test}\n      error_message = {message}\n    }}\n  }}\n}}\n")

    def output_condition(self, m, g, x):
        test, message = self.condition(g, "output precondition")
        self.add(m, "output precondition", f"output \"{x}\" {{\n  value = 1\n  precondition {{\n    condition = {test}\n    error_message = {message}\n  }}\n}}\n")

    def check(self, m, g, x):
        asserts = ""
        for _ in range(self.rng.choice([1, 1, 2])):
            test, message = self.condition(g, "check")
            asserts += f"  assert {{\n    condition = {test}\n    error_message = {message}\n  }}\n"
        self.add(m, "check", f"check \"{x}\" {{\n{asserts}}}\n")

    def validation(self, m, g, x):
        test, message = self.condition(g, "validation")
        if m == "root":
            test, message = f"var.env != \"c\" || var.free == \"{x}\"", "\"No.\""
        self.add(m, "validation", f"variable \"{x}\" {{\n  default = 1\n  validation {{\n    condition = var.{x} == 1 || {test}\n    error_message = {message}\n  }}\n}}\n")

    def repeated(self, m, g, x):
        if self.rng.randrange(2):
            g.place = "count"
            test = g.b(2)
            body = f"  count = {test} ? {self.rng.choice([1, 2])} : 0\n  input = {g.value('resource')}\n"
            out = f"terraform_data.{x}[*].input"
        else:
            g.place = "for_each"
            test = g.b(2)
            body = f"  for_each = {test} ? toset([\"k\", \"l\"]) : toset([])\n  input = \"${{each.key}}${{{g.s(1)}}}\"\n"
            out = f"[for k, r in terraform_data.{x} : r.input]"
        text = f"resource \"terraform_data\" \"{x}\" {{\n{body}}}\noutput \"{x}\" {{\n  value = {out}\n}}\n"
        self.add(m, "count, for_each", text + self.instances(g, x, body))

    def instances(self, g, x, body):
        """What asks which instances a resource has, by itself and in the expressions of later items. Other trees stay what they were."""
        if not self.asks:
            return ""
        own, of = random.Random(body), f"terraform_data.{x}"
        if "count" in body:
            texts = [f"try({of}[1].input, \"none\") == \"none\" ? \"one\" : \"two\"", f"tostring(length({of}))", f"length({of}[*].id) > 0 ? \"some\" : \"none\"",
                     f"join(\"-\", [for i, r in {of} : \"${{i}}\"])"]
            bools = [f"(length({of}) > 1)", f"can({of}[0].triggers_replace == null)"]
        else:
            texts = [f"join(\"-\", keys({of}))", f"join(\"-\", [for k, r in {of} : upper(k)])", f"contains(keys({of}), \"k\") ? \"k\" : \"none\"",
                     f"try(keys({of})[1], \"none\")"]
            bools = [f"(length({of}) > 1)", f"contains(keys({of}), \"l\")"]
        g.names["n"].append(f"length({of})")
        g.names["s"].append(f"({own.choice(texts)})")
        g.names["b"].append(own.choice(bools))
        asked = own.sample(texts, 2)
        return f"resource \"terraform_data\" \"w{x[1:]}\" {{\n  input = {asked[0]}\n}}\noutput \"w{x[1:]}\" {{\n  value = {asked[1]}\n}}\n"

    def data(self, m, g, x):
        g.place = "data"
        self.add(m, "data", f"data \"terraform_remote_state\" \"{x}\" {{\n  backend = \"local\"\n  config = {{\n    path = \"${{path.module}}/s.tfstate\"\n  }}\n  defaults = {{\n    a = {g.s(2)}\n  }}\n}}\noutput \"{x}\" {{\n  value = [data.terraform_remote_state.{x}.outputs, {g.s(1)}]\n}}\n")

    def provisioner(self, m, g, x):
        self.add(m, "provisioner", f"resource \"terraform_data\" \"{x}\" {{\n  input = {g.value('resource')}\n  provisioner \"local-exec\" {{\n    interpreter = {LOGGED}\n    command = {g.value('provisioner', 's')}\n    environment = {{\n      A = {g.s(1)}\n    }}\n  }}\n}}\n")

    def call(self, m, g, x):
        repeat = ""
        if self.rng.randrange(3) == 0:
            g.place = "module"
            repeat = f"  count = {g.b(2)} ? 1 : 0\n"
        self.add(m, "module", f"module \"{x}\" {{\n  source = \"../n0\"\n{repeat}  a = {g.value('module')}\n}}\noutput \"{x}\" {{\n  value = {'module.' + x + '[*].a' if repeat else 'module.' + x + '.a'}\n}}\n")

    def moved(self, m, g, x):
        self.add(m, "moved", f"resource \"terraform_data\" \"{x}\" {{\n  input = {g.value('resource')}\n}}\nmoved {{\n  from = terraform_data.old_{x}\n  to = terraform_data.{x}\n}}\n")

    def removed(self, m, g, x):
        self.add(m, "removed", f"removed {{\n  from = terraform_data.gone_{x}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n")

    def nested(self, m, g, x):
        """A resource with nested blocks, each of which may be `dynamic`, in one another."""
        g.place = "content"
        body = f"text = {g.value('resource', 's', 2)}\n"
        for name, form in self.rng.sample([("part", "list"), ("part", "list"), ("tag", "set"), ("entry", "map")], self.rng.randrange(1, 4)):
            body += g.blocks(name, 2, form)
        if self.minor >= 11 and self.rng.randrange(3) == 0:
            body += f"secret = {self.hidden(m, g).value('write-only', 's', 2)}\n"
        self.add(m, "dynamic", f"resource \"block_box\" \"{x}\" {{\n{body}}}\noutput \"{x}\" {{\n  value = block_box.{x}\n}}\n")

    def hidden(self, m, g):
        """Makes expressions with names of ephemeral values beside the others."""
        own = self.gen(m)
        if m != "root" and self.minor >= 10:
            own.names["s"] += ["var.ev", "var.ev"]
        own.place = g.place
        return own

    def ephemeral(self, m, g, x):
        """Ephemeral values: of variables, outputs, locals, and resources, in all places that take one."""
        g.place = "ephemeral"
        h = self.hidden(m, g)
        kinds = ["null", "output", "local", "call", "condition", "provisioner", "open"] + (["resource", "resource"] if self.has_blocks else [])
        kind = self.rng.choice(kinds)
        if kind == "null":
            text = f"output \"{x}\" {{\n  value = [ephemeralasnull({h.value('ephemeralasnull', 's')}\n), {g.s(1)}]\n}}\n"
        elif kind == "output":
            text = f"output \"{x}\" {{\n  ephemeral = true\n  value = join({h.value('ephemeral output', 's')}\n, [\"a\", var.ev])\n}}\n"
            self.add("root", "ephemeral output", f"output \"{m}{x}\" {{\n  value = ephemeralasnull(module.{m}.{x})\n}}\n")
        elif kind == "local":
            text = f"locals {{\n  {x} = {h.value('locals')}\n}}\noutput \"{x}\" {{\n  value = ephemeralasnull(local.{x})\n}}\n"
        elif kind == "call":
            text = f"module \"{x}\" {{\n  source = \"../n1\"\n  a = {h.value('ephemeral argument', 's')}\n}}\noutput \"{x}\" {{\n  value = [module.{x}.a, ephemeralasnull(module.{x}.e)]\n}}\n"
        elif kind == "condition":
            test, message = self.condition(h, "precondition")
            text = f"resource \"terraform_data\" \"{x}\" {{\n  input = 1\n  lifecycle {{\n    precondition {{\n      condition = {test}\n      error_message = {message if 'var.ev' not in message else chr(34) + 'No.' + chr(34)}\n    }}\n  }}\n}}\n"
        elif kind == "provisioner":
            text = f"resource \"terraform_data\" \"{x}\" {{\n  input = 1\n  provisioner \"local-exec\" {{\n    interpreter = {LOGGED}\n    command = {h.value('provisioner', 's')}\n    environment = {{\n      A = {h.s(1)}\n    }}\n  }}\n}}\n"
        elif kind == "open":
            # What Terraform rejects unless the text holds no ephemeral value.
            text = f"output \"{x}\" {{\n  value = {h.value('output', 's', 1)}\n}}\n"
        else:
            repeat, key = self.rng.choice([("", ""), ("", ""), (f"  count = {g.b(2)} ? 1 : 0\n", "[*]"), (f"  for_each = {g.b(2)} ? toset([\"k\"]) : toset([])\n", "")])
            value = f"[for r in ephemeral.block_token.{x} : r.text]" if "for_each" in repeat else f"ephemeral.block_token.{x}{key}.text"
            h.place = "ephemeral"
            blocks = "".join(h.blocks("part", 2) for _ in range(self.rng.randrange(2)))
            # Before 1.15, `terraform show -json` crashes on a plan with such a condition.
            test, _ = self.condition(g, self.rng.choice(["precondition", "postcondition"])) if self.minor >= 15 else ("", "")
            life = f"  lifecycle {{\n    precondition {{\n      condition = {test}\n      error_message = \"No.\"\n    }}\n  }}\n" if test and self.rng.randrange(2) else ""
            text = f"ephemeral \"block_token\" \"{x}\" {{\n{repeat}  text = {h.value('ephemeral', 's')}\n{blocks}{life}}}\noutput \"{x}\" {{\n  value = ephemeralasnull({value})\n}}\n"
        self.add(m, "ephemeral", text)

    def test(self, m, g, x):
        """A test file, whose runs plan the root with values of their own."""
        runs = []
        for at in range(self.rng.randrange(1, 4)):
            # The variables of the file, and what an earlier run gave.
            bare = Gen(self.rng, self.seen, self.favourite)
            bare.names["s"] = ["var.free"] + [f"run.r{earlier}.driven" for earlier in range(at)]
            free = f"    free = {bare.value('test variables', 's', 4 if self.wide else 2)}\n" if self.rng.randrange(2) else ""
            asserts = ""
            for _ in range(self.rng.randrange(1, 3)):
                test, message = self.condition(g, "test assert")
                asserts += f"  assert {{\n    condition = {test}\n    error_message = {message}\n  }}\n"
            runs.append(f"run \"r{at}\" {{\n  command = plan\n  variables {{\n    env = \"{self.rng.choice('ab')}\"\n{free}  }}\n{asserts}}}\n")
        self.add(m, "test", "TEST" + x + "\nvariables {\n  free = \"file\"\n}\n" + "".join(runs))

    def imported(self, m, g, x):
        g.place = "import"
        test = self.rng.choice(["var.env == \"a\"", "var.env == \"b\"", "true"])
        outer = Gen(self.rng, self.seen, self.favourite)
        outer.place = "import"
        # What is imported can't wait for what it is imported into.
        outer.names = {k: [n for n in names if "module." not in n and "terraform_data" not in n] for k, names in g.names.items()}
        some = f"({test} || {outer.b(2)}) ? toset([\"k\"]) : toset([])"
        inner = f"resource \"terraform_data\" \"i{x}\" {{\n  for_each = {self.rng.choice(['var.b', 'true', 'true']) } ? toset([\"k\"]) : toset([])\n  input = \"i\"\n}}\n"
        self.add("m0", "import target", inner)
        self.add("root", "import", f"import {{\n  for_each = {some}\n  to = module.m0.terraform_data.i{x}[each.key]\n  id = \"id-${{{g.s(2)}}}\"\n}}\n")

    def protected(self, m, g, x):
        g.place = "lifecycle"
        g.used("reference")
        which = self.rng.choice(["prevent_destroy", "create_before_destroy"])
        test, message = self.condition(g, "lifecycle")
        self.add(m, "lifecycle", f"resource \"terraform_data\" \"{x}\" {{\n  input = 1\n  lifecycle {{\n    {which} = var.env == \"a\"\n    precondition {{\n      condition = {test} || var.env != \"zz\"\n      error_message = {message}\n    }}\n  }}\n}}\n")

    def by_name(self, m, g, x):
        g.place = "templatestring"
        name = g.rng.choice([n for n in g.names["s"] if not n.startswith("(")])
        self.add(m, "templatestring", f"output \"{x}\" {{\n  value = try(templatestring({name}, {{ z = {g.any(3)}, y = {g.b(2)} }}), \"none\")\n}}\n")

    def triggered(self, m, g, x):
        g.place = "resource"
        to = "terraform_data.p0" if m != "root" else "terraform_data.e0"
        self.add(m, "replace_triggered_by", f"resource \"terraform_data\" \"{x}\" {{\n  input = {g.value('resource')}\n  depends_on = [{to}]\n  lifecycle {{\n    ignore_changes = [input]\n  }}\n}}\n")

    def json(self, m, g, x):
        g.place = "JSON"
        free = Gen(self.rng, self.seen, self.favourite)
        free.place = "JSON"
        free.names = {k: [n for n in names if "var.v" not in n and "var.n" not in n and "var.b" not in n] for k, names in g.names.items()}
        body = free.body(2, 0, False)
        value = {"a": "${" + free.any(2) + "}", "b": "t " + body, "c": [1, None, True, {"k": "x"}]}
        self.add(m, "JSON", "JSON" + json.dumps({"output": {x: {"value": value}}}))

    # Files ---------------------------------------------------------------------------------------------------------------------

    def files(self, items=None):
        items = self.items if items is None else items
        out = {}
        texts = {m: [] for m in self.modules + ["root"]}
        documents = {}
        for m, _, text in items:
            if text.startswith("TEST"):
                name, _, body = text[4:].partition("\n")
                out[f"tests/{name}.tftest.hcl"] = body
            elif text.startswith("JSON"):
                for kind, all_of in json.loads(text[4:]).items():
                    of_kind = documents.setdefault(m, {}).setdefault(kind, {})
                    if kind == "resource":
                        of_kind, all_of = of_kind.setdefault("terraform_data", {}), all_of["terraform_data"]
                    of_kind.update(all_of)
            else:
                texts[m].append(text)
        for m in self.modules:
            texts[m][:0] = [self.head(m)]
            out[f"{m}/main.tf"] = "\n".join(texts[m])
            out[f"{m}/s.tfstate"] = json.dumps({"version": 4, "terraform_version": "1.6.0", "serial": 1, "lineage": "x", "outputs": {"o": {"value": "s", "type": "string"}}, "resources": []})
        out["n0/main.tf"] = "variable \"a\" {}\noutput \"a\" {\n  value = var.a\n}\n"
        if self.wide:
            out["n2/main.tf"] = N2
        if self.minor >= 10:
            out["n1/main.tf"] = N1
        calls = []
        for m in self.modules:
            v = self.values[m]
            pick = lambda pair: f"var.env == \"a\" ? {pair[0]} : {pair[1]}"
            args = f"  v = {pick([quote(t) for t in v['v']])}\n  n = {pick(v['n'])}\n  b = {pick(v['b'])}\n"
            if self.minor >= 10:
                args += f"  ev = {pick([quote(t) for t in v['v']])}\n"
            args += "".join(f"  x = {c}\n" for c in self.circles[:1] if any(c.split(".")[1] + '"' in t for _, kind, t in items if kind == "circle"))
            calls.append(f"module \"{m}\" {{\n  source = \"./{m}\"\n{args}  free = var.free\n}}\n")
        provider = "terraform {\n  required_providers {\n    terraform = {\n      source = \"terraform.io/builtin/terraform\"\n    }\n  }\n}\n" if self.wide else ""
        head = provider + "variable \"env\" {\n  type = string\n}\nvariable \"free\" {\n  type = string\n  default = \"f\"\n}\n" + "".join(calls)
        head += "resource \"terraform_data\" \"d0\" {\n  input = var.env == \"a\" ? \"da\" : \"d b\\n\"\n}\nresource \"terraform_data\" \"d1\" {\n  count = 2\n  input = var.env == \"a\" ? \"1\" : \"2\"\n}\nresource \"terraform_data\" \"e0\" {\n  input = 1\n}\noutput \"driven\" {\n  value = module.m0.ov\n}\n"
        out["main.tf"] = "\n".join([head] + texts["root"])
        for m, document in documents.items():
            out[("" if m == "root" else m + "/") + "more.tf.json"] = json.dumps(document, indent=1)
        driven = set().union(*self.driven.values())
        pins = ["p0", "d0", "d1"] + [p for k, p in (("n", "q0"), ("b", "b0")) if k in driven]
        if any("/n2\"" in text for text in out.values()):
            pins.append("z9")
        out["phi.hcl"] = "".join(f"specialize \"terraform_data.{p}\" {{\n  fields = [\"input\"]\n{'  at = ' + chr(34) + 'resource' + chr(34) + chr(10) if self.at_resource else ''}}}\n" for p in pins) + "variable \"env\" {\n  universe = [\"a\", \"b\"]\n}\n"
        for m in self.crlf:
            path = "main.tf" if m == "root" else f"{m}/main.tf"
            out[path] = out[path].replace("\n", "\r\n")
        return out

    def head(self, m):
        pins = {"v": "p0", "n": "q0", "b": "b0"}
        head = "terraform {\n  required_providers {\n    terraform = {\n      source = \"terraform.io/builtin/terraform\"\n    }\n  }\n}\n" if self.wide else ""
        head += "".join(f"variable \"{k}\" {{\n  type = {t}\n}}\n" for k, t in [("v", "string"), ("n", "number"), ("b", "bool"), ("free", "string")])
        if self.minor >= 10:
            head += "variable \"ev\" {\n  type = string\n  ephemeral = true\n}\n"
        if self.wide:
            head += "variable \"x\" {\n  default = 1\n}\nresource \"terraform_data\" \"e1\" {\n  input = var.x\n}\n"
        for k in sorted(self.driven[m] | {"v"}):
            head += f"resource \"terraform_data\" \"{pins[k]}\" {{\n  input = var.{k}\n}}\n"
        head += "resource \"terraform_data\" \"c0\" {\n  count = 2\n  input = \"c${count.index}\"\n}\n"
        head += "locals {\n  lv = \"<${var.v}>\"\n  ln = var.n + 1\n  lb = var.v == \"small\"\n  ll = [var.v, \"z\"]\n  lm = { (var.v) = \"1\", k = var.free }\n}\n"
        head += "output \"ov\" {\n  value = var.v\n}\noutput \"on\" {\n  value = local.ln\n}\noutput \"ob\" {\n  value = var.b\n}\noutput \"ol\" {\n  value = local.ll\n}\n"
        return head
