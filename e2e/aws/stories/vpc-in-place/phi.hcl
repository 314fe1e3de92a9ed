settings {
  edit = ["modules/*"]
}
