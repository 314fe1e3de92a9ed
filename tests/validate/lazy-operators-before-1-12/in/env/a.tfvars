app = null
