// Tested by its users.

#include "hclvm/tests/slow/declared.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/type_defaults.h"

namespace hcl::testing_support {
namespace {

// The type that `value` can be declared with so that it stays as it is, in type syntax; "any" where there is none,
// since elements may not be null in a declared type.
std::string SyntaxOf(const Value& value, TypeTable* types);

// "optional(T)" for an attribute that is null.
std::string AttributeSyntax(const Value& value, TypeTable* types) {
  if (!value.is_null()) return SyntaxOf(value, types);
  const Type type = value.null_or_unknown_type();
  return type.is_dynamic() ? "any" : absl::StrCat("optional(", ToTypeSyntax(type), ")");
}

std::string SyntaxOf(const Value& value, TypeTable* types) {
  if (value.is_marked() || value.has_marks() || !value.is_wholly_known() || value.is_null()) return "any";
  if (value.is_object()) {
    std::string text = "object({";
    for (uint32_t n = 0; n < value.shape().size; ++n) {
      absl::StrAppend(&text, n > 0 ? ", " : "", "\"", std::string(value.shape().keys[n].AsString()),
                      "\" = ", AttributeSyntax(value.values()[n], types));
    }
    return text + "})";
  }
  if (value.is_tuple()) {
    std::string text = "tuple([";
    for (size_t n = 0; n < value.size(); ++n) {
      if (value.elements()[n].is_null()) return "any";
      absl::StrAppend(&text, n > 0 ? ", " : "", SyntaxOf(value.elements()[n], types));
    }
    return text + "])";
  }
  if (value.is_sequence() || value.is_mapping()) {
    for (const Value& item : value.is_sequence() ? value.elements() : value.values()) {
      if (item.is_null() || SyntaxOf(item, types) == "any") return "any";
      // Parts of elements may be null only where their type says so, which is not told by one value.
      if (!(item.is_bool() || item.is_number() || item.is_string() || item.is_capsule()) &&
          absl::StrContains(SyntaxOf(item, types), "optional")) {
        return "any";
      }
    }
  }
  if (value.is_capsule()) return "any";
  return ToTypeSyntax(TypeOf(value, types));
}

// Of type `any`, little that is deep.
void AppendAny(int depth, Generator* random, std::string* text);

void AppendScalar(TypeKind kind, Generator* random, std::string* text) {
  if (kind == TypeKind::kBool) {
    *text += random->Pick({"true", "false"});
  } else if (kind == TypeKind::kNumber) {
    *text += random->Pick({"0", "1", "2", "-3", "2.5", "17", "1e20"});
  } else {
    *text +=
        random->Pick({R"("")", R"("a")", R"("b")", R"("5")", R"("true")", R"("hello")", R"("2024-05-01T12:00:00Z")"});
  }
}

void AppendValue(Type type, const TypeDefaults* defaults, Generator* random, std::string* text) {
  switch (type.kind()) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kTuple: {
      const size_t count = type.is_collection() ? random->Below(4) : type.size();
      *text += "[";
      for (size_t n = 0; n < count; ++n) {
        *text += n > 0 ? "," : "";
        type.is_collection()
            ? AppendValue(type.element(), internal::ElementOf(defaults), random, text)
            : AppendValue(type.element(n), internal::PartOf(defaults, std::to_string(n)), random, text);
      }
      *text += "]";
      return;
    }
    case TypeKind::kMap: {
      static constexpr const char* kKeys[] = {"a", "b", "one", "name"};
      *text += "{";
      const char* separator = "";
      for (const char* key : kKeys) {
        if (random->Chance(50)) continue;
        absl::StrAppend(text, separator, "\"", key, "\":");
        AppendValue(type.element(), internal::ElementOf(defaults), random, text);
        separator = ",";
      }
      *text += "}";
      return;
    }
    case TypeKind::kObject: {
      *text += "{";
      const char* separator = "";
      for (size_t n = 0; n < type.size(); ++n) {
        const std::string name(type.shape().keys[n].AsString());
        const bool optional = internal::MayBeNull(defaults, name);
        if (optional && random->Chance(30)) continue;
        absl::StrAppend(text, separator, "\"", name, "\":");
        separator = ",";
        if (optional && random->Chance(30)) {
          *text += "null";
        } else {
          AppendValue(type.element(n), internal::PartOf(defaults, name), random, text);
        }
      }
      *text += "}";
      return;
    }
    case TypeKind::kBool:
    case TypeKind::kNumber:
    case TypeKind::kString:
      return AppendScalar(type.kind(), random, text);
    default:
      return AppendAny(2, random, text);
  }
}

void AppendAny(int depth, Generator* random, std::string* text) {
  const uint32_t form = random->Below(depth > 0 ? 7 : 4);
  if (form == 0) {
    *text += "null";
  } else if (form < 4) {
    AppendScalar(form == 1 ? TypeKind::kBool : form == 2 ? TypeKind::kNumber : TypeKind::kString, random, text);
  } else {
    *text += form == 4 ? "[" : R"({"a":)";
    AppendAny(depth - 1, random, text);
    *text += form == 4 ? "," : R"(,"name":)";
    AppendAny(depth - 1, random, text);
    *text += form == 4 ? "]" : "}";
  }
}

}  // namespace

