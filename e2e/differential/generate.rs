//! Random expressions from a grammar: mostly well typed, now and then not.
//!
//! In: a seed. Invariant: the same seed gives the same expressions in the same order; an expression is one line and
//! refers to nothing but names that it binds itself. Functions are called with arguments of the types that their
//! registrations ask for.

use tf_phi::func::{self, Function, Purity, Want};

/// Deeper expressions than this are literals.
const DEPTH: u32 = 4;

/// What kind of value an expression is meant to have.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Bool,
    Number,
    Text,
    Tuple,
    List,
    Set,
    Map,
    Object,
    Null,
}

const KINDS: &[Kind] = &[
    Kind::Bool,
    Kind::Number,
    Kind::Text,
    Kind::Tuple,
    Kind::List,
    Kind::Set,
    Kind::Map,
    Kind::Object,
    Kind::Null,
];

/// Functions whose results differ from run to run or machine to machine, or that this test has no arguments for.
const LEFT_OUT: &[&str] = &[
    "bcrypt",
    "timestamp",
    "plantimestamp",
    "uuid",
    "rsadecrypt",
    "pathexpand",
    "abspath",
    "templatefile",
    "templatestring",
];

/// A generator.
pub struct Generator {
    state: u64,
    depth: u32,
    bound: Vec<&'static str>,
    functions: Vec<&'static Function>,
}

