// Values to JSON, plain and typed.
//
// Recursion is bounded by the depth of values. Tested by vm/json/json_writer_test.cc.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
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

// Marks are not written: whoever must not show marked values asks before (has_marks). The path of an offender is put
// together while the recursion returns, so that it costs nothing where all is well.
class PlainWriter {
 public:
  PlainWriter(std::string* out, std::string* reason) : out_(out), reason_(reason) {}

  bool Write(const Value& marked) {
    const Value& value = marked.unmarked();
    if (value.is_string()) {
      AppendString(value.AsString(), out_);
    } else if (value.is_bool()) {
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

 private:
  bool Fail(const char* why) {
    *reason_ = why;
    return false;
  }

  bool WriteNumber(const Number& number) {
    if (number.IsInfinite()) return Fail("JSON has no infinity");
    number.AppendTo(out_);
    return true;
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
      if (i > 0) out_->push_back(',');
      AppendString(value.shape().keys[i].AsString(), out_);
      out_->push_back(':');
      if (!Write(value.values()[i])) {
        AppendNameStep(value.shape().keys[i].AsString(), &path_.emplace_back());
        return false;
      }
    }
    out_->push_back('}');
    return true;
  }

 public:
  // The reason, after the path of the offender.
  std::string ReasonWithPath() const {
    std::string text;
    for (size_t i = path_.size(); i-- > 0;) text += path_[i];
    return text.empty() ? *reason_ : text + ": " + *reason_;
  }

 private:
  std::string* out_;
  std::string* reason_;
  std::vector<std::string> path_;  // of the offender, innermost first
};

void AppendTypes(const char* kind, Type type, std::string* out) {
  out->append("[\"").append(kind).append("\",");
  AppendTypeJson(type, out);
  out->push_back(']');
}

void AppendTypedValue(const Value& value, std::string* out);

void AppendTypedItems(const Value& value, std::string* out) {
  out->push_back('[');
  for (size_t i = 0; i < value.size(); ++i) {
    if (i > 0) out->push_back(',');
    AppendTypedValue(value.elements()[i], out);
  }
  out->push_back(']');
}

// The elements are sorted by their texts, so that equal sets have one text whatever the order of their elements, which
// the specification leaves open (information-model.md, "Collection Types").
void AppendTypedSet(const Value& value, std::string* out) {
  std::vector<std::string> texts;
  for (const Value& element : value.elements()) AppendTypedValue(element, &texts.emplace_back());
  std::sort(texts.begin(), texts.end());
  out->push_back('[');
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out->push_back(',');
    out->append(texts[i]);
  }
  out->push_back(']');
}

void AppendTypedMapping(const Value& value, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    if (i > 0) out->push_back(',');
    AppendString(value.shape().keys[i].AsString(), out);
    out->push_back(':');
    AppendTypedValue(value.values()[i], out);
  }
  out->push_back('}');
}

void AppendTypedNumber(const Number& number, std::string* out) {
  if (!number.IsInfinite()) return number.AppendTo(out);
  out->append(number.Sign() < 0 ? "{\"$number\":\"-Inf\"}" : "{\"$number\":\"+Inf\"}");
}

void AppendBound(const char* name, const NumberBound& bound, std::string* out) {
  out->append(",\"").append(name).append("\":");
  AppendTypedNumber(bound.value, out);
  if (!bound.inclusive) out->append(",\"").append(name).append("_exclusive\":true");
}

void AppendRefinement(const Refinement& r, std::string* out) {
  out->append(",\"refinement\":{\"not_null\":").append(r.not_null ? "true" : "false");
  if (r.min) AppendBound("min", *r.min, out);
  if (r.max) AppendBound("max", *r.max, out);
  if (!r.prefix.empty()) {
    out->append(",\"prefix\":");
    AppendString(r.prefix, out);
  }
  if (r.min_length != 0) out->append(",\"min_length\":").append(std::to_string(r.min_length));
  if (r.max_length != UINT64_MAX) out->append(",\"max_length\":").append(std::to_string(r.max_length));
  out->push_back('}');
}

// Every value has a form, errors included, which only listings show: tests and listings must not fail on what they are
// to show. Types are written once at the top; an unknown value brings its own, because the type at its place may be
// dynamic.
void AppendTypedValue(const Value& marked, std::string* out) {
  const Value& value = marked.unmarked();
  if (value.is_string()) {
    AppendString(value.AsString(), out);
  } else if (value.is_number()) {
    AppendTypedNumber(value.AsNumber(), out);
  } else if (value.is_bool()) {
    out->append(value.is_true() ? "true" : "false");
  } else if (value.is_unknown()) {
    out->append("{\"$unknown\":");
    AppendTypeJson(value.null_or_unknown_type(), out);
    if (value.refinement() != nullptr) AppendRefinement(*value.refinement(), out);
    out->push_back('}');
  } else if (value.is_set()) {
    AppendTypedSet(value, out);
  } else if (value.is_sequence()) {
    AppendTypedItems(value, out);
  } else if (value.is_mapping()) {
    AppendTypedMapping(value, out);
  } else if (value.is_capsule()) {
    out->append("{\"$capsule\":");
    AppendString(value.capsule().type.capsule().name, out);
    out->push_back('}');
  } else {
    out->append("null");
  }
}

}  // namespace

// The depth is asked first (it takes constant time), so that recursion cannot overflow the stack: hosts may pass values
// of any depth.
bool AppendJson(const Value& value, std::string* out, std::string* reason) {
  if (value.depth() > kMaxDepth) {
    *reason = "the value is nested too deeply";
    return false;
  }
  PlainWriter writer(out, reason);
  if (writer.Write(value)) return true;
  *reason = writer.ReasonWithPath();
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

void AppendTypedValueJson(const Value& value, TypeTable*, std::string* out) { AppendTypedValue(value, out); }

void AppendTypedJson(const Value& value, TypeTable* types, std::string* out) {
  out->append("{\"type\":");
  AppendTypeJson(TypeOf(value, types), out);
  out->append(",\"value\":");
  AppendTypedValue(value, out);
  out->push_back('}');
}

}  // namespace hcl
