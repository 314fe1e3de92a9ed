//! What uses one output of a split module and is handed to another of its arguments: Terraform orders single outputs, and whole modules.

use crate::support::Scratch;
use crate::written::equal;

const VARIABLE: &str = "variable \"env\" {\n  type = string\n}\n";

/// A module with a driven value and one that isn't.
const SIDES: &str = "variable \"v\" {}\nvariable \"x\" {}\nresource \"terraform_data\" \"p\" {\n  input = var.v\n}\n\
    resource \"terraform_data\" \"q\" {\n  input = var.x\n}\noutput \"v\" {\n  value = var.v\n}\noutput \"x\" {\n  value = terraform_data.q.input\n}\n";

const PIN: &str = "specialize \"terraform_data.p\" {\n  fields = [\"input\"]\n}\n\
    variable \"env\" {\n  universe = [\"a\", \"b\", \"c\"]\n}\n";

/// A state without anything, for a data source.
const STATE: &str = "{\"version\": 4, \"terraform_version\": \"1.6.0\", \"serial\": 1, \"lineage\": \"x\", \"outputs\": {\"o\": {\"value\": 1, \"type\": \"number\"}}, \"resources\": []}";

const EACH: &[&[&str]] = &[&["-var=env=a"], &["-var=env=b"], &["-var=env=c"]];

/// A root with a split call `m`, what it is given as `x`, and more.
fn tree(x: &str, more: &str) -> String {
    let driven = "{ a = \"x\", b = \"y\", c = \"x\" }[var.env]";
    format!("{VARIABLE}module \"m\" {{\n  source = \"./m\"\n  v = {driven}\n  x = {x}\n}}\n{more}")
}

#[test]
fn an_output_leads_to_an_argument_of_its_own_call() {
    let resource = "resource \"terraform_data\" \"a\" {\n  input = \"<${module.m.v}>\"\n}\n";
    let named = format!("locals {{\n  l = {{ k = terraform_data.a.input }}\n}}\n{resource}");
    let other = "module \"n\" {\n  source = \"./n\"\n  i = module.m.v\n}\n";
    for (x, more) in [
        ("terraform_data.a.output", resource),
        ("local.l.k", &named),
        ("module.n.o", other),
        ("[for i in [module.m.v] : upper(i)]", "output \"o\" {\n  value = [module.m.v, module.m.x]\n}\n"),
    ] {
        let main = tree(x, more);
        let n = "variable \"i\" {}\noutput \"o\" {\n  value = var.i\n}\n";
        let written =
            equal(&[("main.tf", &*main), ("m/main.tf", SIDES), ("n/main.tf", n), ("phi.hcl", PIN)], EACH);
        assert!(written.contains(" in [0] : module.m_"), "{written}");
    }
}

/// The way back leads through the module that holds both.
#[test]
fn an_output_leads_to_an_argument_by_way_of_the_caller() {
    let main = format!(
        "{VARIABLE}module \"a\" {{\n  source = \"./a\"\n  env = var.env\n  back = terraform_data.r.output\n}}\n\
         resource \"terraform_data\" \"r\" {{\n  input = module.a.there\n}}\n"
    );
    let a = format!(
        "variable \"back\" {{}}\n{}output \"there\" {{\n  value = terraform_data.t.input\n}}\n",
        tree("var.back", "resource \"terraform_data\" \"t\" {\n  input = module.m.v\n}\n")
            .replace("./m", "../m")
    );
    equal(&[("main.tf", &*main), ("a/main.tf", &*a), ("m/main.tf", SIDES), ("phi.hcl", PIN)], EACH);
}

/// A data source in a `check` waits for every resource, and its module with it.
#[test]
fn a_data_source_in_a_check_waits_for_every_resource() {
    let more = "resource \"terraform_data\" \"a\" {\n  input = module.m.v\n}\noutput \"o\" {\n  value = module.m.v\n}\n";
    let check = "check \"c\" {\n  data \"terraform_remote_state\" \"s\" {\n    backend = \"local\"\n    config = {\n      path = \"${path.module}/s.tfstate\"\n    }\n  }\n  assert {\n    condition = var.v != \"z\"\n    error_message = \"No.\"\n  }\n}\n";
    let module = format!("{SIDES}{check}");
    let files =
        [("main.tf", &*tree("1", more)), ("m/main.tf", &*module), ("m/s.tfstate", STATE), ("phi.hcl", PIN)];
    equal(&files, EACH);
}

