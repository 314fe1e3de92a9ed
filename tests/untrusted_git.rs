//! `tf-phi review` of repositories that strangers made: none shows what another one on the machine holds.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;

use cli_common::git::{git, repository_of};
use cli_common::{Done, Scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAIN: &str =
    "variable \"env\" {\n  type = string\n}\nresource \"terraform_data\" \"a\" {\n  input = var.env\n}\n";

/// A repository with the root in `app`, committed.
fn repository() -> Scratch {
    let scratch = Scratch::new([("app/main.tf", MAIN), ("app/env/dev.tfvars", "env = \"dev\"\n")]);
    repository_of(&scratch.tree());
    scratch
}

fn review(scratch: &Scratch, dir: &str, args: &[&str]) -> Done {
    let chdir = format!("-chdir={dir}");
    let all: Vec<&str> = [chdir.as_str(), "review"].into_iter().chain(args.iter().copied()).collect();
    scratch.run(&all)
}

/// Terraform copies a folder of the machine whose modules are called by an absolute path, the whole of it: none of it is shown.
#[test]
fn a_module_copied_from_outside_is_not_read() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().canonicalize().unwrap().display().to_string();
    for (from, shown) in [(&*folder, false), ("TREE", true)] {
        let scratch = repository();
        let tree = scratch.tree().canonicalize().unwrap().display().to_string();
        let source = format!("{}//m", from.replace("TREE", &tree));
        let list = format!(
            r#"{{"Modules": [{{"Key": "m", "Source": "file://{source}", "Dir": ".terraform/modules/m/m"}},
                {{"Key": "m.s", "Source": "../s", "Dir": ".terraform/modules/m/s"}}]}}"#
        );
        let call = format!(
            "module \"m\" {{\n  source = \"{source}\"\n}}\noutput \"o\" {{\n  value = module.m.v\n}}\n"
        );
        for (name, text) in [
            ("main.tf", &*call),
            (".terraform/modules/modules.json", &list),
            (
                ".terraform/modules/m/m/main.tf",
                "module \"s\" {\n  source = \"../s\"\n}\noutput \"v\" {\n  value = module.s.v\n}\n",
            ),
            (".terraform/modules/m/s/main.tf", "output \"v\" {\n  value = \"hunter2\"\n}\n"),
        ] {
            let path = scratch.tree().join("app").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let done = review(&scratch, "app", &["--base", "HEAD"]);
        let said = format!("{}{}", done.out, done.err);
        assert_eq!(said.contains("hunter2"), shown, "{source}: {said}");
        assert!(shown || said.contains("TF_PHI_TRUSTED_DIRS"), "{said}");
    }
}

/// Another repository on the machine, whose text no tree may have shown.
fn another() -> (Scratch, String) {
    let main = "output \"v\" {\n  value = \"hunter2\"\n}\nresource \"terraform_data\" \"s\" {\n  input = \"hunter2\"\n}\n";
    let other = Scratch::new([("main.tf", main), ("app/main.tf", main)]);
    repository_of(&other.tree());
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(other.tree()).output().unwrap();
    (other, String::from_utf8(head.stdout).unwrap().trim().to_owned())
}

/// Files of a directory may look like a bare repository, with its objects elsewhere.
#[test]
fn files_that_look_like_a_repository_are_none() {
    let (other, _) = another();
    let scratch = repository();
    let app = scratch.tree().join("app");
    fs::write(app.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    for name in ["objects", "refs"] {
        std::os::unix::fs::symlink(other.tree().join(".git").join(name), app.join(name)).unwrap();
    }
    for tree in [".", ".."] {
        let text = format!("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = {tree}\n");
        fs::write(app.join("config"), text).unwrap();
        let done = review(&scratch, "app", &["--base", "HEAD"]);
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("hunter2"), "{tree}: {said}");
    }
}

/// How a `.git` can lead to another repository.
const WAYS: [&str; 17] = [
    "a file with a blank",
    "a file with a nul",
    "a worktree with a blank",
    "a worktree with a nul",
    "a large worktree",
    "borrowed objects with a nul",
    "packs linked within",
    "a folder of the process",
    "a file",
    "a link",
    "a link to a worktree's",
    "a worktree's own",
    "borrowed objects",
    "linked objects",
    "linked packs",
    "a worktree of its own making",
    "another place",
];

