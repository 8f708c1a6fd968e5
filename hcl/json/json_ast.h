// JSON trees: what a text in HCL's JSON syntax says, with the place of everything, before a schema or an evaluation
// gives it a meaning.
//
// A tree is made by ParseJson() and lives in its JsonFile. Values are trivial structs in the file's arena; their depth
// is bounded by Limits::max_nesting_depth. Strings without escapes are views of the source text.
//
// Specification: json-syntax.md; RFC 8259. Tested by hcl/json/json_parser_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_AST_H_
#define HCLVM_HCL_JSON_JSON_AST_H_

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {

enum class JsonKind : uint8_t {
  kInvalid,  // stands where the parser has reported an error
  kNull,
  kTrue,
  kFalse,
  kNumber,
  kString,
  kArray,
  kObject,
};

struct JsonProperty;

// One value. Plain data, immutable once parsed; what it points to lives as long as its JsonFile.
class JsonValue {
 public:
  JsonValue() = default;
  // A value without parts: kInvalid, kNull, kTrue, kFalse.
  JsonValue(JsonKind kind, SourceRange range) : kind_(kind), range_(range) {}
  // A number, with its spelling, or a string, with its text decoded. `has_escapes`: the text is not the source's.
  JsonValue(JsonKind kind, SourceRange range, std::string_view text, bool has_escapes = false)
      : kind_(kind),
        has_escapes_(has_escapes),
        range_(range),
        size_(static_cast<uint32_t>(text.size())),
        data_(text.data()) {}
  JsonValue(SourceRange range, absl::Span<const JsonValue> elements)
      : kind_(JsonKind::kArray), range_(range), size_(static_cast<uint32_t>(elements.size())), data_(elements.data()) {}
  JsonValue(SourceRange range, absl::Span<const JsonProperty> properties);

  JsonKind kind() const { return kind_; }

  // The range with brackets and quotes.
  SourceRange range() const { return range_; }

  // Where messages about the value point: an array's or object's opening bracket, otherwise the whole.
  SourceRange start() const { return kind_ < JsonKind::kArray ? range_ : SourceRange{range_.begin, range_.begin + 1}; }

  // An array's or object's closing bracket; the end of the text when that is missing.
  SourceRange close() const { return {range_.end - (is_closed_ ? 1 : 0), range_.end}; }

  // The spelling of a number; the characters of a string, escapes decoded, not normalized but for names of properties.
  // Requires such a value.
  std::string_view text() const {
    HCL_DCHECK(kind_ == JsonKind::kNumber || kind_ == JsonKind::kString);
    return {static_cast<const char*>(data_), size_};
  }

  // True for a string whose text differs from its source.
  bool has_escapes() const { return has_escapes_; }

  // The elements of an array, the properties of an object, in the order of the text; requires such a value.
  absl::Span<const JsonValue> elements() const {
    HCL_DCHECK(kind_ == JsonKind::kArray);
    return {static_cast<const JsonValue*>(data_), size_};
  }
  absl::Span<const JsonProperty> properties() const;

  // Marks an array or object that ends without its bracket.
  void SetUnclosed() { is_closed_ = false; }

 private:
  JsonKind kind_ = JsonKind::kInvalid;
  bool has_escapes_ = false;
  bool is_closed_ = true;
  SourceRange range_;
  uint32_t size_ = 0;           // bytes, elements or properties
  const void* data_ = nullptr;  // char, JsonValue or JsonProperty
};

// A property of an object. Names may repeat: what that means depends on what the object stands for.
struct JsonProperty {
  JsonValue name;  // kString
  JsonValue value;

  SourceRange range() const { return Cover(name.range(), value.range()); }
};

inline JsonValue::JsonValue(SourceRange range, absl::Span<const JsonProperty> properties)
    : kind_(JsonKind::kObject),
      range_(range),
      size_(static_cast<uint32_t>(properties.size())),
      data_(properties.data()) {}

inline absl::Span<const JsonProperty> JsonValue::properties() const {
  HCL_DCHECK(kind_ == JsonKind::kObject);
  return {static_cast<const JsonProperty*>(data_), size_};
}

// The name under which objects that are bodies hold comments.
constexpr std::string_view kJsonComment = "//";

}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_AST_H_
