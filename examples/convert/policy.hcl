# Who may see a document.
allow = var.user.admin || contains(local.owners, var.user.name)

greeting = "Hello, ${var.user.name}!"
price    = "$${free}"
levels   = [1, 2, 3]
