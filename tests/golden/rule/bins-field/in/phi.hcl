specialize "module.disk.terraform_data.disk" {
  field "input" { bins = [20, 100, 1000] }
}
