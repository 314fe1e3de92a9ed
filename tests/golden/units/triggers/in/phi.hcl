specialize "terraform_data.db" { fields = ["input"] }
specialize "terraform_data.many" { fields = ["input"] }
