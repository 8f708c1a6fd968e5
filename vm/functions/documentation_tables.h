// The families' records: tables in documentation_*.cc.

#ifndef HCLVM_VM_FUNCTIONS_DOCUMENTATION_TABLES_H_
#define HCLVM_VM_FUNCTIONS_DOCUMENTATION_TABLES_H_

#include "absl/types/span.h"
#include "hclvm/vm/functions/documentation.h"

namespace hcl::internal {

absl::Span<const FunctionRecord> NumericRecords();
absl::Span<const FunctionRecord> StringRecords();
absl::Span<const FunctionRecord> CollectionRecords();
absl::Span<const FunctionRecord> EncodingRecords();
absl::Span<const FunctionRecord> DateRecords();
absl::Span<const FunctionRecord> HashRecords();
absl::Span<const FunctionRecord> NetworkRecords();
absl::Span<const FunctionRecord> TypeRecords();

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_DOCUMENTATION_TABLES_H_
