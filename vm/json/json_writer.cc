// Values to JSON, plain and typed.
//
// Recursion is bounded by the depth of values. Tested by vm/json/json_writer_test.cc.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/path_text.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::AppendIndexStep;
using internal::AppendNameStep;
using internal::Excerpt;

using internal::LoadWord;
using internal::MarkBelow;
using internal::MarkByte;
using internal::MarkNonAscii;
namespace {

// Deeper values than this, far deeper than an evaluation makes by default, are refused rather than risking the stack.
constexpr uint32_t kMaxDepth = 10'000;

// Whether the eight bytes at `bytes` can stand between quotes as they are.
bool IsPlainWord(const char* bytes) {
  const uint64_t word = LoadWord(bytes);
  return (MarkNonAscii(word) | MarkBelow(0x20, word) | MarkByte(0x7f, word) | MarkByte('"', word) |
          MarkByte('\\', word)) == 0;
}

// A function object, so that it is inlined.
constexpr auto kIsPlainByte = [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };

// Whether the text can stand between quotes as it is. The last word overlaps the one before instead of a loop over the
// rest.
bool IsPlainText(std::string_view text) {
  if (text.size() < 8) return std::all_of(text.begin(), text.end(), kIsPlainByte);
  for (size_t at = 0; at + 8 < text.size(); at += 8) {
    if (!IsPlainWord(text.data() + at)) return false;
  }
  return IsPlainWord(text.data() + text.size() - 8);
}

// Most texts need no escape, and are appended in one go.
void AppendString(std::string_view text, std::string* out) {
  if (!IsPlainText(text)) return AppendJsonString(text, out);
  out->push_back('"');
  out->append(text);
  out->push_back('"');
}

// Where a text is written to, and how long it may become.
class Output {
 public:
  // Without bounds.
  explicit Output(std::string* text) : text_(text) {}
  Output(const Limits& limits, std::string* text)
      : text_(text),
        interruptible_(limits.interrupt.is_set()),
        limits_(&limits),
        max_size_(limits.max_output_bytes < SIZE_MAX - text->size() ? text->size() + limits.max_output_bytes
                                                                    : SIZE_MAX),
        fuel_(UINT64_MAX, &limits.interrupt) {}

  std::string* operator->() const { return text_; }
  std::string* text() const { return text_; }

  // Asked before `bytes` are appended that input controls, or for each value with those behind the last one.
  bool HasRoom(uint64_t bytes) {
    if (text_->size() > max_size_ || bytes > max_size_ - text_->size()) return false;
    return !interruptible_ || fuel_.Charge(1 + bytes / 64);
  }

  // Why there is no room.
  JsonError Failure() const {
    if (fuel_.interrupted()) {
      return {DiagnosticCode::kWritingInterrupted, "Writing the value was cancelled, or its deadline has passed."};
    }
    return {DiagnosticCode::kOutputTooLarge, "Written as JSON, the value takes more than the allowed " +
                                                 std::to_string(limits_->max_output_bytes) +
                                                 " bytes (limit max_output_bytes)."};
  }

  // The same bounds for a text that becomes a part of this one.
  Output Part(std::string* text) const {
    Output part = *this;
    part.text_ = text;
    part.max_size_ = max_size_ == SIZE_MAX ? SIZE_MAX : max_size_ - text_->size();
    return part;
  }

 private:
  std::string* text_;
  bool interruptible_ = false;
  const Limits* limits_ = nullptr;
  size_t max_size_ = SIZE_MAX;
  Fuel fuel_;
};

// Both writers return false where there is no room; the plain one also where a value has no form.

bool WriteString(std::string_view text, Output* out) {
  if (!out->HasRoom(text.size())) return false;
  AppendString(text, out->text());
  return true;
}

// A number of a few bytes may have very many digits.
bool WriteFiniteNumber(const Number& number, Output* out) {
  if (!number.is_inline() && !out->HasRoom(number.DigitCount())) return false;
  number.AppendTo(out->text());
  return true;
}

// Marks are not written: whoever must not show marked values asks before (has_marks). The path of an offender is put
// together while the recursion returns, so that it costs nothing where all is well.
class PlainWriter {
 public:
  explicit PlainWriter(Output* out) : out_(*out) {}

  bool Write(const Value& marked) {
    const Value& value = marked.unmarked();
    if (!out_.HasRoom(0)) return false;
    if (value.is_string()) return WriteString(value.AsString(), &out_);
    if (value.is_bool()) {
      out_->append(value.is_true() ? "true" : "false");
    } else if (value.is_number()) {
      return WriteNumber(value.AsNumber());
    } else if (value.is_null()) {
      out_->append("null");
    } else if (value.is_sequence()) {
      return WriteSequence(value);
    } else if (value.is_mapping()) {
      return WriteMapping(value);
    } else {
      return Fail(value.is_unknown() ? "the value is not known" : "the value has no form in JSON");
    }
    return true;
  }

