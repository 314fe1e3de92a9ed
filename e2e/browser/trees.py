"""The pages that are looked at: of a tree with several environments, of hostile names, and of many rows."""

import os
import pathlib
import subprocess

BINARY = os.environ.get("TF_PHI_UNDER_TEST", "")
TERRAFORM = os.environ.get("TF_PHI_TERRAFORM", "")

PHI = '''specialize "terraform_data.postgres" {
  fields = ["input.engine_version"]
}
'''
ROOT = '''variable "stage" {
  type = string
}
variable "replicas" {
  type    = number
  default = 0
}
variable "zones" {
  type    = set(string)
  default = ["eu-central-1a"]
}
variable "password" {
  type      = string
  sensitive = true
  default   = "hunter2"
}

module "database" {
  source         = "./modules/postgres"
  engine_version = var.stage == "prod" ? "15.4" : "14.9"
  size           = var.stage == "prod" ? "db.r6g.xlarge" : "db.t4g.medium"
}

resource "terraform_data" "replica" {
  count            = var.replicas
  input            = { zone = "eu-central-1a", number = count.index }
  triggers_replace = "14"
}

resource "terraform_data" "subnet" {
  for_each = var.zones
  input    = { zone = each.key, cidr = cidrsubnet("10.0.0.0/16", 8, length(each.key)) }
}

resource "terraform_data" "session" {
  input = { timeout = var.stage == "prod" ? 900 : 3600, secret = var.password, database = module.database.id }
}
'''
MODULE = '''variable "engine_version" {}
variable "size" {}

resource "terraform_data" "postgres" {
  input = {
    engine_version = var.engine_version
    size           = var.size
  }
}

output "id" {
  value = terraform_data.postgres.id
}
'''
ENVIRONMENTS = {
    "dev": 'stage = "dev"\n',
    "staging": 'stage    = "staging"\nreplicas = 1\n',
    "prod": 'stage    = "prod"\nreplicas = 3\nzones    = ["eu-central-1a", "eu-central-1b"]\n',
}
EVIL = "<img src=x onerror=alert(1)>"
EVIL_END = "</script></style></title><script>alert(2)</script>\"'>"


