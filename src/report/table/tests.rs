use super::*;
use crate::report::testing::bare;

fn table() -> Table {
    let cell = |text: &str, strong: bool| Entry { text: text.to_owned(), strong };
    Table {
        head: ["field", "dev", "staging", "prod"].map(str::to_owned).to_vec(),
        rows: vec![
            vec![
                Entry::plain("module.database.aws_db_instance.app.instance_class"),
                cell("\"db.t3.micro\"", false),
                cell("\"db.t3.micro\"", false),
                cell("\"db.r6g.4xlarge\"", true),
            ],
            vec![
                Entry::plain("aws_s3_bucket.b.policy"),
                cell("—", false),
                cell(&format!("\"{}\"", "long ".repeat(30)), true),
                cell("\"日本語\"", true),
            ],
        ],
    }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in [20, 40, 60, 80, 100, 140, 400] {
        for line in table().text(Some(width), Style::Plain).lines() {
            assert!(line.width() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn one_long_cell_makes_no_other_row_long() {
    let text = table().text(None, Style::Plain);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].width() < 200, "{}", lines[1]);
    assert!(lines[2].contains(&"long ".repeat(30)), "{}", lines[2]);
}

#[test]
fn a_narrow_terminal_turns_the_table() {
    let narrow = table().text(Some(60), Style::Plain);
    assert!(narrow.contains("\n  dev      \"db.t3.micro\"\n"), "{narrow}");
    let wide = table().text(Some(140), Style::Plain);
    assert!(wide.starts_with("field"), "{wide}");
    assert!(wide.contains('…'), "{wide}");
}

#[test]
fn colour_changes_nothing_but_colour() {
    for width in [80, 140] {
        let coloured = table().text(Some(width), Style::Coloured);
        assert!(coloured.contains('\u{1b}'));
        assert_eq!(bare(&coloured), table().text(Some(width), Style::Plain));
    }
}

#[test]
fn cells_are_text_in_every_form() {
    let hostile = "<script>|`x`\n=1+1, \"q\" @everyone";
    let table = Table {
        head: vec!["a".into(), "b".into()],
        rows: vec![vec![Entry::plain(hostile), Entry::plain("-1")]],
    };
    let markdown = table.markdown();
    assert_eq!(markdown.lines().count(), 3, "{markdown}");
    let csv = table.csv();
    assert!(csv.ends_with(",'-1\n"), "{csv}");
    assert!(csv.contains("\"\"q\"\""), "{csv}");
}
