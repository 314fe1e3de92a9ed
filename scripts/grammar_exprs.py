"""Random expressions that have every production of the language, each counted with the place in which it stands."""

import json

# Texts that mean something else somewhere: in a template, at its ends, beside a sequence, in a heredoc's first or last line.
TEXTS = ["small", "huge", "15.4", "", " a ", "C:\\prod \"x\"", "two\nlines", "\n", "  in\n dented\n", "{a}", "x$", "y%", "${z}", "%{if}",
         "EOT", "a\tb", "é😀", "e\u0301", "~", "}", "$", "/* c */", "# c", "[0]", "null", "-1", "a.b", "\\n", "'", "{\"Bool\": {\"a\": 1}}"]
NUMBERS = ["0", "1", "2", "-5", "1.5", "1e3", "0.1"]
BOOLS = ["true", "false"]
LITERALS = ["dir = ", "\n", "  ", " ", "a", "$", "%", "{", "}", "\"", "\\", "\t", "é", "-", "\n\n", "x\n    y", "\"Bool\": ", "~", "#", "//", "\n  "]


def quote(text):
    """A text as a quoted literal."""
    out = json.dumps(text, ensure_ascii=False)
    return out.replace("${", "$${").replace("%{", "%%{")


class Gen:
    """Makes expressions of one module."""

    def __init__(self, rng, seen, favourite=None):
        self.rng, self.seen, self.place = rng, seen, ""
        # In a wide tree, the production that it has more of, so that each comes to stand in each place. Such a tree has the productions
        # that came later as well: operations without parentheses, paths behind splats, marks, and their like.
        self.favourite, self.wide = favourite, favourite is not None
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

    def favoured(self, kind, d):
        """The tree's favourite production as an expression of a kind; nothing where another one is to stand."""
        if not self.wide or d <= 0 or not self.chance(20):
            return None
        own, make = FAVOURITES[self.favourite]
        if own == kind:
            return make(self, d)
        if kind != "s":
            return None
        return {"n": lambda: f"tostring({make(self, d)})", "b": lambda: f"({make(self, d)} ? {self.s(0)} : {self.s(0)})",
                "l": lambda: f"join(\"+\", {make(self, d)})", "m": lambda: f"jsonencode({make(self, d)})"}[own]()

    def s(self, d):
        favoured = self.favoured("s", d)
        if favoured:
            return favoured
        if d <= 0 or self.chance(30):
            return self.name_or("s", 75, self.literal)
        picks = [self.template, self.template, self.heredoc_in_parens, self.conditional("s"), self.call_s, self.parens("s"),
                 self.index_s, self.template, self.splat_s]
        return self.rng.choice(picks + [self.call_s, self.wide_s, self.wide_s] if self.wide else picks)(d)

    def wide_s(self, d):
        """A text by one of the productions of wide trees."""
        return self.rng.choice(WIDE)[1](self, d)

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

    def index_s(self, d, kind=None):
        kind = self.rng.randrange(4) if kind is None else kind
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
        favoured = self.favoured("n", d)
        if favoured:
            return favoured
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
        text = f"{left(d - 1)}{self.inline()}{op}{self.inline()}{right(d - 1)}"
        if self.wide and self.chance(50):
            self.used("operation without parentheses")
            return text
        return f"({text})"

    def b(self, d):
        favoured = self.favoured("b", d)
        if favoured:
            return favoured
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
        favoured = self.favoured("l", d)
        if favoured:
            return favoured
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

    def in_for(self, d, start, end, tested=False):
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
        if tested or self.chance(40):
            self.used("if of a for")
            test = f" if {self.b(d - 1)}"
        self.bound.pop()
        return f"{start}{g()}for {'fk, fv' if two else 'fv'} in {over} :{g()}{key}{result}{group}{test}{g()}{end}"

    def grouped(self, d):
        return self.in_for(d, "{", "}")

    def m(self, d):
        favoured = self.favoured("m", d)
        if favoured:
            return favoured
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


def counted_s(production, make):
    def made(g, d):
        g.used(production)
        return make(g, d)
    return production, made


def marked(g, d):
    """Mostly a literal: what is driven and secret is refused."""
    return g.s(d - 1) if g.chance(10) else g.literal()