class Tree:
    def __init__(self, folder, files):
        self.folder = pathlib.Path(folder)
        for name, text in files.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def call(self, *words, env=None, fails=False):
        known = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "CHECKPOINT_DISABLE": "1", "TF_PHI_TERRAFORM": TERRAFORM,
                 "GIT_CONFIG_NOSYSTEM": "1", "TF_CLI_CONFIG_FILE": os.devnull}
        done = subprocess.run(words, cwd=self.folder, env={**known, **(env or {})}, capture_output=True, text=True)
        assert fails or done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def page(self, name, *words, fails=False):
        path = self.folder / "pages" / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(self.call(BINARY, *words, "--format", "html", fails=fails))
        return path

    def commit(self):
        self.call("git", "init", "-q")
        self.write(".gitignore", "pages/\n.terraform*\n*.tfstate*\nterraform.tfstate.d/\n")
        self.call("git", "add", "-A")
        self.call("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "base")


def shop(folder):
    """A tree with state, and a change that destroys, replaces, changes and adds."""
    files = {"main.tf": ROOT, "modules/postgres/main.tf": MODULE, "phi.hcl": PHI}
    files |= {f"env/{name}.tfvars": text for name, text in ENVIRONMENTS.items()}
    files["phi.hcl"] += "".join(
        f'environment "{name}" {{\n  workspace = "{name}"\n  var_files = ["env/{name}.tfvars"]\n}}\n' for name in ENVIRONMENTS
    )
    tree = Tree(folder, files)
    tree.commit()
    pages = {
        "matrix": tree.page("matrix", "matrix", "--all"),
        "graph": tree.page("graph", "graph", "module.database.terraform_data.postgres.input.engine_version", "--env", "prod"),
        "graphs": tree.page("graphs", "graph", "terraform_data.session"),
    }
    if TERRAFORM:
        tree.call(TERRAFORM, "init", "-input=false")
        for name in ENVIRONMENTS:
            tree.call(TERRAFORM, "workspace", "new", name)
            tree.call(TERRAFORM, "apply", "-auto-approve", "-input=false", f"-var-file=env/{name}.tfvars")
        tree.call(TERRAFORM, "workspace", "select", "default")
    changed = ROOT.replace('? "15.4"', '? "16.2"').replace('triggers_replace = "14"', 'triggers_replace = "16"')
    changed = changed.replace('? 900 : 3600', '? 900 : tonumber("an hour")')
    changed += 'resource "terraform_data" "audit" {\n  input = var.stage\n}\n'
    tree.write("main.tf", changed)
    tree.write("env/prod.tfvars", ENVIRONMENTS["prod"].replace("replicas = 3", "replicas = 2").replace(', "eu-central-1b"', ""))
    pages["statically"] = tree.page("statically", "review", "--base", "HEAD")
    if TERRAFORM:
        tree.write("main.tf", changed.replace('tonumber("an hour")', "1800"))
        pages["review"] = tree.page("review", "review", "--base", "HEAD", "--plan", "--jobs", "2")
    return pages


def hostile(folder):
    """A tree in which every name and value is markup."""
    quote = lambda text: text.replace("\\", "\\\\").replace('"', '\\"')
    root = f'''variable "v" {{
  type = string
}}
resource "terraform_data" "x" {{
  for_each = toset([var.v, "{quote(EVIL)}"])
  input    = {{ "{quote(EVIL_END)}" = var.v == "{quote(EVIL)}" ? "{quote(EVIL_END)}" : "b" }}
}}
resource "terraform_data" "y" {{
  input = var.v == "a" ? tonumber("{quote(EVIL)}") : 1
}}
'''
    phi = "".join(
        f'environment "{name}" {{\n  variables = {{ v = "{value}" }}\n}}\n'
        for name, value in [(quote(EVIL), "a"), (quote(EVIL_END), quote(EVIL_END))]
    )
    tree = Tree(folder, {"main.tf": root, "phi.hcl": phi})
    tree.commit()
    pages = {
        "hostile matrix": tree.page("matrix", "matrix", "--all"),
        "hostile graph": tree.page("graph", "graph", "terraform_data.x"),
    }
    tree.write("main.tf", root.replace(': "b"', f': "{quote(EVIL)}c"').replace("1\n}", f'tonumber("{quote(EVIL_END)}")\n}}'))
    pages["hostile review"] = tree.page("review", "review", "--base", "HEAD")
    for name in ["a", EVIL]:
        tree.write(f"roots/{name}/main.tf", root)
        tree.write(f"roots/{name}/phi.hcl", phi)
    pages["hostile roots"] = tree.page("roots", "matrix", "--recursive", "roots")
    return pages


def roots(folder):
    """Four root modules in one page: two that differ in two environments, one that doesn't, one that can't be read."""
    call = 'variable "stage" {}\nmodule "database" {\n  source         = "../../modules/postgres"\n  engine_version = var.stage\n  size           = "s"\n}\n'
    files = {"modules/postgres/main.tf": MODULE, "live/quiet/main.tf": "locals {}\n"}
    for name in ["app", "shop"]:
        files |= {f"live/{name}/main.tf": call, f"live/{name}/env/dev.tfvars": 'stage = "14"\n', f"live/{name}/env/prod.tfvars": 'stage = "15"\n'}
    tree = Tree(folder, files)
    tree.commit()
    tree.write("modules/postgres/main.tf", MODULE.replace("= var.engine_version", '= "v${var.engine_version}"'))
    tree.write("live/app/main.tf", call + 'resource "terraform_data" "x" {\n  input = parseint(var.stage, 2)\n}\n')
    tree.write("live/torn/main.tf", "locals {\n")
    return {"roots": tree.page("roots", "review", "--base", "HEAD", "--recursive", "live", fails=True)}


def many(folder, rows):
    """A matrix of so many fields."""
    each = "".join(
        f'resource "terraform_data" "service_{n}" {{\n  input = var.stage == "prod" ? "r6g.{n}xlarge" : "t4g.{n}medium"\n}}\n'
        for n in range(rows)
    )
    files = {"main.tf": 'variable "stage" {\n  type = string\n}\n' + each}
    files |= {f"env/{name}.tfvars": f'stage = "{name}"\n' for name in ["dev", "qa", "staging", "prod"]}
    return Tree(folder, files).page("many", "matrix")
