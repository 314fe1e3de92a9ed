use super::*;
use crate::host::memory::MemoryHost;

fn read(env: &[(&str, &str)], args: &[&str]) -> Result<RunArgs, Issue> {
    let args: Vec<String> = args.iter().map(|a| (*a).to_owned()).collect();
    let env = env.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let host = MemoryHost { env, ..MemoryHost::default() };
    RunArgs::read(&host, "plan", &args)
}

fn value(text: &str) -> VarArg {
    VarArg::Var(text.to_owned())
}

#[test]
fn forms_of_flags() {
    let args = ["-var", "a=b", "--var", "c=d=e", "-var=f=", "-var-file", "x.tfvars", "--var-file=y.tfvars"];
    let got = read(&[], &args).unwrap();
    let files = ["x.tfvars", "y.tfvars"].map(|f| VarArg::File(f.into()));
    let mut want = vec![value("a=b"), value("c=d=e"), value("f=")];
    want.extend(files);
    assert_eq!(got.vars, want);
    let got =
        read(&[], &["-destroy", "-out", "p", "-target=a.b", "-input=false", "-refresh-only=0", "-state=s"]);
    let got = got.unwrap();
    assert!(got.destroy && !got.refresh_only && !got.detailed_exitcode);
    assert_eq!((got.out.as_deref(), got.state.as_deref()), (Some("p"), Some("s")));
    assert_eq!(got.targets, ["a.b"]);
}

#[test]
fn a_word_that_is_no_flag_ends_them() {
    let got = read(&[], &["-lock-timeout", "3s", "plan.out", "-destroy"]).unwrap();
    assert_eq!(got.positional, ["plan.out", "-destroy"]);
    assert!(!got.destroy);
    assert_eq!(read(&[], &["-json", "--", "-x"]).unwrap().positional, ["-x"]);
}

#[test]
fn the_environment_comes_first_and_the_general_after_the_special() {
    let env = &[("TF_CLI_ARGS", "-var 'x=all of it'"), ("TF_CLI_ARGS_plan", "-var x=plan")];
    let got = read(env, &["-var", "x=me"]).unwrap();
    assert_eq!(got.vars, [value("x=plan"), value("x=all of it"), value("x=me")]);
}

#[test]
fn what_can_not_be_read_is_refused() {
    for args in [&["-var"][..], &["-var", "x"], &["-out"]] {
        assert_eq!(read(&[], args).unwrap_err().code, Code::Config);
    }
    let issue = read(&[("TF_CLI_ARGS", "-var x=a;b")], &[]).unwrap_err();
    assert!(issue.summary.contains("TF_CLI_ARGS"), "{}", issue.summary);
    let issue = read(&[], &["-var", "hunter2"]).unwrap_err();
    assert!(!format!("{issue:?}").contains("hunter2"));
}

#[test]
fn flags_go_with_their_values() {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let kept = without(
        &words("-out x -var out=y --out=z -json -target t.out -lock=false p -out q"),
        &["out", "json"],
    );
    assert_eq!(kept, words("-var out=y -target t.out -lock=false p -out q"));
}
