"""Random trees that have every production of the language in every place where Terraform takes an expression.

A tree is a root module and one or two modules, each a list of items: pieces of text that stand by themselves, so that a tree that fails
is made small by leaving items out. What is driven is a module's `var.v` (text), `var.n` (number) and `var.b` (bool), and in the root
whatever a split resource or call gives. Each production and each place is counted as it is made.
"""

import json
import random
import re

# Texts that mean something else somewhere: in a template, at its ends, beside a sequence, in a heredoc's first or last line.
TEXTS = ["small", "huge", "15.4", "", " a ", "C:\\prod \"x\"", "two\nlines", "\n", "  in\n dented\n", "{a}", "x$", "y%", "${z}", "%{if}",
         "EOT", "a\tb", "é😀", "e\u0301", "~", "}", "$", "/* c */", "# c", "[0]", "null", "-1", "a.b", "\\n", "'", "{\"Bool\": {\"a\": 1}}"]
NUMBERS = ["0", "1", "2", "-5", "1.5", "1e3", "0.1"]
BOOLS = ["true", "false"]
LITERALS = ["dir = ", "\n", "  ", " ", "a", "$", "%", "{", "}", "\"", "\\", "\t", "é", "-", "\n\n", "x\n    y", "\"Bool\": ", "~", "#", "//", "\n  "]


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


def quote(text):
    """A text as a quoted literal."""
    out = json.dumps(text, ensure_ascii=False)
    return out.replace("${", "$${").replace("%{", "%%{")


