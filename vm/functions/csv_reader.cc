// CsvReader. Tested by vm/functions/encoding_functions_test.cc.

#include "hclvm/vm/functions/csv_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace hcl::internal {

bool CsvReader::Fail(const char* what) {
  error_ = absl::StrCat("line ", line_, ": ", what);
  return false;
}

// A CR alone is a character of a field, but for the last byte of the text.
size_t CsvReader::LineEndAt(size_t at) const {
  if (at == text_.size()) return 0;
  if (text_[at] == '\n') return 1;
  if (text_[at] != '\r') return 0;
  if (at + 1 == text_.size()) return 1;
  return text_[at + 1] == '\n' ? 2 : 0;
}

// Records are as in RFC 4180, but empty lines are skipped, as the reference does. A record is read whole, since only
// its end tells how many fields it has; the caller compares them with the header. Fields are views of the text wherever
// they stand there literally.
bool CsvReader::Next(std::vector<std::string_view>* fields) {
  fields->clear();
  for (size_t bytes = LineEndAt(at_); bytes > 0; bytes = LineEndAt(at_)) {
    at_ += bytes;
    ++line_;
  }
  if (at_ == text_.size() || !error_.empty()) return false;
  record_line_ = line_;
  for (;;) {
    std::string_view field;
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    if (!(quoted ? ReadQuoted(&field) : ReadPlain(&field))) return false;
    fields->push_back(field);
    if (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      continue;
    }
    const size_t bytes = LineEndAt(at_);
    at_ += bytes;
    line_ += bytes > 0 ? 1 : 0;
    return true;
  }
}

// A quote inside of a field without quotes is ambiguous, and refused, as in the reference.
bool CsvReader::ReadPlain(std::string_view* field) {
  const size_t begin = at_;
  size_t end = std::min(text_.find_first_of(",\n", begin), text_.size());
  if (end > begin && text_[end - 1] == '\r' && (end == text_.size() || text_[end] == '\n')) --end;
  at_ = end;
  *field = text_.substr(begin, end - begin);
  if (field->find('"') != std::string_view::npos) return Fail("a quote in a field that does not begin with one");
  return true;
}

// The field is copied only from the first place on where it differs from the text: a doubled quote, or CR LF, which
// becomes LF as in the reference. Lines inside of the field count for the numbers in messages.
bool CsvReader::ReadQuoted(std::string_view* field) {
  std::string changed;  // the field up to `begin`, once it differs from the text
  size_t begin = ++at_;
  for (;;) {
    at_ = text_.find_first_of("\"\n", at_);
    if (at_ == std::string_view::npos) {
      at_ = text_.size();
      return Fail("the quoted field is not closed");
    }
    if (text_[at_] == '\n') {
      ++line_;
      ++at_;
      if (at_ >= begin + 2 && text_[at_ - 2] == '\r') {
        changed.append(text_.substr(begin, at_ - 2 - begin)).push_back('\n');
        begin = at_;
      }
      continue;
    }
    const size_t next = at_ + 1;
    if (next < text_.size() && text_[next] == '"') {
      changed.append(text_.substr(begin, next - begin));
      at_ = begin = next + 1;
      continue;
    }
    const std::string_view last = text_.substr(begin, at_ - begin);
    *field = changed.empty() ? last : std::string_view(arena_->CopyString(changed.append(last)));
    at_ = next;
    if (at_ == text_.size() || text_[at_] == ',' || LineEndAt(at_) > 0) return true;
    return Fail("the quote that ends a field must be followed by a comma or the end of the line");
  }
}

}  // namespace hcl::internal
