"""What tf-phi and its peers say of the arguments of a root module: each in a process of its own, with what it takes of the processor and of memory."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

from peers_values import at_path, has_part

PHI = os.environ["TF_PHI"]
ENV = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PHI_"))} | {"NO_COLOR": "1", "TF_PHI_TRACKED_ONLY": "0"}
SECONDS = "300"
# Trivy and tfparse put a number of their own for what a provider says, and Checkov leaves an expression as it is written.
OWN_NUMBER = re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}")
EXPRESSION = re.compile(r"\$\{|%\{|\b(var|local|data|module|each|count|path|self|terraform)\.\w|^\w+\(.*\)|\w\[|\? .* :|\bfor \w+|==|!=|&&|\|\||^[a-z]\w+\.\w+\.", re.S)
# Trivy prints no values; a check of one's own does.
REGO = """# METADATA
# custom:
#   id: VALUES
#   input:
#     selector:
#       - type: terraform-raw
package user.values
import rego.v1
deny contains res if {
  some m in input.modules
  some b in m.blocks
  b.kind == "resource"
  res := result.new(json.marshal(b), b)
}
"""
TFPARSE = "import json, sys, tfparse; print(json.dumps(tfparse.load_from_path(sys.argv[1], vars_paths=sys.argv[2:])))"
CHECKOV = """import json, os, sys
from checkov.common.graph.db_connectors.networkx.networkx_db_connector import NetworkxConnector
from checkov.terraform.graph_manager import TerraformGraphManager
files = [os.path.join(sys.argv[1], name) for name in sys.argv[2:]]
graph, _ = TerraformGraphManager(db_connector=NetworkxConnector()).build_graph_from_source_directory(sys.argv[1], vars_files=files)
print(json.dumps([v.attributes for v in graph.vertices if v.block_type == "resource"], default=str))
"""


def run(words, folder):
    """Its output, processor seconds, MiB; an empty text where it fails."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(["timeout", SECONDS, *words], cwd=folder, env=ENV, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        text = out.read().decode(errors="replace")
        if child.returncode or not text.strip():
            print("%s fails at %s: %s" % (words[0], folder, err.read().decode(errors="replace")[-400:]), flush=True)
            text = ""
        return text, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def is_own(value):
    return value is None or isinstance(value, str) and ("${" in value or bool(OWN_NUMBER.search(value))) or isinstance(value, dict) and "__attribute__" in value


class TfPhi:
    """By environments in `phi.hcl`, as its users name them."""

    name = "tf-phi"

    def __init__(self, tree, root, number, files, venv):
        text, self.seconds, self.memory = run([PHI, "matrix", "--all", "--format", "json", "--env", "e%d" % number], tree / root)
        rows = json.loads(text)["rows"] if text else []
        self.cells = {row["field"]: next(iter(row["cells"].values()), {}) for row in rows}

    def cell(self, address, path):
        keys = "".join(re.findall(r'\[(?:"(?:[^"\\]|\\.)*"|\d+)\]', address))
        found = self.cells.get(re.sub(r'\[(?:"(?:[^"\\]|\\.)*"|\d+)\]', "", address) + "." + path, {"result": "no row"})
        return found["instances"].get(keys, {"result": "no instance"}) if found.get("result") == "instances" else found

    def candidates(self, address, path):
        found = self.cell(address, path)
        return [found["value"]] if found.get("result") == "resolved" and "value" in found else []

    def is_unknown(self, value):
        return has_part(value, lambda part: part == {"sensitive": True})


class Tfparse:
    name = "tfparse"

    def __init__(self, tree, root, number, files, venv):
        text, self.seconds, self.memory = run([str(venv / "bin/python"), "-c", TFPARSE, str(tree / root), *files], tree)
        every = [one for kind in (json.loads(text) if text else {}).values() for one in kind]
        self.found = {one["__tfmeta"]["path"]: one for one in every if one["__tfmeta"].get("type") == "resource"}

    def candidates(self, address, path):
        return [at_path(self.found.get(address), path)]

    def is_unknown(self, value):
        return has_part(value, is_own)


class Trivy(Tfparse):
    name = "Trivy"

    def __init__(self, tree, root, number, files, venv):
        check = tree.parent / "values.rego"
        check.write_text(REGO)
        words = [str(venv / "bin/trivy"), "config", "--raw-config-scanners", "terraform", "--misconfig-scanners", "terraform", "--config-check", str(check)]
        words += ["--check-namespaces", "user", "--skip-check-update", "--skip-version-check", "--quiet", "--format", "json"]
        words += [word for name in files for word in ("--tf-vars", str((tree / root / name).resolve()))]
        text, self.seconds, self.memory = run([*words, str(tree)], tree)
        results = (json.loads(text) if text else {}).get("Results") or []
        blocks = [json.loads(told["Message"]) for result in results for told in result.get("Misconfigurations", []) if told["ID"] == "VALUES"]
        self.found = {self.address(block): plain(block) for block in blocks}

    def address(self, block):
        above = block["__defsec_metadata"].get("parent", {}).get("resource", "")
        return (above + "." if above else "") + "%s.%s" % (block["type"], block["name"])


def plain(block):
    out = {name: told.get("value") if told.get("known") else None for name, told in (block.get("attributes") or {}).items()}
    for inner in block.get("blocks") or []:
        out.setdefault(inner.get("type") or inner.get("kind"), []).append(plain(inner))
    return out


class Checkov(Tfparse):
    name = "Checkov"

    def __init__(self, tree, root, number, files, venv):
        text, self.seconds, self.memory = run([str(venv / "bin/python"), "-c", CHECKOV, str(tree / root), *files], tree)
        self.found = {one.get("__address__"): one for one in (json.loads(text.splitlines()[-1]) if text else [])}

    def candidates(self, address, path):
        value = at_path(self.found.get(address), path)
        return [value, value[0]] if isinstance(value, list) and len(value) == 1 else [value]

    def is_unknown(self, value):
        return has_part(value, lambda part: part is None or isinstance(part, str) and bool(EXPRESSION.search(part)))


PEERS = [TfPhi, Tfparse, Trivy, Checkov]
VENV = pathlib.Path(os.environ.get("PEERS_VENV", "target/peers")).resolve()