class Gen:
    """Makes expressions of one module."""

    def __init__(self, rng, seen):
        self.rng, self.seen, self.place = rng, seen, ""
        self.names = {"s": [], "n": [], "b": [], "l": [], "m": []}
        self.bound = []

    def used(self, production):
        key = (production, self.place)
        self.seen[key] = self.seen.get(key, 0) + 1
        return production

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def name(self, kind):
        """A name of a kind; mostly one that is driven."""
        own = [n for k, n in self.bound if k == kind]
        if own and self.chance(40):
            self.used("name of a for")
            return self.rng.choice(own)
        names = self.names[kind]
        if not names:
            return None
        self.used("reference")
        return self.rng.choice(names)

    def space(self):
        """What may stand between tokens within brackets."""
        kind = self.rng.randrange(14)
        if kind == 0:
            self.used("comment #")
            return " # c ${x} \"\n"
        if kind == 1:
            self.used("comment //")
            return " // c }\n "
        if kind == 2:
            self.used("comment /* */")
            return " /* \" c\n */ "
        if kind == 3:
            self.used("line end in brackets")
            return "\n"
        return self.rng.choice([" ", ""])

    def inline(self):
        if self.chance(5):
            self.used("comment /* */")
            return " /* c */ "
        return " "

    # Texts ---------------------------------------------------------------------------------------------------------------------

    def s(self, d):
        if d <= 0 or self.chance(30):
            return self.name_or("s", 75, self.literal)
        pick = self.rng.choice([self.template, self.template, self.heredoc_in_parens, self.conditional("s"), self.call_s, self.parens("s"),
                                self.index_s, self.template, self.splat_s])
        return pick(d)

    def counted(self, production, text):
        self.used(production)
        return text

    def name_or(self, kind, percent, otherwise):
        """A name of a kind in so many of a hundred cases, and else what a function gives."""
        name = self.name(kind)
        return name if name and self.chance(percent) else otherwise()

    def literal(self):
        self.used("text literal")
        if self.chance(20):
            self.used("escapes")
            return '"' + self.rng.choice(["\\u00e9", "\\U0001F600", "\\t\\\"", "$${a}", "%%{b}", "\\\\", "\\r\\n", "$", "%"]) + '"'
        return quote(self.rng.choice(TEXTS))

    def sequence(self, d, depth=0, quoted=True):
        """A sequence of a template, with its strip marks."""
        l, r = (self.rng.choice(["", "", "~"]) for _ in "lr")
        if l or r:
            self.used("strip mark")
        kind = self.rng.randrange(10)
        if depth < 2 and kind == 0:
            self.used("directive if")
            mid = "%{" + r + " else " + l + "}" + self.body(d - 1, depth + 1, quoted) if self.chance(60) else ""
            return f"%{{{l} if {self.b(d - 1)} {r}}}{self.body(d - 1, depth + 1, quoted)}{mid}%{{{r} endif {l}}}"
        if depth < 2 and kind == 1:
            self.used("directive for")
            head = "ti, tk" if self.chance(30) else "tk"
            over = self.l(d - 1)
            self.bound.append(("s", "tk"))
            body = self.body(d - 1, depth + 1, quoted)
            self.bound.pop()
            return f"%{{{l} for {head} in {over} {r}}}{body}%{{{r} endfor {l}}}"
        self.used("interpolation")
        inner = self.rng.choice([self.s, self.s, self.s, self.n, self.b])(min(d - 1, 1))
        gap = self.rng.choice(["", " ", "\n" if not quoted and self.chance(20) else " "])
        return f"${{{l}{gap}{inner}{gap}{r}}}"

    def body(self, d, depth, quoted):
        out = ""
        for _ in range(self.rng.randrange(1, 4)):
            if self.chance(55):
                piece = self.sequence(d, depth, quoted)
                if out and out[-1] == piece[0] and (piece.startswith("%") or self.chance(70)):
                    out += " "
                if out and out[-1] == piece[0]:
                    # An escape: what follows is text, and must hold no quote of its own.
                    piece = "${q}"
                    self.used("escape by the character before")
                out += piece
            else:
                piece = self.rng.choice(LITERALS)
                if piece.startswith("{") and out.endswith(("$", "%")):
                    piece = " " + piece
                if quoted:
                    piece = json.dumps(piece, ensure_ascii=False)[1:-1]
                out += piece
        # Before the sequence that ends a directive's part.
        return out + " " if depth and out.endswith(("$", "%")) else out

    def template(self, d):
        self.used("quoted template")
        return '"' + self.body(d, 0, True) + '"'

    def heredoc(self, d):
        """A heredoc that ends with its marker, and no line end."""
        flush = self.chance(50)
        self.used("heredoc <<-" if flush else "heredoc <<")
        pad = self.rng.choice(["", "  ", "    ", "\t"]) if flush else ""
        lines = []
        for _ in range(self.rng.randrange(0, 4)):
            body = self.body(d - 1, 0, False)
            lines.append(pad + self.rng.choice(["", "", " ", "  "]) + body)
        text = "\n".join(lines)
        if "EOT" in text:
            text = text.replace("EOT", "EOS")
        end = self.rng.choice(["", " ", "    "]) if flush else ""
        return ("<<-EOT\n" if flush else "<<EOT\n") + (text + "\n" if lines else "") + end + "EOT"

    def heredoc_in_parens(self, d):
        return "(" + self.heredoc(d) + "\n)"

    def call_s(self, d):
        self.used("call")
        tail = "," if self.chance(15) else ""
        g = self.space
        return self.rng.choice([
            lambda: f"upper({g()}{self.s(d - 1)}{g()}{tail})",
            lambda: f"format({g()}\"%s-%v\",{g()}{self.s(d - 1)}, {self.n(d - 1)})",
            lambda: f"join({self.s(d - 1)}, {self.l(d - 1)}{g()}{tail})",
            lambda: f"jsonencode({self.any(d - 1)})",
            lambda: f"coalesce({self.s(d - 1)}, \"c\")",
            lambda: f"replace({self.s(d - 1)}, \"a\", {self.s(d - 1)})",
            lambda: f"try({self.s(d - 1)}, \"t\")",
            lambda: f"format({self.used('expanded arguments') and ''}\"%s%s\", [{self.s(d - 1)}, {self.s(d - 1)}]...)",
            lambda: f"tostring({self.n(d - 1)})",
            lambda: f"lookup({self.m(d - 1)}, {self.s(d - 1)}, \"d\")",
        ])()

    def index_s(self, d):
        kind = self.rng.randrange(4)
        if kind == 0:
            self.used("index by number")
            return f"[{self.s(d - 1)}, {self.s(d - 1)}][{self.rng.choice(['0', '1', 'var.b ? 0 : 1' if 'var.b' in self.names['b'] else '0'])}]"
        if kind == 1:
            self.used("index by key")
            return f"{{ a = {self.s(d - 1)}, b = {self.s(d - 1)} }}[\"a\"]"
        if kind == 2:
            self.used("attribute")
            return f"{{ a = {self.s(d - 1)} }}.a"
        self.used("legacy index")
        return f"[{self.s(d - 1)}].0"

    def splat_s(self, d):
        marker = self.rng.choice(["[*]", ".*"])
        self.used("splat " + marker)
        return f"join(\",\", [{{ a = {self.s(d - 1)} }}, {{ a = \"y\" }}]{marker}.a)"

    # Others --------------------------------------------------------------------------------------------------------------------

    def n(self, d):
        if d <= 0 or self.chance(40):
            return self.name_or("n", 75, lambda: self.counted("number literal", self.rng.choice(NUMBERS)))
        kind = self.rng.randrange(7)
        if kind == 0:
            return self.operation(["+", "-", "*"], self.n, self.n, d)
        if kind == 1:
            return self.operation(["/", "%"], self.n, lambda _: self.rng.choice(["2", "3", "0.5"]), d)
        if kind == 2:
            self.used("operator unary -")
            return f"-{self.n(0)}"
        if kind == 3:
            self.used("call")
            return f"length({self.rng.choice([self.s, self.l, self.m, self.grouped])(d - 1)})"
        return self.rng.choice([self.conditional("n"), self.parens("n")])(d)

    def operation(self, operators, left, right, d):
        """An operation of two values, in parentheses."""
        op = self.rng.choice(operators)
        self.used("operator " + op)
        return f"({left(d - 1)}{self.inline()}{op}{self.inline()}{right(d - 1)})"

    def b(self, d):
        if d <= 0 or self.chance(30):
            return self.name_or("b", 75, lambda: self.counted("bool literal", self.rng.choice(BOOLS)))
        kind = self.rng.randrange(9)
        if kind <= 1:
            side = self.rng.choice([self.s, self.n])
            return self.operation(["==", "!="], side, side, d)
        if kind == 2:
            return self.operation(["<", ">", "<=", ">="], self.n, self.n, d)
        if kind == 3:
            return self.operation(["&&", "||"], self.b, self.b, d)
        if kind == 4:
            self.used("operator !")
            return f"!{self.b(0)}"
        if kind == 5:
            self.used("call")
            return f"contains({self.l(d - 1)}, {self.s(d - 1)})"
        if kind == 6:
            self.used("null")
            return f"({self.s(d - 1)} == null)"
        if kind == 7:
            self.used("call")
            return f"can({self.rng.choice([self.grouped, self.m, self.l, self.nothing])(d - 1)})"
        return self.rng.choice([self.conditional("b"), self.parens("b")])(d)

    def l(self, d):
        if d <= 0 or self.chance(25):
            return self.name_or("l", 60, lambda: self.counted("tuple", f"[{self.space()}{self.s(d - 1)},{self.space()}{self.s(d - 1)}{self.space()}]"))
        kind = self.rng.randrange(6)
        g = self.space
        if kind <= 1:
            return self.in_for(d, "[", "]")
        if kind == 2:
            self.used("call")
            return f"concat({self.l(d - 1)},{g()}{self.l(d - 1)})"
        if kind == 3:
            self.used("tuple")
            return f"[{g()}{self.s(d - 1)},{g()}]"
        if kind == 4:
            self.used("splat [*]")
            return f"{self.s(d - 1) if self.chance(30) else self.l(d - 1)}[*]"
        return self.conditional("l")(d)

    def in_for(self, d, start, end):
        keyed = start == "{"
        self.used("for object" if keyed else "for tuple")
        g = self.space
        two = self.chance(40)
        over = self.l(d - 1) if not two or self.chance(50) else self.m(d - 1)
        self.bound.append(("s", "fv"))
        result = self.s(d - 1)
        # Keys and positions differ from each other; values may be alike.
        single = keyed and two and self.chance(50)
        key = f"\"${{{'fk' if two else 'fv'}}}-{'' if single else self.rng.choice('ab')}\" => " if keyed else ""
        group = ""
        if keyed and not single:
            self.used("grouping")
            group = "..."
        test = ""
        if self.chance(40):
            self.used("if of a for")
            test = f" if {self.b(d - 1)}"
        self.bound.pop()
        return f"{start}{g()}for {'fk, fv' if two else 'fv'} in {over} :{g()}{key}{result}{group}{test}{g()}{end}"

    def grouped(self, d):
        return self.in_for(d, "{", "}")

    def m(self, d):
        name = self.name("m")
        if name and (d <= 0 or self.chance(30)):
            return name
        if d > 0 and self.chance(20):
            self.used("call")
            return f"merge({self.m(d - 1)}, {self.m(d - 1)})"
        self.used("object")
        items = []
        for at in range(self.rng.randrange(1, 4)):
            kind = self.rng.randrange(4)
            key = f"k{at}"
            if kind == 1:
                self.used("quoted key")
                key = f"\"q {at}\""
            elif kind == 2:
                self.used("key in parentheses")
                key = f"({self.s(d - 1)})"
            elif kind == 3:
                self.used("template as a key")
                key = f"\"t{at}${{{self.s(min(d - 1, 0))}}}\""
            sign = self.rng.choice(["=", ":"])
            items.append(f"{key} {sign} {self.s(d - 1)}")
        if self.chance(50):
            return "{ " + ", ".join(items) + " }"
        self.used("object over lines")
        comment = " # c" if self.chance(20) else ""
        return "{\n" + "".join(f"  {item}{comment}\n" for item in items) + "}"

    def any(self, d):
        return self.rng.choice([self.s, self.n, self.b, self.l, self.m, self.grouped, self.nothing])(d)

    def nothing(self, _):
        self.used("null")
        return "null"

    def conditional(self, kind):
        def make(d):
            self.used("conditional")
            one = getattr(self, kind)
            return f"({self.b(d - 1)} ? {one(d - 1)} : {one(d - 1)})"
        return make

    def parens(self, kind):
        def make(d):
            self.used("parentheses over lines")
            return f"({self.space()}{getattr(self, kind)(d - 1)}{self.space()})"
        return make

    def blocks(self, name, d, form="list", nested=True):
        """Nested blocks of a name, by themselves or by `dynamic`, whose iterator is a name in them."""
        if form != "map" and self.chance(30):
            self.used("block")
            return f"{name} {{\n" + self.content(name, d, form, nested) + "}\n"
        self.used("dynamic")
        iterator, more = name, ""
        if self.chance(40):
            self.used("iterator")
            iterator = "it" + str(len(self.bound))
            more = f"iterator = {iterator}\n"
        outer, self.place = self.place, "dynamic for_each"
        over = self.m(d) if self.chance(30) else self.l(d)
        if form == "map":
            # Labels have to be known without any variable.
            over = self.rng.choice(['["a", "b"]', 'toset(["k"])', "{ a = 1, b = 2 }"])
        elif self.chance(40):
            over = f"{self.b(d)} ? toset({self.l(0)}) : toset([])"
        self.place = outer
        self.bound += [("s", f"{iterator}.value"), ("s", f"{iterator}.key")]
        if form == "map":
            self.used("labels")
            more += f"labels = [\"k-${{{iterator}.key}}\"]\n"
        body = self.content(name, d, form, nested)
        del self.bound[-2:]
        return f"dynamic \"{name}\" {{\nfor_each = {over}\n{more}content {{\n{body}}}\n}}\n"

    def content(self, name, d, form, nested):
        outer, self.place = self.place, "content"
        more = ""
        if form == "list" and nested:
            more = f"name = {self.s(d)}\n"
            more += "".join(self.blocks("piece", d - 1, nested=False) for _ in range(self.rng.randrange(2)))
        text = f"value = {self.value('content', 's', d)}\n{more}"
        self.place = outer
        return text

    def value(self, place, kind="any", depth=3):
        """An argument's value, in a place of its own."""
        self.place = place
        if kind in ("any", "s") and self.chance(30):
            return self.heredoc(depth)
        return getattr(self, kind)(depth)


