a = "%{ for s in ["x", "y"] }<${s}>%{ endfor }"
