specialize "module.db" {
  fields = ["release"]
}