impl Generator {
    /// A generator for a seed.
    pub fn new(seed: u64) -> Generator {
        let usable = |f: &&Function| f.purity == Purity::Pure && !LEFT_OUT.contains(&f.name);
        let functions = func::all().filter(usable).collect();
        Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            depth: 0,
            bound: Vec::new(),
            functions,
        }
    }

    /// The next expression.
    pub fn expression(&mut self) -> String {
        let kind = self.pick(KINDS);
        self.depth = 0;
        self.bound.clear();
        self.of(kind)
    }

    /// A number below `n` (xorshift).
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 33).unwrap() % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn of(&mut self, kind: Kind) -> String {
        // Now and then something else than asked for.
        let kind = if self.below(25) == 0 { self.pick(KINDS) } else { kind };
        if self.depth >= DEPTH || self.below(4) == 0 {
            return self.literal(kind);
        }
        self.depth += 1;
        let text = match self.below(14) {
            0 => {
                // Arms of different types, too.
                let other = if self.below(3) == 0 { self.pick(KINDS) } else { kind };
                format!("({} ? {} : {})", self.of(Kind::Bool), self.of(kind), self.of(other))
            }
            12 => format!("sensitive({})", self.of(kind)),
            13 => self.part(kind),
            1 => self.selected(kind),
            2 => format!("try({}, {})", self.selected(kind), self.of(kind)),
            3 if !self.bound.is_empty() => self.pick(&self.bound.clone()).to_owned(),
            4..=6 => self.call(),
            _ => self.composed(kind),
        };
        self.depth -= 1;
        text
    }

    fn any(&mut self) -> String {
        let kind = self.pick(KINDS);
        self.of(kind)
    }

    fn literal(&mut self, kind: Kind) -> String {
        let text = match kind {
            Kind::Bool => self.pick(&["true", "false"]),
            Kind::Number => self.pick(&[
                "0",
                "1",
                "2",
                "3",
                "10",
                "-1",
                "-7",
                "1.5",
                "0.1",
                "1e3",
                "12345678901234567890",
                "(1/3)",
                "-0.25",
                "1e-7",
                "100",
            ]),
            Kind::Text => self.pick(&[
                r#""""#,
                r#""a""#,
                r#""b""#,
                r#""Hello, World""#,
                r#""10""#,
                r#""1.50""#,
                r#""true""#,
                r#""é""#,
                r#""e\u0301x""#,
                r#""a,b,,c""#,
                r#"" x ""#,
                r#""line\nbreak\n""#,
                r#""日本""#,
                r#""%d""#,
                r#""[a-z]+""#,
                r#""<&>""#,
                r#""v1.2.3""#,
            ]),
            Kind::Tuple => self.pick(&[
                "[]",
                "[1, 2, 3]",
                r#"["b", "a"]"#,
                r#"[1, "a", null]"#,
                "[[1], []]",
                "[{a = 1}, {a = 2}]",
            ]),
            Kind::List => self.pick(&[
                r#"tolist(["b", "a", "b"])"#,
                "tolist([3, 1])",
                "tolist([])",
                r#"tolist([["a"], []])"#,
                "tolist([true])",
            ]),
            Kind::Set => {
                self.pick(&[r#"toset(["b", "a"])"#, "toset([3, 10, 1])", "toset([])", "toset([[1], [2]])"])
            }
            Kind::Map => self.pick(&[
                "tomap({a = 1, b = 2})",
                r#"tomap({x = "y"})"#,
                "tomap({})",
                "tomap({a = [1], b = []})",
            ]),
            Kind::Object => self.pick(&[
                "{}",
                "{a = 1}",
                r#"{a = "x", b = [1, 2]}"#,
                "{a = {b = 1}, c = null}",
                r#"{"k e y" = 1}"#,
            ]),
            Kind::Null => "null",
        };
        text.to_owned()
    }

    fn composed(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Bool => match self.below(4) {
                0 => {
                    let op = self.pick(&["==", "!="]);
                    let other = self.pick(KINDS);
                    format!("({} {op} {})", self.of(other), self.of(other))
                }
                1 => format!(
                    "({} {} {})",
                    self.of(Kind::Number),
                    self.pick(&["<", "<=", ">", ">="]),
                    self.of(Kind::Number)
                ),
                2 => {
                    format!("({} {} {})", self.of(Kind::Bool), self.pick(&["&&", "||"]), self.of(Kind::Bool))
                }
                _ => format!("!{}", self.of(Kind::Bool)),
            },
            Kind::Number if self.below(5) == 0 => format!("(-{})", self.of(Kind::Number)),
            Kind::Number => {
                let op = self.pick(&["+", "-", "*", "/", "%"]);
                format!("({} {op} {})", self.of(Kind::Number), self.of(Kind::Number))
            }
            Kind::Text => self.template(),
            Kind::Tuple | Kind::List => match self.below(3) {
                0 => self.for_expression(false),
                1 => {
                    // Behind an attribute splat, an index is one into the whole.
                    let after =
                        self.pick(&["[*]", "[*].a", "[*][0]", "[*][*]", ".*", ".*.a", ".*[0]", "[*].a[*].b"]);
                    format!("{}{after}", self.any())
                }
                _ => {
                    let items: Vec<String> = (0..self.below(4)).map(|_| self.any()).collect();
                    format!("[{}]", items.join(", "))
                }
            },
            Kind::Set => format!("toset({})", self.of(Kind::Tuple)),
            Kind::Map => format!("tomap({})", self.of(Kind::Object)),
            Kind::Object if self.below(2) == 0 => self.for_expression(true),
            Kind::Object => {
                let items: Vec<String> = (0..self.below(4))
                    .map(|i| {
                        let key = match self.below(5) {
                            0 => format!("({})", self.of(Kind::Text)),
                            1 => format!("\"k${{{}}}\"", self.of(Kind::Number)),
                            _ => ["a", "b", r#""c d""#, "1.5"][i].to_owned(),
                        };
                        format!("{key} {} {}", self.pick(&["=", "=", ":"]), self.any())
                    })
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
            Kind::Null => "null".into(),
        }
    }

    /// A part of something.
    fn selected(&mut self, kind: Kind) -> String {
        match self.below(4) {
            0 => format!("[{}, {}][{}]", self.of(kind), self.of(kind), self.pick(&["0", "1", "\"0\"", "2"])),
            1 => {
                format!("{{a = {}, b = {}}}.{}", self.of(kind), self.any(), self.pick(&["a", "b", "a", "c"]))
            }
            2 => format!("{{a = {}}}[{}]", self.of(kind), self.pick(&["\"a\"", "lower(\"A\")", "\"z\""])),
            _ => {
                let source = self.pick(&[Kind::Tuple, Kind::List, Kind::Map, Kind::Object]);
                let key = self.pick(&["0", "1", "\"a\"", "\"x\""]);
                format!("{}[{key}]", self.of(source))
            }
        }
    }

    /// A part of a part, in the ways that HCL still has from before, and conversions in places of their own.
    fn part(&mut self, kind: Kind) -> String {
        match self.below(5) {
            0 => format!("[[{}], {}].0{}", self.of(kind), self.any(), self.pick(&["", "[0]", "[1]"])),
            1 => format!("{{a = [{}]}}.a.{}", self.of(kind), self.pick(&["0", "1"])),
            2 => format!("[for s in {} : s{}]", self.any(), self.pick(&["[*]", ".a", ".0", "[0]", ""])),
            3 => format!("nonsensitive(sensitive({}))", self.of(kind)),
            _ => format!("issensitive({})", self.any()),
        }
    }

    /// The opening or closing of a sequence, with or without a strip marker.
    fn marked(&mut self, open: &str, inside: &str) -> String {
        let (before, after) = (self.pick(&["", "", "~"]), self.pick(&["", "", "~"]));
        format!("{open}{before} {inside} {after}}}")
    }

    fn template(&mut self) -> String {
        let mut text = String::from("\"");
        for _ in 0..=self.below(3) {
            let part = match self.below(8) {
                0 => "-".to_owned(),
                1 => "é ".to_owned(),
                2 => {
                    let cond = self.of(Kind::Bool);
                    let [start, other, end] =
                        [&format!("if {cond}")[..], "else", "endif"].map(|part| self.marked("%{", part));
                    match self.below(3) {
                        0 => format!("{start} y {end} "),
                        _ => format!(" {start} y{other} n {end}"),
                    }
                }
                3 => {
                    let source = self.of(Kind::Tuple);
                    let names = self.pick(&["t", "i, t"]);
                    let [start, end] = [&format!("for {names} in {source}")[..], "endfor"]
                        .map(|part| self.marked("%{", part));
                    format!("{start} <${{t}}> {end}")
                }
                4 => self
                    .pick(&["$${x}", "%%{x}", "\\t", "\\n ", "\\\\", "\\\"", "\\u00e9", "$", "% "])
                    .to_owned(),
                _ => {
                    let kind = self.pick(&[Kind::Text, Kind::Number, Kind::Bool, Kind::Text]);
                    let inside = self.of(kind);
                    format!(" {} ", self.marked("${", &inside))
                }
            };
            text.push_str(&part);
        }
        text.push('"');
        text
    }

    fn for_expression(&mut self, object: bool) -> String {
        let source = self.pick(&[Kind::Tuple, Kind::List, Kind::Set, Kind::Map, Kind::Object]);
        let source = self.of(source);
        let names = self.pick(&[&["x"][..], &["k", "v"], &["i", "y"]]);
        self.bound.extend(names);
        let condition =
            if self.below(3) == 0 { format!(" if {}", self.of(Kind::Bool)) } else { String::new() };
        let (key, value) = (self.of(Kind::Text), self.any());
        let key = if self.below(2) == 0 { format!("\"${{{}}}\"", names[0]) } else { key };
        self.bound.truncate(self.bound.len() - names.len());
        let names = names.join(", ");
        if object {
            let group = self.pick(&["", "", "..."]);
            format!("{{for {names} in {source} : {key} => {value}{group}{condition}}}")
        } else {
            format!("[for {names} in {source} : {value}{condition}]")
        }
    }

    fn call(&mut self) -> String {
        let function = self.pick(&self.functions.clone());
        let mut args: Vec<String> =
            function.params.iter().map(|p| self.argument(function, p.name, &p.want)).collect();
        if let Some(param) = &function.variadic {
            for _ in 0..self.below(4) {
                args.push(self.argument(function, param.name, &param.want));
            }
        }
        if self.below(40) == 0 {
            args.pop();
        }
        // The last ones as the elements of something that is expanded.
        if self.below(12) == 0 && !args.is_empty() {
            let rest = args.split_off(self.below(args.len() + 1)).join(", ");
            args.push(
                self.pick(&["[@]...", "tolist([@])...", "toset([@])...", "[for a in [@] : a]..."])
                    .replace('@', &rest),
            );
        }
        format!("{}({})", function.name, args.join(", "))
    }

    fn argument(&mut self, function: &Function, param: &str, want: &Want) -> String {
        let special: &[&str] = match (function.name, param) {
            ("regex" | "regexall", "pattern") => {
                &[r#""[a-z]+""#, r#""(\\d)(\\w)?""#, r#""(?P<n>[a-b])""#, r#""a|b""#, r#""^$""#, r#""x*""#]
            }
            ("format" | "formatlist", "format") => &[
                r#""%s""#,
                r#""%v-%v""#,
                r#""%d""#,
                r#""%5.1f|""#,
                r#""%q""#,
                r#""%[2]v%[1]v""#,
                r#""x""#,
                r#""%08.3g""#,
            ],
            ("replace", "substr") => &[r#""a""#, r#""/[a-z]/""#, r#""""#, r#""/(b)/""#],
            ("formatdate", "format") => &[r#""YYYY-MM-DD""#, r#""hh:mm""#],
            (_, "timestamp" | "time" | "timestamp_a" | "timestamp_b") => {
                &[r#""2020-01-02T03:04:05Z""#, r#""2021-12-31T23:59:59+01:00""#]
            }
            (_, "duration") => &[r#""1h""#, r#""-30m""#],
            (_, "prefix") if function.name.starts_with("cidr") => {
                &[r#""10.0.0.0/8""#, r#""192.168.1.0/24""#, r#""fd00::/48""#]
            }
            ("indent", "spaces") | ("chunklist", "size") | (_, "newbits") => &["0", "1", "2", "4"],
            ("parseint", "number") => &[r#""ff""#, r#""10""#, r#""-1""#, r#""z""#],
            ("parseint", "base") => &["2", "10", "16", "36"],
            ("jsondecode", _) => &[r#""{\"a\":[1,null]}""#, r#""[1.50]""#, r#""\"x\"""#, r#""nope""#],
            ("csvdecode", _) => &[r#""a,b\n1,2\n""#, r#""a\n\"x,y\"\n""#],
            ("yamldecode", _) => &[r#""a: 1\nb: [x, 2]""#, r#""- 1\n- ~""#, r#""true""#],
            ("base64decode", _) => &[r#""aGVsbG8=""#, r#""nope!""#],
            ("pow", _) => &["2", "3", "-2", "10", "0"],
            ("log", _) => &["2", "8", "10", "100"],
            _ => &[],
        };
        if !special.is_empty() && self.below(5) > 0 {
            return self.pick(special).to_owned();
        }
        let sequences = [Kind::Tuple, Kind::List, Kind::Set];
        let kind = match want {
            Want::String => Kind::Text,
            Want::Number => Kind::Number,
            Want::Bool => Kind::Bool,
            Want::List(_) | Want::Set(_) => self.pick(&sequences),
            Want::Map(_) => self.pick(&[Kind::Map, Kind::Object]),
            Want::Any => match param {
                "list" | "seqs" | "sets" | "lists" | "first_set" => self.pick(&sequences),
                "maps" | "inputMap" | "mapping" | "map" => self.pick(&[Kind::Map, Kind::Object]),
                _ => self.pick(KINDS),
            },
        };
        self.of(kind)
    }
}
