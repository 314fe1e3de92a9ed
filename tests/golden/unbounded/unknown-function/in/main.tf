resource "terraform_data" "db" {
  input = provider::aws::arn_build("a", "b")
}
