# The options of hclvm-serve, as a file; `hclvm-serve --help` lists them all.

bundle       = "examples/service/bundle"
listen       = ["127.0.0.1:8181", "nginx@127.0.0.1:8182", "forwarded@127.0.0.1:8183"]
decision_log = "-"