  // Why Write() has returned false: the path of the offender and the reason.
  JsonError Failure() const {
    if (reason_ == nullptr) return out_.Failure();
    JsonError error(DiagnosticCode::kNoJsonForm, "");
    for (size_t i = path_.size(); i-- > 0;) error.path += path_[i];
    error.detail = error.path.empty() ? "" : error.path + ": ";
    error.detail += reason_;
    internal::CutText(kMaxMessageBytes, &error.detail);
    return error;
  }

 private:
  bool Fail(const char* why) {
    reason_ = why;
    return false;
  }

  bool WriteNumber(const Number& number) {
    return number.IsInfinite() ? Fail("JSON has no infinity") : WriteFiniteNumber(number, &out_);
  }

  bool WriteSequence(const Value& value) {
    out_->push_back('[');
    for (size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out_->push_back(',');
      if (!Write(value.elements()[i])) {
        AppendIndexStep(i, &path_.emplace_back());
        return false;
      }
    }
    out_->push_back(']');
    return true;
  }

  bool WriteMapping(const Value& value) {
    out_->push_back('{');
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string_view key = value.shape().keys[i].AsString();
      if (i > 0) out_->push_back(',');
      if (!WriteString(key, &out_)) return false;
      out_->push_back(':');
      if (!Write(value.values()[i])) {
        AppendNameStep(Excerpt(key), &path_.emplace_back());
        return false;
      }
    }
    out_->push_back('}');
    return true;
  }

  Output& out_;
  const char* reason_ = nullptr;
  std::vector<std::string> path_;  // of the offender, innermost first
};

void AppendTypes(const char* kind, Type type, std::string* out) {
  out->append("[\"").append(kind).append("\",");
  AppendTypeJson(type, out);
  out->push_back(']');
}

bool WriteTyped(const Value& value, Output* out);

bool WriteTypedItems(const Value& value, Output* out) {
  (*out)->push_back('[');
  for (size_t i = 0; i < value.size(); ++i) {
    if (i > 0) (*out)->push_back(',');
    if (!WriteTyped(value.elements()[i], out)) return false;
  }
  (*out)->push_back(']');
  return true;
}

// The elements are sorted by their texts, so that equal sets have one text whatever the order of their elements, which
// the specification leaves open (information-model.md, "Collection Types"). They are cut out of one text, which has the
// bounds of the whole.
bool WriteTypedSet(const Value& value, Output* out) {
  std::string text;
  Output part = out->Part(&text);
  std::vector<size_t> ends;
  for (const Value& element : value.elements()) {
    if (!WriteTyped(element, &part)) return false;
    ends.push_back(text.size());
  }
  std::vector<std::string_view> texts;
  size_t begin = 0;
  for (const size_t end : ends) {
    texts.push_back(std::string_view(text).substr(begin, end - begin));
    begin = end;
  }
  std::sort(texts.begin(), texts.end());
  (*out)->push_back('[');
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) (*out)->push_back(',');
    (*out)->append(texts[i]);
  }
  (*out)->push_back(']');
  return true;
}

bool WriteTypedMapping(const Value& value, Output* out) {
  (*out)->push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    if (i > 0) (*out)->push_back(',');
    if (!WriteString(value.shape().keys[i].AsString(), out)) return false;
    (*out)->push_back(':');
    if (!WriteTyped(value.values()[i], out)) return false;
  }
  (*out)->push_back('}');
  return true;
}

bool WriteTypedNumber(const Number& number, Output* out) {
  if (!number.IsInfinite()) return WriteFiniteNumber(number, out);
  (*out)->append(number.Sign() < 0 ? "{\"$number\":\"-Inf\"}" : "{\"$number\":\"+Inf\"}");
  return true;
}

bool WriteBound(const char* name, const NumberBound& bound, Output* out) {
  (*out)->append(",\"").append(name).append("\":");
  if (!WriteTypedNumber(bound.value, out)) return false;
  if (!bound.inclusive) (*out)->append(",\"").append(name).append("_exclusive\":true");
  return true;
}

bool WriteRefinement(const Refinement& r, Output* out) {
  (*out)->append(",\"refinement\":{\"not_null\":").append(r.not_null ? "true" : "false");
  if (r.min && !WriteBound("min", *r.min, out)) return false;
  if (r.max && !WriteBound("max", *r.max, out)) return false;
  if (!r.prefix.empty()) {
    (*out)->append(",\"prefix\":");
    if (!WriteString(r.prefix, out)) return false;
  }
  if (r.min_length != 0) (*out)->append(",\"min_length\":").append(std::to_string(r.min_length));
  if (r.max_length != UINT64_MAX) (*out)->append(",\"max_length\":").append(std::to_string(r.max_length));
  (*out)->push_back('}');
  return true;
}

bool WriteUnknown(const Value& value, Output* out) {
  (*out)->append("{\"$unknown\":");
  AppendTypeJson(value.null_or_unknown_type(), out->text());
  if (value.refinement() != nullptr && !WriteRefinement(*value.refinement(), out)) return false;
  (*out)->push_back('}');
  return true;
}

