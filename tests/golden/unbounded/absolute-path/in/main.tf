resource "terraform_data" "app" {
  input = abspath("./settings.json")
}

# What is chosen by it is another thing.
resource "terraform_data" "mode" {
  input = startswith(abspath("."), "/srv/") ? "server" : "laptop"
}
