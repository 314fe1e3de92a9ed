customer     = "acme"
customer_env = "prod"
release      = "2.7.3"
workers      = 3
