// A header of this workspace whose path hclvm has, too. Nothing of hclvm may ever include it.
#error "a header of the dependent was taken for one of hclvm"
