app = { on = true }