/// Outputs of calls without a circle are joined as before.
#[test]
fn without_a_circle_the_short_form_is_written() {
    let main = tree("1", "resource \"terraform_data\" \"a\" {\n  input = module.m.v\n}\n");
    let written = equal(&[("main.tf", &*main), ("m/main.tf", SIDES), ("phi.hcl", PIN)], &[&["-var=env=a"]]);
    assert!(written.contains("input = one(concat(module.m_x[*].v, module.m_y[*].v))"), "{written}");
}

/// Of a call with `count` there is no such form yet: it is refused before anything is written.
#[test]
fn a_counted_call_in_a_circle_is_refused() {
    let main = tree(
        "terraform_data.a.output\n  count = 1",
        "resource \"terraform_data\" \"a\" {\n  input = module.m[0].v\n}\n",
    );
    let scratch = Scratch::with(&[("main.tf", &*main), ("m/main.tf", SIDES), ("phi.hcl", PIN)]);
    scratch.init();
    scratch.terraform(&["plan", "-input=false", "-var=env=a"]).expect(0);
    let before = scratch.sources();
    let said = scratch.tf_phi(&["plan", "-input=false", "-var=env=a"]).expect(1).stderr;
    assert!(said.contains("module.m can't be split") && said.contains("what it waits for itself"), "{said}");
    assert_eq!(before, scratch.sources());
}

/// Terraform reads a data source with conditions as late as apply where it leads to a whole module in which something changes.
#[test]
fn a_data_source_with_conditions_is_read_as_early_as_before() {
    let data = |condition: &str| {
        format!(
            "data \"terraform_remote_state\" \"s\" {{\n  backend = \"local\"\n  config = {{\n    path = \"${{path.module}}/s.tfstate\"\n  }}\n  lifecycle {{\n    precondition {{\n      condition     = {condition} != \"none\"\n      error_message = \"No.\"\n    }}\n  }}\n}}\noutput \"s\" {{\n  value = data.terraform_remote_state.s.outputs\n}}\n"
        )
    };
    let counted = data("var.env")
        .replace("  backend", "  count = module.m.v == \"x\" ? 1 : 0\n  backend")
        .replace("_state.s.", "_state.s[*].");
    let local = format!("locals {{\n  l = upper(module.m.v)\n}}\n{}", data("local.l"));
    let called =
        "module \"n\" {\n  source = \"./n\"\n  i = module.m.v\n}\noutput \"n\" {\n  value = module.n.s\n}\n";
    let n = format!("variable \"i\" {{}}\n{}", data("var.i"));
    for more in [&data("module.m.v"), &counted, &local, called] {
        let main = tree("1", more);
        let files = [
            ("main.tf", &*main),
            ("m/main.tf", SIDES),
            ("n/main.tf", &*n),
            ("s.tfstate", STATE),
            ("n/s.tfstate", STATE),
            ("phi.hcl", PIN),
        ];
        equal(&files, EACH);
    }
}

/// A resource waits for what its `import` block says, and a module for its resources.
#[test]
fn an_output_leads_to_an_import_into_its_own_call() {
    let m = "variable \"v\" {}\nresource \"terraform_data\" \"p\" {\n  input = var.v\n}\n\
             resource \"terraform_data\" \"i\" {\n  for_each = toset([\"k\"])\n}\noutput \"v\" {\n  value = var.v\n}\n";
    let call = "module \"m\" {\n  source = \"./m\"\n  v = { a = \"x\", b = \"y\", c = \"x\" }[var.env]\n}\n";
    let y = "resource \"terraform_data\" \"y\" {\n  count = module.m.v == \"x\" ? 2 : 1\n}\n";
    let own = "import {\n  for_each = toset([\"k\"])\n  to = module.m.terraform_data.i[each.key]\n  id = \"id-${length(terraform_data.y)}\"\n}\n";
    let by_key = "import {\n  for_each = toset([for y in terraform_data.y : \"k\"])\n  to = module.m.terraform_data.i[each.key]\n  id = \"id\"\n}\n";
    let direct = "import {\n  to = module.m.terraform_data.i[\"k\"]\n  id = \"id-${module.m.v}\"\n}\n";
    let other = "resource \"terraform_data\" \"z\" {}\nmodule \"n\" {\n  source = \"./n\"\n  x = terraform_data.z.id\n}\n\
                 import {\n  to = terraform_data.z\n  id = \"id-${length(terraform_data.y)}\"\n}\n";
    for more in [own, by_key, direct, other] {
        let main = format!("{VARIABLE}{call}{y}{more}");
        let n = "variable \"x\" {}\nresource \"terraform_data\" \"n\" {\n  input = var.x\n}\n";
        equal(&[("main.tf", &*main), ("m/main.tf", m), ("n/main.tf", n), ("phi.hcl", PIN)], EACH);
    }
}
