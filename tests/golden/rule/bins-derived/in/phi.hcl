specialize "terraform_data" {
  field "input" { bins = [3, 10.5] }
}
