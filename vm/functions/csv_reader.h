// CsvReader: comma-separated values as RFC 4180 has them, record by record.
//
// Tested by vm/functions/encoding_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_CSV_READER_H_
#define HCLVM_VM_FUNCTIONS_CSV_READER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"

namespace hcl::internal {

// Lines end with LF or CR LF, which in a quoted field becomes LF. Empty lines are skipped. A field is either without
// quotes or wholly in quotes, where two stand for one. Not thread-safe.
class CsvReader {
 public:
  // Both must outlive the reader; `text` as long as the fields.
  CsvReader(std::string_view text, Arena* arena) : text_(text), arena_(arena) {}

  // Reads the next record; false at the end, and when the text is malformed. Fields are parts of the text, or live in
  // the arena.
  bool Next(std::vector<std::string_view>* fields);

  // What is wrong, as a phrase that names the line; empty when nothing is.
  const std::string& error() const { return error_; }
  // The line on which the last record began, from 1.
  size_t record_line() const { return record_line_; }

 private:
  // Bytes of the line's end at `at`: 0 when there is none. A CR at the end of the text counts as one.
  size_t LineEndAt(size_t at) const;
  // The field that begins here, up to the comma or the line's end; false on failure.
  bool ReadPlain(std::string_view* field);
  bool ReadQuoted(std::string_view* field);
  bool Fail(const char* what);

  std::string_view text_;
  Arena* arena_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t record_line_ = 1;
  std::string error_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_CSV_READER_H_
