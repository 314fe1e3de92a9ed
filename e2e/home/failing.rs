//! An apply that fails while it destroys what the original gives up: what stays in state is what it was, whatever is done next.

use super::protected::{Change, borrowed};
use super::{DEV, ENV, Kind, Mode, PIN, PROD, Twin, plain_is_right};

/// The file that makes every destruction fail.
const FAILS: &str = "fails";

/// What is done after the apply that failed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    /// The same once more, and then nothing fails any more.
    Again,
    /// The edit is taken back.
    Back,
    /// The same with other variables.
    BackAndFlip,
    /// The pin goes, and the edit stays.
    Unpinned,
    /// The pin goes, and so does the edit.
    BackUnpinned,
    /// Plain Terraform after `restore`.
    Bare,
    /// The same where the edit is taken back.
    BackAndBare,
}

fn sources(kind: Kind, name: &str, repeat: &str, tag: &str, below: &str) -> Vec<(&'static str, String)> {
    let value = "var.env == \"prod\" ? \"15\" : \"14\"";
    let resource = |name: &str, repeat: &str, tag: &str, value: &str| {
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n{repeat}  input = {{ tag = {tag}, v = {value} }}\n  provisioner \"local-exec\" {{\n    when    = destroy\n    command = \"test ! -e {FAILS}\"\n  }}\n}}\n"
        )
    };
    match kind {
        Kind::Resource => vec![("main.tf", format!("{ENV}{}{below}", resource(name, repeat, tag, value)))],
        Kind::Call => vec![
            (
                "main.tf",
                format!(
                    "{ENV}module \"{name}\" {{\n  source = \"./m\"\n{repeat}  v      = {value}\n  tag    = {tag}\n}}\n{below}"
                ),
            ),
            (
                "m/main.tf",
                format!(
                    "variable \"tag\" {{}}\nvariable \"v\" {{}}\n{}",
                    resource("db", "", "var.tag", "var.v")
                ),
            ),
        ],
    }
}

fn destroy_fails(kind: Kind, change: Change, mode: Mode, then: Then) {
    let (repeat, name, after, below) = change.texts(kind);
    let (tag, tag_after) = change.tags();
    let before = sources(kind, "db", repeat, tag, "");
    let twin = Twin::applied(mode, &[&borrowed(&before)[..], &[PIN]].concat(), DEV);
    let write = |files: &[(&'static str, String)]| {
        files.iter().for_each(|(path, text)| twin.write(path, text));
        twin.phi.tf_phi(&["init", "-input=false"]).expect(0);
        twin.plain.init();
    };
    write(&sources(kind, name, after, tag_after, &below));
    let fails = |is: bool| {
        for side in [&twin.phi, &twin.plain] {
            match is {
                true => side.write(FAILS, ""),
                false => std::fs::remove_file(side.dir().join(FAILS)).unwrap(),
            }
        }
    };
    fails(true);
    let what = format!("{kind:?} {change:?} {then:?}");
    twin.compare(DEV, &what);
    twin.apply_fails(DEV, &what);
    match then {
        Then::Again => {
            twin.compare(PROD, &what);
            twin.apply_fails(PROD, &what);
        }
        Then::Back | Then::BackAndFlip => write(&before),
        Then::Unpinned => twin.unpin(),
        Then::BackUnpinned => {
            write(&before);
            twin.unpin();
        }
        Then::Bare | Then::BackAndBare => {
            if then == Then::BackAndBare {
                write(&before);
            }
            twin.restore();
            plain_is_right(&twin, DEV, &what);
        }
    }
    fails(false);
    let args = if then == Then::BackAndFlip { PROD } else { DEV };
    twin.step(args, &what);
    twin.step(PROD, &format!("{what}, later"));
}

/// What is done after each change.
macro_rules! afterwards {
    ($($name:ident $kind:ident $change:ident;)+) => {
        $(
            mod $name {
                use super::*;
                super::super::cases! { destroy:
                    again(Then::Again),
                    back(Then::Back),
                    back_and_flip(Then::BackAndFlip),
                    unpinned(Then::Unpinned),
                    back_unpinned(Then::BackUnpinned),
                    bare(Then::Bare),
                    back_and_bare(Then::BackAndBare),
                }
                fn destroy(then: Then) {
                    destroy_fails(Kind::$kind, Change::$change, Mode::InPlace, then);
                }
            }
        )+
    };
}

afterwards! {
    resource_keys_to_one Resource KeysToOne;
    resource_key_goes Resource KeyGoes;
    resource_two_to_one Resource TwoToOne;
    resource_two_to_one_unsaid Resource TwoToOneUnsaid;
    resource_fewer Resource Fewer;
    call_keys_to_one Call KeysToOne;
    call_key_goes Call KeyGoes;
    call_two_to_one Call TwoToOne;
    call_two_to_one_unsaid Call TwoToOneUnsaid;
    call_fewer Call Fewer;
}
