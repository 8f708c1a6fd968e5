// FormatTemplate. Tested by vm/functions/format_functions_test.cc.

#include "hclvm/vm/functions/format_template.h"

#include <algorithm>

#include "hclvm/base/unicode.h"

namespace hcl::internal {

// A mistake ends the pieces at the verb at fault and is kept in it: the text before it is formatted first, so that a
// mistake in an argument before it is reported before it.
FormatTemplate::FormatTemplate(std::string_view format) : format_(format) {
  while (at_ < format_.size()) {
    const size_t percent = std::min(format_.find('%', at_), format_.size());
    if (percent > at_) {
      FormatPiece literal;
      literal.text = format_.substr(at_, percent - at_);
      pieces_.push_back(literal);
    }
    at_ = percent;
    if (at_ < format_.size() && !ReadVerb()) return;
  }
}

bool FormatTemplate::Accept(char c) {
  if (at_ == format_.size() || format_[at_] != c) return false;
  ++at_;
  return true;
}

bool FormatTemplate::AtDigit() const { return at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; }

// The count is cut at kMaxFormatWidth while reading, so that no number of digits overflows.
int64_t FormatTemplate::ReadCount() {
  int64_t count = 0;
  for (; AtDigit(); ++at_) count = std::min(count * 10 + (format_[at_] - '0'), kMaxFormatWidth);
  return count;
}

void FormatTemplate::ReadFlags(FormatSpec* spec) {
  for (;; ++at_) {
    const char c = at_ < format_.size() ? format_[at_] : '\0';
    if (c == '0') {
      spec->zero = true;
    } else if (c == '#') {
      spec->sharp = true;
    } else if (c == '+') {
      spec->plus = true;
    } else if (c == '-') {
      spec->minus = true;
    } else if (c == ' ') {
      spec->space = true;
    } else {
      return;
    }
  }
}

// `%%` is a piece of text, one percent sign of the format itself, so that nothing is copied.
bool FormatTemplate::ReadVerb() {
  FormatPiece piece;
  piece.begin = at_++;
  if (Accept('%')) {
    piece.text = format_.substr(piece.begin, 1);
    pieces_.push_back(piece);
    return true;
  }
  piece.is_verb = true;
  piece.fault = ReadParts(&piece);
  piece.text = format_.substr(piece.begin, at_ - piece.begin);
  pieces_.push_back(piece);
  return piece.fault == nullptr;
}

// The order is the reference's: flags, width, precision, argument number, verb. An argument that is chosen by number
// also moves the next verb to the one behind it.
const char* FormatTemplate::ReadParts(FormatPiece* piece) {
  FormatSpec* spec = &piece->spec;
  ReadFlags(spec);
  if (AtDigit()) spec->width = ReadCount();
  // Without digits the precision is 0.
  if (Accept('.')) spec->precision = ReadCount();
  if (Accept('[')) {
    next_ = static_cast<size_t>(ReadCount());
    if (!Accept(']') || next_ == 0) return "an argument's number, from 1, is required in brackets";
    --next_;
  }
  if (at_ == format_.size()) return "the verb is missing";
  spec->verb = format_[at_++];
  constexpr std::string_view kVerbs = "vtbdoxXeEfgGsq";
  if (kVerbs.find(spec->verb) == std::string_view::npos) {
    // The message shows the whole character.
    at_ += DecodeUtf8(format_, at_ - 1).bytes - 1;
    return "there is no such verb";
  }
  piece->argument = next_++;
  return nullptr;
}

}  // namespace hcl::internal
