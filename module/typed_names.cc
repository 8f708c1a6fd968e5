// Types of names as texts. Tested by module/typed_names_test.cc.

#include "hclvm/module/typed_names.h"

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/printable.h"
#include "hclvm/vm/type_text.h"

namespace hcl::internal {
namespace {

void Append(const StaticType& type, std::string* text);

// False where the text is long enough, which it then says.
bool HasRoom(std::string* text) {
  if (text->size() < kMaxTypeText) return true;
  absl::StrAppend(text, "...");
  return false;
}

void AppendAttributes(const StaticType& type, std::string* text) {
  absl::StrAppend(text, "object({");
  for (size_t n = 0; n < type.parts.size(); ++n) {
    absl::StrAppend(text, n > 0 ? ", " : " ");
    if (!HasRoom(text)) break;
    // Of `any`, which may be null, nothing more is said.
    const bool optional = type.parts[n]->nullable && type.parts[n]->kind != StaticKind::kAny;
    absl::StrAppend(text, NameText(type.names[n]), " = ", optional ? "optional(" : "");
    Append(*type.parts[n], text);
    absl::StrAppend(text, optional ? ")" : "");
  }
  if (type.is_open) absl::StrAppend(text, type.parts.empty() ? " ..." : ", ...");
  absl::StrAppend(text, type.parts.empty() && !type.is_open ? "})" : " })");
}

// Recursion follows the depth of the type, which the nesting of texts bounds, or ends where the text is long enough.
void Append(const StaticType& type, std::string* text) {
  switch (type.kind) {
    case StaticKind::kList:
    case StaticKind::kSet:
    case StaticKind::kMap:
      absl::StrAppend(text, type.kind == StaticKind::kList ? "list(" : type.kind == StaticKind::kSet ? "set(" : "map(");
      if (HasRoom(text)) {
        // There is no such type, and what an element is has to be said all the same.
        const bool or_null = type.element->nullable && type.element->kind > StaticKind::kNull;
        Append(*type.element, text);
        absl::StrAppend(text, or_null ? " or null" : "");
      }
      absl::StrAppend(text, ")");
      // Loops make tuples and objects, and what a list or map beside one of these becomes hangs on its length or keys.
      if (type.kind == StaticKind::kList && !type.is_exact) absl::StrAppend(text, " or tuple");
      if (type.kind == StaticKind::kMap && !type.is_exact) absl::StrAppend(text, " or object");
      return;
    case StaticKind::kTuple:
      absl::StrAppend(text, "tuple([");
      for (size_t n = 0; n < type.parts.size(); ++n) {
        absl::StrAppend(text, n > 0 ? ", " : "");
        if (!HasRoom(text)) break;
        Append(*type.parts[n], text);
        absl::StrAppend(text, type.parts[n]->nullable && type.parts[n]->kind > StaticKind::kNull ? " or null" : "");
      }
      absl::StrAppend(text, "])");
      return;
    case StaticKind::kObject:
      return AppendAttributes(type, text);
    default:
      absl::StrAppend(text, NameOf(type));
  }
}

const char* WordOf(TypedName::Kind kind) {
  switch (kind) {
    case TypedName::Kind::kVariable:
      return "variable";
    case TypedName::Kind::kLocal:
      return "local";
    case TypedName::Kind::kFunction:
      return "function";
    case TypedName::Kind::kAttribute:
      return "attribute";
    case TypedName::Kind::kSpec:
      return "spec";
  }
  return "";
}

}  // namespace

std::string SyntaxOf(const StaticType& type) {
  std::string text;
  Append(type, &text);
  return text;
}

std::string ToText(const TypedName& name) {
  return absl::StrCat(WordOf(name.kind), " ", Printable(name.name), ": ", Printable(name.type),
                      name.nullable ? " or null" : "");
}

std::string ToJson(const TypedName& name) {
  std::string text = absl::StrCat("{\"kind\":\"", WordOf(name.kind), "\",\"name\":");
  AppendJsonString(name.name, &text);
  absl::StrAppend(&text, ",\"type\":");
  AppendJsonString(name.type, &text);
  absl::StrAppend(&text, ",\"nullable\":", name.nullable ? "true" : "false");
  if (name.source != nullptr) {
    const SourcePosition at = name.source->PositionAt(name.range.begin);
    absl::StrAppend(&text, ",\"filename\":");
    AppendJsonString(name.source->name(), &text);
    absl::StrAppend(&text, ",\"line\":", at.line, ",\"column\":", at.column);
  }
  return text + "}";
}

}  // namespace hcl::internal
