specialize "terraform_data.db" { fields = ["input"] }
specialize "terraform_data.json" { fields = ["input"] }
specialize "terraform_data.deep" { fields = ["input"] }
specialize "terraform_data.vm" { fields = ["input"] }
