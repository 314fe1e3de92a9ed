"""Items that half of the random trees have: declarations in JSON that have to become native, and the places that the others lack.

Each method adds items to a tree, as those of `grammar_gen.Tree` do.
"""

import json

# Hands what a local-exec provisioner would run to a log in place of running it.
LOGGED = '["/bin/sh", "-c", "printf \'%s|%s\\\\0\' \\"$1\\" \\"$A\\" >> log.bin", "sh"]'


def template(expression):
    """An expression as JSON has it; the end of a heredoc stands on a line of its own."""
    return "${" + expression + ("\n}" if expression.endswith("EOT") else "}")


class WideItems:
    """The items of a wide tree."""

    def declared(self, m, g, x):
        """A resource in JSON that has to be split, so that tf-phi asks for it in native syntax."""
        g.place = "JSON declaration"
        plain = g.value("JSON declaration", "any", 2)
        kind = self.rng.randrange(4)
        value = [template(plain), {"a": template(plain), "b c": [1, None, "t"]}, [template(plain), True], "t " + g.body(2, 0, False)][kind]
        own = {"input": value}
        if kind == 0 and self.rng.randrange(2):
            own["triggers_replace"] = [template(g.s(1)), 1.5]
        if self.rng.randrange(3) == 0:
            own["count"] = template(f"{g.b(1)} ? 1 : 2")
        life = {"prevent_destroy": template("var.env == \"a\"" if m == "root" else f"var.{self.rng.choice('b' if 'b' in self.driven[m] else 'v')}"
                                            + ("" if "b" in self.driven[m] else " == \"small\""))}
        if self.rng.randrange(2) == 0:
            test, message = self.condition(g, "JSON precondition")
            life["precondition"] = [{"condition": template(test), "error_message": template(message)}]
        own["lifecycle"] = life
        if self.rng.randrange(4) == 0:
            own["depends_on"] = ["terraform_data.e0" if m == "root" else "terraform_data.p0"]
        if self.rng.randrange(2) == 0:
            own["provisioner"] = [{"local-exec": {"command": template(g.value("JSON provisioner", "s", 3)), "interpreter": json.loads(LOGGED)}}]
        self.add(m, "JSON declaration", "JSON" + json.dumps({"resource": {"terraform_data": {x: own}}}))
        self.add(m, "JSON declaration", f"output \"{x}\" {{\n  value = terraform_data.{x}\n}}\n")

    def called(self, m, g, x):
        """A call in JSON, of a module that has a driven resource."""
        g.place = "JSON call"
        own = {"source": "../n2" if m != "root" else "./n2", "a": template(g.value("JSON call", "any", 2)), "v": "t " + g.body(2, 0, False),
               "w": template("module.m0.ov" if m == "root" else "var.v")}
        if self.rng.randrange(3) == 0:
            own["count"] = template(f"{g.b(1)} ? 1 : 0")
        self.add(m, "JSON call", "JSON" + json.dumps({"module": {x: own}}))

    def each(self, m, g, x):
        """What instances have of their own, in all that a block takes."""
        own = self.gen(m)
        if self.rng.randrange(2):
            g.place = own.place = "for_each"
            over = f"{g.l(1)}" if self.rng.randrange(2) else f"[{g.s(1)}]"
            repeat = f"for_each = {{ for i, e in {over} : \"k${{i}}\" => e }}"
            own.names["s"] += ["each.value", "each.key"]
        else:
            g.place = own.place = "count"
            repeat = f"count = {g.b(1)} ? 2 : 1"
            own.names["n"] += ["count.index", "count.index"]
        if self.rng.randrange(2):
            source = "../n2" if m != "root" else "./n2"
            text = f"module \"{x}\" {{\n  source = \"{source}\"\n  {repeat}\n  a = {own.value('repeated module')}\n  v = {own.value('repeated module', 's')}\n  w = {'module.m0.ov' if m == 'root' else 'var.v'}\n}}\n"
        else:
            life = ""
            if self.rng.randrange(2):
                test, message = self.condition(own, "repeated precondition")
                life = f"  lifecycle {{\n    precondition {{\n      condition = {test}\n      error_message = {message}\n    }}\n  }}\n"
            text = f"resource \"terraform_data\" \"{x}\" {{\n  {repeat}\n  input = {own.value('repeated')}\n{life}}}\n"
        self.add(m, "each", text)

    def itself(self, m, g, x):
        """`self`, in conditions and provisioners."""
        own = self.gen(m)
        own.names["s"] += ["self.input", "self.input"]
        test, message = self.condition(own, "postcondition")
        command, more = own.value("provisioner", "s"), own.s(1)
        own.place = "connection"
        host = own.s(2)
        self.add(m, "self", f"resource \"terraform_data\" \"{x}\" {{\n  input = {g.value('resource', 's')}\n  connection {{\n    host = {host}\n  }}\n  provisioner \"local-exec\" {{\n    interpreter = {LOGGED}\n    command = {command}\n    environment = {{\n      A = {more}\n    }}\n  }}\n  lifecycle {{\n    postcondition {{\n      condition = {test}\n      error_message = {message}\n    }}\n  }}\n}}\n")

    def asked(self, m, g, x):
        """A data source with instances and conditions, and one within a check."""
        test, message = self.condition(g, "data condition")
        kind = self.rng.choice(["precondition", "postcondition"])
        g.place = "data"
        defaults = f"  backend = \"local\"\n  config = {{\n    path = \"${{path.module}}/s.tfstate\"\n  }}\n  defaults = {{\n    a = {g.any(3)}\n  }}\n"
        if self.rng.randrange(2):
            self.add(m, "data", f"data \"terraform_remote_state\" \"{x}\" {{\n  count = {g.b(2)} ? 1 : 0\n{defaults}  lifecycle {{\n    {kind} {{\n      condition = {test}\n      error_message = {message}\n    }}\n  }}\n}}\noutput \"{x}\" {{\n  value = data.terraform_remote_state.{x}[*].outputs\n}}\n")
        else:
            self.add(m, "data", f"check \"{x}\" {{\n  data \"terraform_remote_state\" \"{x}\" {{\n{defaults}  }}\n  assert {{\n    condition = {test}\n    error_message = {message}\n  }}\n}}\n")

    def rare(self, m, g, x):
        """The places that have few expressions otherwise."""
        if m == "root":
            return self.test(m, g, x)
        return self.rng.choice([self.ephemeral, self.repeated, self.data] if self.minor >= 10 else [self.repeated, self.data])(m, g, x)

    def circle(self, m, g, x):
        """What uses outputs of a module and is handed to it."""
        self.add(m, "circle", f"resource \"terraform_data\" \"{x}\" {{\n  input = [module.m0.ov, {g.value('resource')}\n]\n}}\n")
        self.circles.append(f"terraform_data.{x}.output")

    def replaced(self, m, g, x):
        """What a replacement hangs on, by key."""
        g.place = "count"
        to = "d1[count.index]" if m == "root" else "c0[count.index]"
        self.add(m, "replace_triggered_by", f"resource \"terraform_data\" \"{x}\" {{\n  count = {g.b(1)} ? 2 : 1\n  input = {g.value('resource')}\n  lifecycle {{\n    replace_triggered_by = [terraform_data.{to}]\n  }}\n}}\n")