class Tree:
    """A tree: its items, and what they make."""

    def __init__(self, seed, minor=99, blocks=True):
        """Of a version of Terraform, 1.MINOR; with what the provider of blocks has, if there is one."""
        self.rng = random.Random(seed)
        self.seen = {}
        self.minor, self.has_blocks = minor, blocks
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
        for m in self.modules:
            self.module_items(m)
        self.root_items()

    def gen(self, module):
        g = Gen(self.rng, self.seen)
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
        for at, make in enumerate(rng.choices(makers, k=rng.randrange(5, 11))):
            make(m, g, f"x{at}")

    def root_items(self):
        g = self.gen("root")
        makers = [self.output, self.output, self.local, self.resource, self.conditions, self.output_condition, self.check, self.repeated,
                  self.validation, self.provisioner, self.json, self.by_name, self.imported, self.removed, self.triggered, self.protected, self.test]
        makers += [self.nested] if self.has_blocks else []
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
        self.add(m, "provisioner", f"resource \"terraform_data\" \"{x}\" {{\n  input = {g.value('resource')}\n  provisioner \"local-exec\" {{\n    command = {g.value('provisioner', 's')}\n    environment = {{\n      A = {g.s(1)}\n    }}\n  }}\n}}\n")

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
            text = f"resource \"terraform_data\" \"{x}\" {{\n  input = 1\n  provisioner \"local-exec\" {{\n    command = {h.value('provisioner', 's')}\n    environment = {{\n      A = {h.s(1)}\n    }}\n  }}\n}}\n"
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
            bare = Gen(self.rng, self.seen)
            bare.names["s"] = ["var.free"] + [f"run.r{earlier}.driven" for earlier in range(at)]
            free = f"    free = {bare.value('test variables', 's', 2)}\n" if self.rng.randrange(2) else ""
            asserts = ""
            for _ in range(self.rng.randrange(1, 3)):
                test, message = self.condition(g, "test assert")
                asserts += f"  assert {{\n    condition = {test}\n    error_message = {message}\n  }}\n"
            runs.append(f"run \"r{at}\" {{\n  command = plan\n  variables {{\n    env = \"{self.rng.choice('ab')}\"\n{free}  }}\n{asserts}}}\n")
        self.add(m, "test", "TEST" + x + "\nvariables {\n  free = \"file\"\n}\n" + "".join(runs))

    def imported(self, m, g, x):
        g.place = "import"
        test = self.rng.choice(["var.env == \"a\"", "var.env == \"b\"", "true"])
        outer = Gen(self.rng, self.seen)
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
        free = Gen(self.rng, self.seen)
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
                documents.setdefault(m, {"output": {}})["output"].update(json.loads(text[4:])["output"])
            else:
                texts[m].append(text)
        for m in self.modules:
            texts[m][:0] = [self.head(m)]
            out[f"{m}/main.tf"] = "\n".join(texts[m])
            out[f"{m}/s.tfstate"] = json.dumps({"version": 4, "terraform_version": "1.6.0", "serial": 1, "lineage": "x", "outputs": {"o": {"value": "s", "type": "string"}}, "resources": []})
        out["n0/main.tf"] = "variable \"a\" {}\noutput \"a\" {\n  value = var.a\n}\n"
        if self.minor >= 10:
            out["n1/main.tf"] = N1
        calls = []
        for m in self.modules:
            v = self.values[m]
            pick = lambda pair: f"var.env == \"a\" ? {pair[0]} : {pair[1]}"
            args = f"  v = {pick([quote(t) for t in v['v']])}\n  n = {pick(v['n'])}\n  b = {pick(v['b'])}\n"
            if self.minor >= 10:
                args += f"  ev = {pick([quote(t) for t in v['v']])}\n"
            calls.append(f"module \"{m}\" {{\n  source = \"./{m}\"\n{args}  free = var.free\n}}\n")
        head = "variable \"env\" {\n  type = string\n}\nvariable \"free\" {\n  type = string\n  default = \"f\"\n}\n" + "".join(calls)
        head += "resource \"terraform_data\" \"d0\" {\n  input = var.env == \"a\" ? \"da\" : \"d b\\n\"\n}\nresource \"terraform_data\" \"d1\" {\n  count = 2\n  input = var.env == \"a\" ? \"1\" : \"2\"\n}\nresource \"terraform_data\" \"e0\" {\n  input = 1\n}\noutput \"driven\" {\n  value = module.m0.ov\n}\n"
        out["main.tf"] = "\n".join([head] + texts["root"])
        for m, document in documents.items():
            out[("" if m == "root" else m + "/") + "more.tf.json"] = json.dumps(document, indent=1)
        driven = set().union(*self.driven.values())
        pins = ["p0", "d0", "d1"] + [p for k, p in (("n", "q0"), ("b", "b0")) if k in driven]
        out["phi.hcl"] = "".join(f"specialize \"terraform_data.{p}\" {{\n  fields = [\"input\"]\n{'  at = ' + chr(34) + 'resource' + chr(34) + chr(10) if self.at_resource else ''}}}\n" for p in pins) + "variable \"env\" {\n  universe = [\"a\", \"b\"]\n}\n"
        for m in self.crlf:
            path = "main.tf" if m == "root" else f"{m}/main.tf"
            out[path] = out[path].replace("\n", "\r\n")
        return out

    def head(self, m):
        pins = {"v": "p0", "n": "q0", "b": "b0"}
        head = "".join(f"variable \"{k}\" {{\n  type = {t}\n}}\n" for k, t in [("v", "string"), ("n", "number"), ("b", "bool"), ("free", "string")])
        if self.minor >= 10:
            head += "variable \"ev\" {\n  type = string\n  ephemeral = true\n}\n"
        for k in sorted(self.driven[m] | {"v"}):
            head += f"resource \"terraform_data\" \"{pins[k]}\" {{\n  input = var.{k}\n}}\n"
        head += "resource \"terraform_data\" \"c0\" {\n  count = 2\n  input = \"c${count.index}\"\n}\n"
        head += "locals {\n  lv = \"<${var.v}>\"\n  ln = var.n + 1\n  lb = var.v == \"small\"\n  ll = [var.v, \"z\"]\n  lm = { (var.v) = \"1\", k = var.free }\n}\n"
        head += "output \"ov\" {\n  value = var.v\n}\noutput \"on\" {\n  value = local.ln\n}\noutput \"ob\" {\n  value = var.b\n}\noutput \"ol\" {\n  value = local.ll\n}\n"
        return head