std::string DeclarationsOf(const Value& variables, TypeTable* types) {
  std::string text;
  for (uint32_t n = 0; n < variables.shape().size; ++n) {
    const Value& value = variables.values()[n];
    absl::StrAppend(&text, "variable \"", std::string(variables.shape().keys[n].AsString()),
                    "\" {\n  type = ", SyntaxOf(value, types), "\n", value.is_null() ? "  nullable = true\n" : "",
                    "}\n");
  }
  return text;
}

std::string RandomScope(const Program& module, Generator* random) {
  std::string text = "{";
  for (const internal::ModuleVariable& variable : internal::TablesOf(module).module()->variables) {
    absl::StrAppend(&text, text.size() > 1 ? "," : "", "\"", variable.name, "\":");
    if (variable.nullable && random->Chance(40)) {
      text += "null";
    } else {
      AppendValue(variable.type, variable.defaults.get(), random, &text);
    }
  }
  return text + "}";
}

bool MayFailFor(const Diagnostic& diagnostic, const std::string& text) {
  if (diagnostic.is_limit) return true;
  // A text that is no number or no bool.
  const bool is_of_text = absl::StrContains(diagnostic.detail, "text") ||
                          absl::StrContains(diagnostic.detail, "\"true\" or \"false\"") ||
                          absl::StrContains(diagnostic.detail, "; write \"") ||
                          absl::StrContains(diagnostic.detail, "but this is a string");
  switch (diagnostic.code) {
    case DiagnosticCode::kInvalidOperand:
    case DiagnosticCode::kConditionType:
    case DiagnosticCode::kInvalidForCondition:
    case DiagnosticCode::kIndexType:
      return is_of_text;
    case DiagnosticCode::kNullOperand:
    case DiagnosticCode::kNullCondition:
    case DiagnosticCode::kInvalidInterpolation:
    case DiagnosticCode::kNullInterpolation:
    case DiagnosticCode::kNoAttributes:
    case DiagnosticCode::kAttributeOfNull:
    case DiagnosticCode::kNoIndices:
    case DiagnosticCode::kIndexOfNull:
    case DiagnosticCode::kNullIteration:
    case DiagnosticCode::kNotIterable:
    case DiagnosticCode::kNullKey:
    case DiagnosticCode::kKeyType:
    case DiagnosticCode::kUnknownVariable:
      return false;
    case DiagnosticCode::kUnsupportedAttribute:
      return absl::StrContains(text, "merge(") || absl::StrContains(text, "zipmap(") ||
             (absl::StrContains(text, "for ") && absl::StrContains(text, "=>"));
    case DiagnosticCode::kInvalidArgument:
      return !absl::StrContains(diagnostic.detail, "must not be null");
    default:
      return true;
  }
}

const Diagnostic* WrongFailure(const Diagnostics& diagnostics, const std::string& text) {
  const bool has_sides = absl::StrContains(text, "&&") || absl::StrContains(text, "||");
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (!MayFailFor(diagnostic, text)) return &diagnostic;
    if (has_sides) return nullptr;
  }
  return nullptr;
}

}  // namespace hcl::testing_support
