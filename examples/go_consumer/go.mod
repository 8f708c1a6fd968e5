module hclvm.example/go_consumer

go 1.19
