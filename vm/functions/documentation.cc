// Finding records. Tested by vm/functions/standard_test.cc.

#include "hclvm/vm/functions/documentation.h"

#include "hclvm/vm/functions/documentation_tables.h"

namespace hcl {

// One table for each family, in files of their own: they are long, and nothing but the documentation reads them. A test
// compares them with the registered functions.
absl::Span<const FunctionRecord> RecordsOf(FunctionFamily family) {
  switch (family) {
    case FunctionFamily::kNumeric:
      return internal::NumericRecords();
    case FunctionFamily::kString:
      return internal::StringRecords();
    case FunctionFamily::kCollection:
      return internal::CollectionRecords();
    case FunctionFamily::kEncoding:
      return internal::EncodingRecords();
    case FunctionFamily::kDate:
      return internal::DateRecords();
    case FunctionFamily::kHash:
      return internal::HashRecords();
    case FunctionFamily::kNetwork:
      return internal::NetworkRecords();
    case FunctionFamily::kType:
      return internal::TypeRecords();
  }
  return {};
}

// The search is linear over about a hundred records, since it serves a person who asks for one function.
const FunctionRecord* FindRecord(std::string_view name, FunctionFamily* family) {
  for (FunctionFamily f : kFunctionFamilies) {
    for (const FunctionRecord& record : RecordsOf(f)) {
      if (record.name != name) continue;
      *family = f;
      return &record;
    }
  }
  return nullptr;
}

std::string CallForm(const FunctionRecord& record) {
  std::string out(record.name);
  out += "(";
  // Takes the names out of "NAME: TYPE; NAME: TYPE".
  for (std::string_view rest = record.parameters; !rest.empty();) {
    if (out.back() != '(') out += ", ";
    out += rest.substr(0, rest.find(':'));
    const size_t next = rest.find("; ");
    rest = next == std::string_view::npos ? std::string_view() : rest.substr(next + 2);
  }
  return out + ")";
}

}  // namespace hcl