fn lead_away(way: &str, dot: &Path, other: &Scratch) {
    use std::os::unix::fs::symlink;
    let theirs = other.tree().join(".git");
    // Where a name leads that another program reads otherwise.
    let named = |at: PathBuf, text: &[u8], link: PathBuf| {
        fs::write(at, text).unwrap();
        symlink(&theirs, link).unwrap();
    };
    let real = dot.join("sub/real");
    let nested = || {
        fs::create_dir(dot.join("sub")).unwrap();
        let copied = Command::new("cp").arg("-r").arg(&theirs).arg(&real).status().unwrap();
        assert!(copied.success());
    };
    match way {
        "a file with a blank" | "a file with a nul" | "a folder of the process" => {
            let beside = |name: &str| dot.with_file_name(name);
            fs::rename(dot, beside("g")).unwrap();
            let tree = dot.parent().unwrap().file_name().unwrap();
            match way {
                "a file with a blank" => named(dot.into(), b"gitdir: g \n", beside("g ")),
                "a file with a nul" => named(dot.into(), b"gitdir: l\0x\n", beside("l")),
                _ => {
                    let tree = tree.to_str().unwrap();
                    fs::create_dir(beside(tree)).unwrap();
                    let text = format!("gitdir: /proc/self/cwd/{tree}/g\n");
                    named(dot.into(), text.as_bytes(), beside(tree).join("g"));
                }
            }
        }
        "a worktree with a blank" => {
            nested();
            named(dot.join("commondir"), b"sub/real ", dot.join("sub/real "));
        }
        "a worktree with a nul" | "a large worktree" => {
            nested();
            named(dot.join("commondir"), b"sub/l\0x", dot.join("sub/l"));
            if way == "a large worktree" {
                fs::File::options()
                    .write(true)
                    .open(dot.join("commondir"))
                    .unwrap()
                    .set_len(65 << 20)
                    .unwrap();
            }
        }
        "borrowed objects with a nul" => {
            fs::create_dir(dot.join("alt")).unwrap();
            fs::write(dot.join("objects/info/alternates"), b"../alt/l\0x\n").unwrap();
            symlink(theirs.join("objects"), dot.join("alt/l")).unwrap();
        }
        "packs linked within" => {
            let packs = dot.with_file_name("x");
            fs::remove_dir_all(dot.join("objects/pack")).unwrap();
            fs::create_dir(&packs).unwrap();
            symlink("../../x", dot.join("objects/pack")).unwrap();
            for pack in fs::read_dir(theirs.join("objects/pack")).unwrap() {
                let pack = pack.unwrap();
                symlink(pack.path(), packs.join(pack.file_name())).unwrap();
            }
        }
        _ => lead_away_plainly(way, dot, other),
    }
}

/// The same, with names that every program reads alike.
fn lead_away_plainly(way: &str, dot: &Path, other: &Scratch) {
    use std::os::unix::fs::symlink;
    let theirs = other.tree().join(".git");
    let instead = |name: &str| {
        let at = dot.join(name);
        fs::remove_dir_all(&at).unwrap();
        symlink(theirs.join(name), at).unwrap();
    };
    let objects = format!("{}\n", theirs.join("objects").display());
    match way {
        "borrowed objects" => fs::write(dot.join("objects/info/alternates"), objects).unwrap(),
        "linked objects" => instead("objects"),
        "linked packs" => instead("objects/pack"),
        "a worktree of its own making" => {
            let fake = dot.with_file_name("fake");
            fs::rename(dot, &fake).unwrap();
            fs::write(fake.join("commondir"), format!("{}\n", theirs.display())).unwrap();
            fs::write(fake.join("gitdir"), format!("{}\n", dot.display())).unwrap();
            fs::write(dot, "gitdir: fake\n").unwrap();
        }
        "another place" => {
            fs::write(dot.join("objects/info/alternates"), objects).unwrap();
            let tree = other.tree().display().to_string();
            git(dot.parent().unwrap(), &["config", "core.worktree", &tree]);
        }
        _ => {
            fs::remove_dir_all(dot).unwrap();
            match way {
                "a file" => fs::write(dot, format!("gitdir: {}\n", theirs.display())).unwrap(),
                "a link" => symlink(&theirs, dot).unwrap(),
                "a link to a worktree's" => symlink(other.path("linked/.git"), dot).unwrap(),
                _ => drop(fs::copy(other.path("linked/.git"), dot).unwrap()),
            }
        }
    }
}