# Productions that give a text, which wide trees alone have.
WIDE = [
    counted_s("heredoc in brackets", lambda g, d: f"[{g.heredoc(d - 1)}\n, {g.s(d - 1)}\n][0]"),
    counted_s("heredoc as a member", lambda g, d: f"{{\n  a = {g.heredoc(d - 1)}\n  b = {g.s(d - 1)}\n}}.a"),
    counted_s("heredoc as an argument", lambda g, d: f"upper({g.heredoc(d - 1)}\n)"),
    counted_s("path behind a splat", lambda g, d: f"join(\",\", [{{ a = {{ b = [{g.s(d - 1)}] }} }}][*].a.b[0])"),
    counted_s("splat of a splat", lambda g, d: f"join(\",\", flatten([{{ a = [{{ b = {g.s(d - 1)} }}] }}][*].a[*].b))"),
    counted_s("conditional in a conditional",
              lambda g, d: f"({g.b(d - 1)} ? {g.s(d - 1)} : {g.b(d - 1)}{g.space()}? {g.s(d - 1)} : {g.s(d - 1)})"),
    counted_s("name in unicode", lambda g, d: f"{{ é-_1 = {g.s(d - 1)} }}.é-_1"),
    counted_s("comma at the end", lambda g, d: f"{{ a = {g.s(d - 1)}, b : {g.s(d - 1)}, }}[\"b\"]"),
    counted_s("for of a for", lambda g, d: f"join(\"\", [for o in [for i in {g.l(d - 1)} : [i, {g.s(d - 1)}]] : join(\"-\", o)])"),
    counted_s("sensitive", lambda g, d: f"nonsensitive(sensitive({marked(g, d)}))"),
    counted_s("sensitive", lambda g, d: f"(issensitive(sensitive({marked(g, d)})) ? {g.s(d - 1)} : \"plain\")"),
    counted_s("terraform.workspace", lambda g, d: "terraform.workspace"),
    counted_s("path.root", lambda g, d: "path.root"),
    counted_s("function of a provider", lambda g, d: f"provider::terraform::encode_expr({g.any(d - 1)})"),
    counted_s("one alone in a template", lambda g, d: f"\"${{{g.s(d - 1)}}}\""),
]


def operations(operators, left, right, kind):
    """Favourites for each operator of a kind."""
    return {f"operator {op}": (kind, lambda g, d, op=op: g.operation([op], getattr(g, left), right and getattr(g, right) or (lambda _: "2"), d))
            for op in operators}


def keyed(production, key):
    """An object with a key of one form."""
    def made(g, d):
        g.used("object")
        g.used(production)
        return "{ " + key(g, d) + f" = {g.s(d - 1)} }}"
    return production, ("m", made)


# The production that a wide tree has more of: what kind of value it gives, and how it is made.
FAVOURITES = {production: ("s", make) for production, make in WIDE} | dict([
    keyed("quoted key", lambda g, d: "\"q 1\""),
    keyed("key in parentheses", lambda g, d: f"({g.s(d - 1)})"),
    keyed("template as a key", lambda g, d: f"\"t${{{g.s(0)}}}\""),
]) | {
    "attribute": ("s", lambda g, d: g.index_s(d, 2)),
    "index by number": ("s", lambda g, d: g.index_s(d, 0)),
    "index by key": ("s", lambda g, d: g.index_s(d, 1)),
    "legacy index": ("s", lambda g, d: g.index_s(d, 3)),
    "splat": ("s", lambda g, d: g.splat_s(d)),
    "template": ("s", lambda g, d: g.template(d)),
    "heredoc": ("s", lambda g, d: g.heredoc_in_parens(d)),
    "for tuple": ("l", lambda g, d: g.in_for(d, "[", "]", True)),
    "for object": ("m", lambda g, d: g.in_for(d, "{", "}", True)),
    "expanded arguments": ("s", lambda g, d: f"format({g.used('expanded arguments') and ''}\"%s%s\", [{g.s(d - 1)}, {g.s(d - 1)}]...)"),
    "operator !": ("b", lambda g, d: g.counted("operator !", f"!{g.b(0)}")),
    "operator unary -": ("n", lambda g, d: g.counted("operator unary -", f"-{g.n(0)}")),
    "null": ("b", lambda g, d: g.counted("null", f"({g.s(d - 1)} == null)")),
} | operations(["+", "-", "*"], "n", "n", "n") | operations(["/", "%"], "n", None, "n") | operations(["<", ">", "<=", ">="], "n", "n", "b") \
    | operations(["==", "!="], "s", "s", "b") | operations(["&&", "||"], "b", "b", "b")
