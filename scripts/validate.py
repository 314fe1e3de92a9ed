"""Judges `tf-phi validate` by real plans of random trees.

Sound: each finding's witness makes `terraform plan` stop, at the finding's file and line. Complete: of each input that is meant
and that `terraform plan` rejects, an error is among the findings.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from validate_gen import Gen

TERRAFORM = os.environ["TF_PHI_E2E_TERRAFORM"]
TF_PHI = os.path.abspath(os.environ["TF_PHI"])
CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/validate")
ENV = {k: v for k, v in os.environ.items() if not k.startswith("TF_")}
ENV.update(TF_CLI_CONFIG_FILE="", CHECKPOINT_DISABLE="1", TF_IN_AUTOMATION="1")


def write(tree, where):
    for path, text in tree.files.items():
        path = os.path.join(where, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
    # What `terraform get` would write.
    modules = [{"Key": "", "Source": "", "Dir": "."}]
    modules += [{"Key": k, "Source": "./m", "Dir": "m"} for k in ["m", "k"] if f'module "{k}"' in tree.files["main.tf"]]
    os.makedirs(os.path.join(where, ".terraform/modules"))
    with open(os.path.join(where, ".terraform/modules/modules.json"), "w") as f:
        json.dump({"Modules": modules}, f)


class Plans:
    """Plans of one tree, each made once."""

    def __init__(self, where):
        self.where, self.known = where, {}

    def of(self, workspace, variables):
        """The errors of a plan, as (file, line, summary, text); None where it succeeds."""
        key = json.dumps([workspace, variables], sort_keys=True)
        if key not in self.known:
            given = os.path.join(self.where, "input.tfvars.json")
            with open(given, "w") as f:
                json.dump(variables, f)
            self.known[key] = plan(self.where, workspace, "input.tfvars.json")
            os.remove(given)
        return self.known[key]


    def validate(self):
        """The errors of `terraform validate`, which knows no values."""
        done = subprocess.run([TERRAFORM, "validate", "-json"], cwd=self.where, env=ENV, capture_output=True, text=True)
        said = json.loads(done.stdout)["diagnostics"]
        return errors("\n".join(json.dumps({"diagnostic": d}) for d in said))


def errors(output):
    found = []
    for line in output.splitlines():
        said = json.loads(line).get("diagnostic") if line.startswith("{") else None
        if said and said["severity"] == "error":
            place = said.get("range") or {"filename": "", "start": {"line": 0}}
            found.append((place["filename"], place["start"]["line"], said["summary"], said["detail"]))
    return found


def lines(span):
    path, _, rest = span.rpartition(":")
    first, _, last = rest.partition("-")
    return path, int(first), int(last or first)


def at(finding, error):
    """Whether a finding says what an error says. Values stand in another file than their variable here."""
    path, first, last = lines(finding["source_span"])
    in_values = error[0].startswith(("input.", "env/"))
    if in_values or path.startswith("env/"):
        # A file that can't be read is named itself.
        about_values = finding["field"].startswith("var.") or finding["field"] == path
        return about_values and error[2] == finding["error"].split(":")[0]
    return path == error[0] and first <= error[1] <= last


def judge(tree, where, seen):
    write(tree, where)
    done = subprocess.run([TF_PHI, "validate", "--format", "json"], cwd=where, env=ENV, capture_output=True, text=True)
    if done.returncode not in (0, 3) or not done.stdout.strip():
        return [f"tf-phi ended with {done.returncode}: {done.stderr[:2000]}"]
    report = json.loads(done.stdout)
    findings = report["findings"]
    # Terraform goes on after an assertion that is false.
    stopping = [f for f in findings if not f["error"].startswith("Check block assertion failed")]
    faults, plans = [], Plans(where)
    refused = plans.validate()
    if refused:
        # Terraform evaluates nothing else then.
        seen["trees that `terraform validate` refuses"] += 1
        if not any(at(f, e) for f in stopping for e in refused):
            faults.append(f"missed: {refused}")
        return faults
    seen["undecided"] += len(report["undecided"])
    wholes = tree.wholes()
    for f in stopping:
        witness = f["witness"]
        base = {v.name: v.default for v in tree.variables if v.has_default}
        found = plans.of(witness["workspace"], {**base, **witness["variables"]})
        seen["witnesses"] += 1
        if found is None:
            faults.append(f"accepted by Terraform: {json.dumps(f)}")
        elif not any(at(f, e) for e in found):
            # Terraform evaluates nothing that refers to something that fails, whether it needs it or not.
            seen["witnesses that another finding stops before"] += 1
            if os.environ.get("SHOW_BEFORE"):
                print("BEFORE", f["source_span"], f["error"], f["gate"], f["witness"], found)
            if not all(any(at(other, e) for other in stopping) for e in found):
                faults.append(f"stops elsewhere: {json.dumps(f)}; Terraform: {found}")
        elif not any(at(f, e) and e[2] == f["error"].split(":")[0] for e in found):
            seen["other summaries"] += 1
            seen[f"  {f['error'].split(':')[0]} | {[e[2] for e in found if at(f, e)][0]}"] += 1
        for name in f["environments"]:
            if plans.of(name if name in tree.workspaces else "default", wholes[name]) is None:
                faults.append(f"accepted by Terraform in {name}: {json.dumps(f)}")
    if done.returncode != 3 * any(f["severity"] == "error" for f in findings):
        faults.append(f"status {done.returncode}")
    for number, (name, workspace, variables) in enumerate(tree.inputs()):
        if number >= 40:
            seen["trees with more inputs"] += 1
            break
        found = plans.of(workspace, variables)
        seen["inputs"] += 1
        if found is None:
            continue
        seen["failing inputs"] += 1
        if not any(at(f, e) for f in stopping for e in found):
            what = "not decided" if report["undecided"] else "missed"
            seen[what] += 1
            if what == "missed":
                faults.append(f"missed: {name} {workspace} {json.dumps(variables)}: {found}")
        elif name and not any(at(f, e) for f in stopping if name in f["environments"] for e in found):
            seen["environments that aren't named"] += 1
            faults.append(f"environment {name} isn't named: {found}")
        missing = [e for e in found if not any(at(f, e) for f in stopping)]
        seen["errors"] += len(found)
        seen["errors without a finding"] += len(missing)
    return faults


def golden(case):
    """Each environment of a case of tests/validate stops where it is said to, and no other does."""
    where = tempfile.mkdtemp(prefix="tf-phi-validate-")
    try:
        shutil.copytree(os.path.join(CASES, case, "in"), where, dirs_exist_ok=True)
        with open(os.path.join(where, "main.tf")) as f:
            calls = re.findall(r'module "(\w+)" \{\n\s*source\s*=\s*"\./(\w+)"', f.read())
        modules = [{"Key": "", "Source": "", "Dir": "."}, *({"Key": k, "Source": "./" + d, "Dir": d} for k, d in calls)]
        os.makedirs(os.path.join(where, ".terraform/modules"))
        with open(os.path.join(where, ".terraform/modules/modules.json"), "w") as f:
            json.dump({"Modules": modules}, f)
        with open(os.path.join(CASES, case, "out.json")) as f:
            findings = json.load(f)["findings"]
        findings = [f for f in findings if not f["error"].startswith("Check block assertion failed")]
        folder = os.path.join(where, "env")
        files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        phi = os.path.join(where, "phi.hcl")
        if os.path.exists(phi):
            with open(phi) as f:
                # Of environments that blocks put together each finding's witness is asked.
                files = [] if re.search(r'^environment "', f.read(), re.M) else files
        faults = []
        for name in [f.split(".")[0] for f in files]:
            found = plan(where, "default", f"env/{name}.tfvars")
            named = [f for f in findings if name in f["environments"]]
            if (found is None) == bool(named):
                faults.append(f"{case}: {name}: {found}")
            faults += [f"{case}: {name}: {f['source_span']} isn't in {found}" for f in named if not any(at(f, e) for e in found or [])]
        plans = Plans(where)
        for f in findings:
            if not f["environments"] or not files:
                found = plans.of(f["witness"]["workspace"], f["witness"]["variables"])
                if not any(at(f, e) for e in found or []):
                    faults.append(f"{case}: {f['source_span']} isn't in {found}")
        return faults
    finally:
        shutil.rmtree(where)


def plan(where, workspace, values):
    """The errors of a plan, as (file, line, summary, text); None where it succeeds."""
    args = [TERRAFORM, "plan", "-json", "-input=false", "-refresh=false", "-lock=false", f"-var-file={values}"]
    done = subprocess.run(args, cwd=where, env={**ENV, "TF_WORKSPACE": workspace}, capture_output=True, text=True)
    return errors(done.stdout) if done.returncode else None


def main():
    parser = argparse.ArgumentParser()
    for name, default in [("--cases", 100), ("--seed", 1), ("--from", 0)]:
        parser.add_argument(name, type=int, default=default, dest=name.strip("-") if name != "--from" else "first")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    seen, failed = collections.Counter(), 0
    # A provider that there isn't can't be asked.
    for case in sorted(set(os.listdir(CASES)) - {"nested-blocks"}):
        faults = golden(case)
        seen["cases of tests/validate"] += 1
        failed += bool(faults)
        print("".join(f"{fault}\n" for fault in faults), end="")
    for case in range(options.first, options.first + options.cases):
        tree = Gen(options.seed * 1_000_003 + case).tree()
        where = tempfile.mkdtemp(prefix="tf-phi-validate-")
        try:
            faults = judge(tree, where, seen)
            seen["trees"] += 1
            if faults or options.show:
                failed += bool(faults)
                print(f"-- case {case}")
                for fault in faults:
                    print(f"   {fault}")
                if options.show or failed <= 3:
                    for path, text in sorted(tree.files.items()):
                        print(f"---- {path}\n{text}", end="")
            if options.keep:
                shutil.copytree(where, os.path.join(options.keep, str(case)), dirs_exist_ok=True)
        finally:
            shutil.rmtree(where)
    for what, number in sorted(seen.items()):
        print(f"{number:8} {what}")
    print(f"{failed} trees failed" if failed else "all as Terraform has it")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