/// A clone brings no `.git`, but an archive does; none leads to what another repository on the machine holds.
#[test]
fn an_unpacked_repository_leads_to_no_other() {
    let (other, commit) = another();
    git(&other.tree(), &["worktree", "add", "-q", "../linked", "-b", "linked"]);
    git(&other.tree(), &["repack", "-adq"]);
    for way in WAYS {
        let scratch = repository();
        lead_away(way, &scratch.tree().join(".git"), &other);
        let run = |trusted: &str| {
            let mut command = scratch.command(&["-chdir=app", "review", "--base", &commit, "--base-exact"]);
            // A folder of the process is another one for each program.
            if way == "a folder of the process" {
                command = scratch.command(&["-chdir=tree/app", "review", "--base", &commit, "--base-exact"]);
                command.current_dir(scratch.path(""));
            }
            Done::new(command.env("TF_PHI_TRUSTED_DIRS", trusted).output().unwrap())
        };
        let done = run("");
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("hunter2") && !said.contains("panicked"), "{way}: {said}");
        assert_eq!(done.code, Some(1), "{way}: {said}");
        if matches!(way, "a file" | "borrowed objects") {
            assert!(said.contains("export TF_PHI_TRUSTED_DIRS"), "{way}: {said}");
            let done = run(other.tree().to_str().unwrap());
            assert!(done.code == Some(0) && done.out.contains("hunter2"), "{way}: {}{}", done.out, done.err);
        }
    }
}

