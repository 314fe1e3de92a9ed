# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = module.chosen
  to   = module.chosen_left[0]
}

moved {
  from = module.chosen_left[0]
  to   = module.chosen_right[0]
}

moved {
  from = module.keyed["k"]
  to   = module.keyed_true["k"]
}

moved {
  from = module.keyed_true["k"]
  to   = module.keyed_false["k"]
}

moved {
  from = module.keyed["l"]
  to   = module.keyed_true["l"]
}

moved {
  from = module.keyed_true["l"]
  to   = module.keyed_false["l"]
}

moved {
  from = module.site
  to   = module.site_x3429c3[0]
}

moved {
  from = module.site_x3429c3[0]
  to   = module.site_x4c73b1[0]
}

moved {
  from = terraform_data.counted[0]
  to   = terraform_data.counted_true[0]
}

moved {
  from = terraform_data.counted_true[0]
  to   = terraform_data.counted_false[0]
}

moved {
  from = terraform_data.counted[1]
  to   = terraform_data.counted_true[1]
}

moved {
  from = terraform_data.counted_true[1]
  to   = terraform_data.counted_false[1]
}

moved {
  from = terraform_data.each["k"]
  to   = terraform_data.each_true["k"]
}

moved {
  from = terraform_data.each_true["k"]
  to   = terraform_data.each_false["k"]
}

moved {
  from = terraform_data.each["l"]
  to   = terraform_data.each_true["l"]
}

moved {
  from = terraform_data.each_true["l"]
  to   = terraform_data.each_false["l"]
}

moved {
  from = terraform_data.flag
  to   = terraform_data.flag_true[0]
}

moved {
  from = terraform_data.flag_true[0]
  to   = terraform_data.flag_false[0]
}

moved {
  from = terraform_data.ignores
  to   = terraform_data.ignores_x38f296[0]
}

moved {
  from = terraform_data.ignores_x38f296[0]
  to   = terraform_data.ignores_xb1733f[0]
}

moved {
  from = terraform_data.listed
  to   = terraform_data.listed_x6a742f[0]
}

moved {
  from = terraform_data.listed_x6a742f[0]
  to   = terraform_data.listed_x0ef51d[0]
}

moved {
  from = terraform_data.object
  to   = terraform_data.object_x90c0fa[0]
}

moved {
  from = terraform_data.object_x90c0fa[0]
  to   = terraform_data.object_xa3903f[0]
}

moved {
  from = terraform_data.text
  to   = terraform_data.text_x[0]
}

moved {
  from = terraform_data.text_x[0]
  to   = terraform_data.text_empty[0]
}
