//! An attribute that only the provider's schema calls sensitive keeps the mark through every form of join.

use tf_phi::terraform::plan_json::Plan;

use crate::support::Scratch;

pub const ROOT: &str = r#"
resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = var.env == "prod" ? "15.4" : "14.9"
  instance_class = "db.t3.micro"
  username       = "app"
  password       = "not-to-be-shown"
}
resource "aws_db_instance" "many" {
  for_each       = toset(["a"])
  engine         = "postgres"
  engine_version = var.env == "prod" ? "15.4" : "14.9"
  instance_class = "db.t3.micro"
  username       = "app"
  password       = "not-to-be-shown"
}
resource "terraform_data" "reader" {
  input = {
    one   = aws_db_instance.app.password
    each  = aws_db_instance.many["a"].password
    for   = [for k, v in aws_db_instance.many : v.password]
    plain = aws_db_instance.app.username
  }
}
output "password" {
  value     = "is ${aws_db_instance.app.password}"
  sensitive = true
}
"#;

pub const PINS: &str = r#"
specialize "aws_db_instance" {
  fields = ["engine_version"]
}
"#;

pub fn planned(want: &Plan, got: &Plan) {
    let marks = |plan: &Plan| {
        let reader = plan.resource_changes.iter().find(|c| c.name == "reader").unwrap();
        reader.change.after_sensitive["input"].clone()
    };
    assert_eq!(marks(want), marks(got));
    assert_eq!((&marks(got)["one"], &marks(got)["each"]), (&true.into(), &true.into()));
}

/// A plan that people read does not show it.
pub fn shown(specialised: &Scratch, env: &str) {
    let ran = specialised.tf_phi(&["plan", "-input=false", "-no-color", env]).expect(0);
    assert!(!ran.stdout.contains("not-to-be-shown"), "{}", ran.stdout);
}