// Every value has a form, errors included, which only listings show: tests and listings must not fail on what they are
// to show. Types are written once at the top; an unknown value brings its own, because the type at its place may be
// dynamic.
bool WriteTyped(const Value& marked, Output* out) {
  const Value& value = marked.unmarked();
  if (!out->HasRoom(0)) return false;
  if (value.is_string()) return WriteString(value.AsString(), out);
  if (value.is_number()) return WriteTypedNumber(value.AsNumber(), out);
  if (value.is_unknown()) return WriteUnknown(value, out);
  if (value.is_set()) return WriteTypedSet(value, out);
  if (value.is_sequence()) return WriteTypedItems(value, out);
  if (value.is_mapping()) return WriteTypedMapping(value, out);
  if (value.is_bool()) {
    (*out)->append(value.is_true() ? "true" : "false");
  } else if (value.is_capsule()) {
    (*out)->append("{\"$capsule\":");
    AppendString(value.capsule().type.capsule().name, out->text());
    (*out)->push_back('}');
  } else {
    (*out)->append("null");
  }
  return true;
}

// Deeper values are refused before the recursion.
bool WritePlain(const Value& value, Output* out, JsonError* error) {
  if (value.depth() > kMaxDepth) {
    *error = JsonError(DiagnosticCode::kTooDeepToWrite, "the value is nested too deeply");
    return false;
  }
  PlainWriter writer(out);
  if (writer.Write(value) && out->HasRoom(0)) return true;
  *error = writer.Failure();
  return false;
}

// Takes back what a failed `write` has written, also when memory was refused.
template <typename Write>
bool Bounded(std::string* out, JsonError* error, Write write) {
  const size_t begin = out->size();
  const bool written = internal::WithMemory(write, [&] {
    *error = JsonError(DiagnosticCode::kOutOfMemory, internal::kOutOfMemoryDetail);
    return false;
  });
  if (!written) out->resize(begin);
  return written;
}

bool WriteTypedWhole(const Value& value, TypeTable* types, Output* out) {
  (*out)->append("{\"type\":");
  AppendTypeJson(TypeOf(value, types), out->text());
  (*out)->append(",\"value\":");
  if (!WriteTyped(value, out) || !out->HasRoom(1)) return false;
  (*out)->push_back('}');
  return true;
}

}  // namespace

// The depth is asked first (it takes constant time), so that recursion cannot overflow the stack: hosts may pass values
// of any depth.
bool AppendJson(const Value& value, const Limits& limits, std::string* out, JsonError* error) {
  return Bounded(out, error, [&] {
    Output output(limits, out);
    return WritePlain(value, &output, error);
  });
}

bool AppendJson(const Value& value, std::string* out, std::string* reason) {
  Output output(out);
  JsonError error;
  if (WritePlain(value, &output, &error)) return true;
  *reason = std::move(error.detail);
  return false;
}

// The form that conformance cases have, read back by ParseTypeJson() but for capsules. Recursion follows the depth of
// the type.
void AppendTypeJson(Type type, std::string* out) {
  switch (type.kind()) {
    case TypeKind::kDynamic:
    case TypeKind::kBool:
    case TypeKind::kNumber:
    case TypeKind::kString:
      return AppendString(FriendlyName(type), out);
    case TypeKind::kList:
      return AppendTypes("list", type.element(), out);
    case TypeKind::kSet:
      return AppendTypes("set", type.element(), out);
    case TypeKind::kMap:
      return AppendTypes("map", type.element(), out);
    case TypeKind::kCapsule:
      out->append("[\"capsule\",");
      AppendString(type.capsule().name, out);
      out->push_back(']');
      return;
    case TypeKind::kTuple:
    case TypeKind::kObject:
      break;
  }
  bool tuple = type.kind() == TypeKind::kTuple;
  out->append(tuple ? "[\"tuple\",[" : "[\"object\",{");
  for (size_t i = 0; i < type.size(); ++i) {
    if (i > 0) out->push_back(',');
    if (!tuple) {
      AppendString(type.shape().keys[i].AsString(), out);
      out->push_back(':');
    }
    AppendTypeJson(type.element(i), out);
  }
  out->append(tuple ? "]]" : "}]");
}

bool AppendTypedJson(const Value& value, const Limits& limits, TypeTable* types, std::string* out, JsonError* error) {
  return Bounded(out, error, [&] {
    Output output(limits, out);
    if (WriteTypedWhole(value, types, &output)) return true;
    *error = output.Failure();
    return false;
  });
}

void AppendTypedValueJson(const Value& value, TypeTable*, std::string* out) {
  Output output(out);
  WriteTyped(value, &output);
}

void AppendTypedJson(const Value& value, TypeTable* types, std::string* out) {
  Output output(out);
  WriteTypedWhole(value, types, &output);
}

}  // namespace hcl
