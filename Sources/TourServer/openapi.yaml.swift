let openAPIDocument = ""
