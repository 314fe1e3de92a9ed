"""The GitHub action: `prepare` finds or installs tf-phi, `run` does the work. Input: environment variables alone.

Nothing of the tree is executed by it but what Terraform runs where a plan is asked for. Needs Python 3.9 and nothing besides.
"""

import sys

import inputs
import install
import modes
import publish
from runner import Fault, Runner


def prepare(runner):
    """Says which binary will run, and whether it has to be built; both are outputs of the step."""
    asked = inputs.read(runner)
    binary, build = install.prepare(runner, asked)
    runner.output("binary", binary)
    runner.output("build", "true" if build else "false")
    runner.output("folder", str(install.folder(runner)))
    runner.output("key", install.key(runner))


def run(runner):
    """Runs the mode over all directories, and reports. Gives the exit status."""
    asked = inputs.read(runner)
    binary = install.ensure(runner, asked)
    directories = inputs.directories(runner, asked)
    result = modes.run(runner, asked, binary, directories)
    return publish.publish(runner, asked, result)


def main(words):
    """The exit status of the step."""
    runner = Runner()
    steps = {"prepare": prepare, "run": run}
    if len(words) != 1 or words[0] not in steps:
        print("usage: action prepare|run", file=sys.stderr)
        return 2
    try:
        return steps[words[0]](runner) or 0
    except Fault as fault:
        runner.annotate("error", str(fault))
        runner.summary("### tf-phi stopped\n\n%s\n" % runner.code(str(fault), 1000))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
