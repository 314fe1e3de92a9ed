use crate::specialise::record::hash;
use crate::specialise::record::typed::*;

const WRITTEN: &str =
    "# ours\nresource \"a\" \"b\" {\n  x = 1\n  y = 2\n\n  z = 3\n}\n\nlocals {\n  l = 1\n}\n";

fn record(written: &str) -> FileRecord {
    FileRecord::residual(Path::new("m/main.tf"), written, None)
}

/// A created file with an edit in it, written anew as `new`.
fn anew(now: &str, new: &str) -> String {
    let file = record(WRITTEN);
    assert!(file.is_shaped(now) && hash(now) != file.sha256, "{now}");
    let made = carried(Path::new("m/main.tf"), &file, now, new, Homeless::Above);
    assert!(lost(&file, now, &made).is_empty(), "{made}");
    made
}

#[test]
fn between_two_statements_that_stay() {
    let now = WRITTEN.replace("  y = 2\n", "\n  # mine\n  y = 2 # too\n");
    let new = WRITTEN.replace("l = 1", "l = 2");
    assert_eq!(anew(&now, &new), now.replace("l = 1", "l = 2"));
}

#[test]
fn beside_comments_that_are_written() {
    let now = WRITTEN.replace("# ours\n", "# above\n# ours\n# below\n");
    let new = WRITTEN.replace("l = 1", "l = 2");
    assert_eq!(anew(&now, &new), now.replace("l = 1", "l = 2"));
    // What was written and is written otherwise now is not the user's.
    let new = new.replace("# ours", "# theirs");
    let want = format!("# theirs\n# above\n# below\n{}", &new["# theirs\n".len()..]);
    assert_eq!(anew(&now, &new), want);
}

#[test]
fn above_a_statement_that_changed() {
    let now = WRITTEN.replace("  y = 2\n", "  # mine\n  y = 2 # too\n");
    let made = anew(&now, &WRITTEN.replace("  y = 2\n", "  w = 2\n"));
    assert!(made.contains("  x = 1\n  # mine\n  # too\n  w = 2\n"), "{made}");
}

#[test]
fn above_the_block_that_follows_one_that_went() {
    let now = WRITTEN.replace("  y = 2\n", "  # mine\n  y = /* inner */ 2\n");
    let made = anew(&now, "locals {\n  l = 1\n}\n");
    assert_eq!(made, "# mine\n/* inner */\nlocals {\n  l = 1\n}\n");
    let now = WRITTEN.replace("  l = 1\n", "  # last\n  l = 1\n");
    let made = anew(&now, &WRITTEN[..WRITTEN.find("\nlocals").unwrap()]);
    assert!(made.ends_with("  z = 3\n}\n# last\n"), "{made}");
}

#[test]
fn line_ends_are_those_of_the_new_text() {
    let now = WRITTEN.replace("  y = 2\n", "  # mine\n\n  y = 2\n");
    let made = anew(&now, &WRITTEN.replace("l = 1", "l = 2").replace('\n', "\r\n"));
    assert!(made.contains("  x = 1\r\n  # mine\r\n\r\n  y = 2\r\n"), "{made:?}");
}

#[test]
fn nowhere_unless_both_neighbours_come_back() {
    let file = record(WRITTEN);
    let now = WRITTEN.replace("  y = 2\n", "  # mine\n  y = 2\n").replace("z = 3\n", "z = 3 # too\n");
    let back = |new: &str| {
        let made = carried(Path::new("m/main.tf"), &file, &now, new, Homeless::Nowhere);
        let gone = lost(&file, &now, &made).into_iter().map(|t| (t.line, t.text)).collect::<Vec<_>>();
        (made, gone)
    };
    assert_eq!(back(WRITTEN), (now.clone(), Vec::new()));
    let new = WRITTEN.replace("  x = 1\n", "");
    let want = new.replace("z = 3\n", "z = 3 # too\n");
    assert_eq!(back(&new), (want, vec![(4, "# mine".to_owned())]));
}

#[test]
fn records_that_know_no_comments_lose_none() {
    let file = FileRecord { comments: None, ..record(WRITTEN) };
    let now = WRITTEN.replace("  y = 2\n", "  # mine\n  y = 2\n");
    let new = WRITTEN.replace("l = 1", "l = 2");
    let made = carried(Path::new("m/main.tf"), &file, &now, &new, Homeless::Above);
    assert_eq!(made, now.replace("l = 1", "l = 2"));
}
