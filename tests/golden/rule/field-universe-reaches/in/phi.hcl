specialize "terraform_data.attribute" {
  field "input" {
    universe = ["15", "16"]
  }
}

specialize "terraform_data.part" {
  field "input" {
    universe = ["15-alpine", "16-alpine"]
  }
}

specialize "terraform_data.data" {
  field "input" {
    universe = ["14.9", "15.4"]
  }
}

specialize "terraform_data.element" {
  field "input" {
    universe = [["a"], ["b", "c"]]
  }
}