/// A folder that holds ten of another, which holds ten of another…
#[test]
fn a_base_that_unfolds_without_end_is_refused() {
    let scratch = repository();
    let top = scratch.tree();
    let fed = |words: &[&str], input: &str| -> String {
        fs::write(scratch.path("input"), input).unwrap();
        let stdin = fs::File::open(scratch.path("input")).unwrap();
        let done = Command::new("git").args(words).current_dir(&top).stdin(stdin).output().unwrap();
        assert!(done.status.success(), "{words:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    let mut entry = format!("100644 blob {}", fed(&["hash-object", "-w", "--stdin"], "x = 1\n"));
    for _ in 0..9 {
        let lines: String = (0..10).map(|n| format!("{entry}\tmodule_{n}.tf\n")).collect();
        entry = format!("040000 tree {}", fed(&["mktree"], &lines));
    }
    let tree = entry.rsplit(' ').next().unwrap();
    let author = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
    let commit = fed(&[&author[..], &["commit-tree", tree]].concat(), "deep\n");
    let done = review(&scratch, "app", &["--base", &commit]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("git") && done.err.contains("128 MiB"), "{}", done.err);
    assert!(!done.err.contains("--terraform"), "no other program helps: {}", done.err);
}

/// What stands where a submodule was leads to no other repository.
#[test]
fn a_submodule_is_no_way_out() {
    let (other, commit) = another();
    let main = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n";
    for link in [true, false] {
        let call = "module \"s\" {\n  source = \"../sub\"\n}\noutput \"o\" {\n  value = module.s.v\n}\n";
        let scratch = Scratch::new([("app/main.tf", &*format!("{main}{call}"))]);
        let tree = scratch.tree();
        git(&tree, &["init", "-q"]);
        git(&tree, &["add", "-A"]);
        git(&tree, &["update-index", "--add", "--cacheinfo", &format!("160000,{commit},sub")]);
        git(&tree, &["commit", "-qm", "base"]);
        fs::write(tree.join("app/main.tf"), main).unwrap();
        if link {
            std::os::unix::fs::symlink(other.tree(), tree.join("sub")).unwrap();
        } else {
            fs::create_dir(tree.join("sub")).unwrap();
            fs::write(tree.join("sub/.git"), format!("gitdir: {}/.git\n", other.tree().display())).unwrap();
        }
        let done = review(&scratch, "app", &["--base", "HEAD"]);
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("hunter2"), "{link}: {said}");
    }
}

/// Of a pipe git would wait for an end, and of a device there is none.
#[test]
fn what_is_no_file_is_not_waited_for() {
    const PLACES: [&str; 10] = [
        "HEAD",
        "config",
        "index",
        "packed-refs",
        "objects/info/alternates",
        "refs/heads/main",
        "commondir",
        "info/exclude",
        "an included file",
        "a file that an included one includes",
    ];
    for (n, place) in PLACES.iter().enumerate() {
        let scratch = repository();
        let dot = scratch.tree().join(".git");
        let config = dot.join("config");
        let own = fs::read_to_string(&config).unwrap();
        // What is named lies in the work tree, where an archive puts anything.
        let include = "[includeIf \"gitdir:**\"]\n\tpath = ../app/pipe\n";
        let path = match *place {
            "an included file" => {
                fs::write(&config, format!("{own}{include}")).unwrap();
                scratch.tree().join("app/pipe")
            }
            "a file that an included one includes" => {
                fs::write(&config, format!("{own}[include]\n\tpath = \"more\" ; x\n")).unwrap();
                fs::write(dot.join("more"), include).unwrap();
                scratch.tree().join("app/pipe")
            }
            place => dot.join(place),
        };
        let _ = fs::remove_file(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Every second one behind a link.
        let pipe = if n % 2 == 0 { scratch.path("pipe") } else { path.clone() };
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        if pipe != path {
            std::os::unix::fs::symlink(&pipe, &path).unwrap();
        }
        let done = review(&scratch, "app", &["--base", "HEAD"]);
        let said = done.code == Some(1) && done.err.contains("neither a file nor a folder");
        assert!(said, "{place}: {}", done.err);
    }
}

/// Ways from a `.git` to something that has no end: what stands at `at`, and whether the repository lies beside a `.git` that is a file.
const ENDLESS: [(&str, bool); 16] = [
    ("objects", false),
    ("refs", false),
    ("packed-refs", true),
    ("HEAD", true),
    ("index", true),
    ("config", true),
    ("info/exclude", true),
    ("info/attributes", true),
    ("objects/info/alternates", true),
    ("objects/pack", true),
    ("commondir", true),
    ("shallow", true),
    ("behind commondir", true),
    ("behind alternates", true),
    ("a value that goes on in the next line", true),
    ("a section with an equals sign", true),
];

/// Files of the system, and such as are larger than any memory: git isn't asked for what would be read whole.
#[test]
fn what_has_no_end_is_not_read() {
    for (n, (place, is_file)) in ENDLESS.iter().enumerate() {
        let scratch = repository();
        let tree = scratch.tree();
        let mut dot = tree.join(".git");
        if *is_file {
            fs::rename(&dot, tree.join("g")).unwrap();
            fs::write(&dot, "gitdir: g\n").unwrap();
            dot = tree.join("g");
        }
        let config = fs::read_to_string(dot.join("config")).unwrap();
        let beside = scratch.path("beside");
        let device = format!("{}/device", beside.display());
        let path = match *place {
            "behind commondir" => {
                fs::write(dot.join("commondir"), "../c\n").unwrap();
                Command::new("cp").arg("-r").arg(&dot).arg(tree.join("c")).status().unwrap();
                fs::remove_file(tree.join("c/commondir")).unwrap();
                tree.join("c/packed-refs")
            }
            "behind alternates" => {
                fs::create_dir_all(tree.join("s/info")).unwrap();
                fs::write(dot.join("objects/info/alternates"), "../../s\n").unwrap();
                tree.join("s/info/alternates")
            }
            "a value that goes on in the next line" => {
                fs::write(
                    dot.join("config"),
                    format!("{config}[core]\n\texcludesFile = {}\\\n{}\n", &device[..4], &device[4..]),
                )
                .unwrap();
                device.clone().into()
            }
            "a section with an equals sign" => {
                fs::write(
                    dot.join("config"),
                    format!("{config}[includeIf \"gitdir:a=b\"] path = {device}\n"),
                )
                .unwrap();
                device.clone().into()
            }
            place => dot.join(place),
        };
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // A device, and a file of holes alone.
        match n % 3 {
            0 => fs::File::create(&path).unwrap().set_len(1 << 40).unwrap(),
            1 => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
            _ => std::os::unix::fs::symlink("/proc/self/pagemap", &path).unwrap(),
        }
        let begun = std::time::Instant::now();
        let done = review(&scratch, "app", &["--base", "HEAD"]);
        let is_file = ["objects", "objects/pack"].contains(place) && n % 3 == 0;
        let said = ["neither a file nor a folder", "too large to be read"]
            .iter()
            .any(|words| done.err.contains(words));
        // Where a folder should be, git reads no file.
        assert!(is_file || done.code == Some(1) && said, "{place}: {}", done.err);
        assert!(begun.elapsed().as_secs() < 15, "{place}");
    }
}

/// A list of ignored files, and a repository within the tree, are read where git lists what it doesn't know.
#[test]
fn what_git_reads_of_a_work_tree_has_an_end() {
    for place in [".gitignore", "app/.gitignore", "app/new/.git/HEAD", "app/new/.git/packed-refs"] {
        let scratch = repository();
        let path = scratch.tree().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if place.contains(".git/") {
            git(&scratch.tree().join("app/new"), &["init", "-q"]);
            let _ = fs::remove_file(&path);
        }
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let done = scratch.run(&["check", "--recursive", "--changed-since", "HEAD"]);
        assert!(done.err.contains("neither a file nor a folder"), "{place}: {}{}", done.out, done.err);
    }
}

/// A submodule's own repository is judged before git is asked about it.
#[test]
fn a_submodule_without_an_end_is_not_read() {
    let scratch = repository();
    let tree = scratch.tree();
    let inner = tree.join("sub");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("main.tf"), MAIN).unwrap();
    repository_of(&inner);
    git(&tree, &["add", "sub"]);
    git(&tree, &["commit", "-qm", "sub"]);
    fs::remove_file(inner.join(".git/HEAD")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", inner.join(".git/HEAD")).unwrap();
    let done = review(&scratch, "app", &["--base", "HEAD"]);
    assert!(done.err.contains("neither a file nor a folder"), "{}{}", done.out, done.err);
}

/// Data beside the configuration is none of it, however much it is; what is asked for is read one by one.
#[test]
fn data_is_no_configuration() {
    let main = "output \"v\" {\n  value = jsondecode(file(\"small.json\")).v\n}\n";
    let scratch = Scratch::new([("app/main.tf", main), ("app/small.json", "{\"v\": 1}")]);
    let large = "x".repeat(7 << 20);
    for n in 0..20 {
        fs::write(scratch.tree().join(format!("app/data{n}.json")), format!("{{\"v{n}\": \"{large}\"}}"))
            .unwrap();
    }
    repository_of(&scratch.tree());
    fs::write(scratch.tree().join("app/small.json"), "{\"v\": 2}").unwrap();
    let done = review(&scratch, "app", &["--base", "HEAD"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("output.v.value"), "{}", done.out);
}

/// A configuration that includes itself, many times over, is read once.
#[test]
fn a_configuration_that_includes_itself_comes_to_an_end() {
    let scratch = repository();
    let config = scratch.tree().join(".git/config");
    let mut text = fs::read_to_string(&config).unwrap();
    text.push_str("[include]\n");
    for path in ["config", "./config", "../.git/config"] {
        text.push_str(&format!("\tpath = {path}\n").repeat(20));
    }
    fs::write(&config, text).unwrap();
    let done = review(&scratch, "app", &["--base", "HEAD"]);
    assert!(!done.err.contains("neither a file nor a folder"), "{}", done.err);
}
