specialize "terraform_data" {
  field "input" { bins = [10, 50, 100] }
}
