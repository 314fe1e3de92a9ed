listed      = "validated"
validated   = "environment"
supplied    = "environment"
environment = "environment"
meant       = true
