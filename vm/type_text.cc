// Types as declarations write them. Tested by module/type_text_test.cc.

#include "hclvm/vm/type_text.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/json/json.h"

namespace hcl::internal {
namespace {

std::string Blanks(size_t count) { return std::string(count, ' '); }

constexpr size_t kStep = 2;  // blanks of a level
constexpr size_t kAnyWidth = SIZE_MAX;

// An attribute of an object whose value may be left out says so around its type.
std::string AttributeText(Type type, const TypeDefaults* object, const std::string& name,
                          const TypeTextOptions& options) {
  std::string text = TypeText(type, PartOf(object, name), options);
  const Value* const value = DefaultOf(object, name);
  if (value == nullptr) return text;
  if (value->is_null()) return absl::StrCat("optional(", text, ")");
  return absl::StrCat("optional(", text, ", ", options.hides_values ? "..." : ValueText(*value), ")");
}

// In a single line or with one for each attribute, where the equals signs stand below each other as people align them.
std::string ObjectText(Type type, const TypeDefaults* defaults, const TypeTextOptions& options) {
  if (type.size() == 0) return "object({})";
  const Shape& shape = type.shape();
  const bool broken = options.width != kAnyWidth;
  TypeTextOptions inner = options;
  inner.indent += kStep;
  size_t longest = 0;
  for (size_t n = 0; broken && n < type.size(); ++n) {
    longest = std::max(longest, NameText(shape.keys[n].AsString()).size());
  }
  std::string text = broken ? "object({\n" : "object({ ";
  for (size_t n = 0; n < type.size(); ++n) {
    const std::string name(shape.keys[n].AsString());
    const std::string shown = NameText(name);
    const std::string value = AttributeText(type.element(n), defaults, name, inner);
    if (broken) {
      absl::StrAppend(&text, Blanks(inner.indent), shown, Blanks(longest - shown.size()), " = ", value, "\n");
    } else {
      absl::StrAppend(&text, n == 0 ? "" : ", ", shown, " = ", value);
    }
  }
  absl::StrAppend(&text, broken ? Blanks(options.indent) : " ", "})");
  return text;
}

std::string TupleText(Type type, const TypeDefaults* defaults, const TypeTextOptions& options) {
  std::string text = "tuple([";
  for (size_t n = 0; n < type.size(); ++n) {
    absl::StrAppend(&text, n == 0 ? "" : ", ", TypeText(type.element(n), PartOf(defaults, absl::StrCat(n)), options));
  }
  return text + "])";
}

// With as many lines as it takes, or in a single one where the width is kAnyWidth.
std::string WholeText(Type type, const TypeDefaults* defaults, const TypeTextOptions& options) {
  if (type.is_collection()) {
    const char* const name = type.kind() == TypeKind::kList ? "list(" : type.kind() == TypeKind::kSet ? "set(" : "map(";
    return absl::StrCat(name, TypeText(type.element(), ElementOf(defaults), options), ")");
  }
  if (type.kind() == TypeKind::kObject) return ObjectText(type, defaults, options);
  if (type.kind() == TypeKind::kTuple) return TupleText(type, defaults, options);
  return ToTypeSyntax(type);
}

}  // namespace

// Whether it fits a line is asked at each level anew, so that short parts of a long type stay in one.
std::string TypeText(Type type, const TypeDefaults* defaults, const TypeTextOptions& options) {
  TypeTextOptions single = options;
  single.width = kAnyWidth;
  std::string text = WholeText(type, defaults, single);
  if (text.size() > options.width) text = WholeText(type, defaults, options);
  return text;
}

std::string ValueText(const Value& value) {
  std::string text;
  std::string unused;
  if (!AppendJson(value, &text, &unused)) return "null";
  return absl::StrReplaceAll(text, {{"${", "$${"}, {"%{", "%%{"}});
}

std::string NameText(std::string_view name) {
  return IsIdentifier(name) ? std::string(name) : ValueText(Value::StringView(name));
}

}  // namespace hcl::internal
