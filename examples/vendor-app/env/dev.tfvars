customer     = "acme"
customer_env = "dev"
release      = "2.8.0-rc1"
