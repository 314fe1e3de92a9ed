resource "terraform_data" "db" {
  input = timecmp(timestamp(), "2026-01-01T00:00:00Z") > 0 ? "16.2" : "15.4"
}
