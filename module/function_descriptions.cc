// Descriptions of functions. Tested by module/function_descriptions_test.cc.
//
// A file is read as a body of the JSON syntax, with a schema: so what is unknown, missing or given twice is reported as
// everywhere, with its place, and types are read as in variable blocks. Whether a function is one of the library's is
// seen by what it would be described as: then nothing has to be said twice about what makes two functions the same.

#include "hclvm/module/function_descriptions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/unicode.h"
#include "hclvm/decode/type_expression.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::ToAbsl;
namespace {

constexpr char kComplete[] = "complete";
constexpr char kFunctions[] = "functions";
constexpr char kParameters[] = "parameters";
constexpr char kVariadic[] = "variadic";
constexpr char kResult[] = "result";
constexpr char kResultNullable[] = "result_nullable";
constexpr char kDescription[] = "description";
constexpr char kName[] = "name";
constexpr char kType[] = "type";
constexpr char kNullable[] = "nullable";
constexpr char kUnknown[] = "unknown";
constexpr char kMax[] = "max";

// "a::b": identifiers with two colons between them.
bool IsFunctionName(std::string_view name) {
  while (true) {
    const size_t colons = name.find("::");
    if (!internal::IsIdentifier(name.substr(0, colons))) return false;
    if (colons == std::string_view::npos) return true;
    name.remove_prefix(colons + 2);
  }
}

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  return quoted;
}

bool HasCapsule(Type type) {
  if (type.kind() == TypeKind::kCapsule) return true;
  if (type.is_collection()) return HasCapsule(type.element());
  if (type.kind() != TypeKind::kTuple && type.kind() != TypeKind::kObject) return false;
  for (size_t n = 0; n < type.size(); ++n) {
    if (HasCapsule(type.element(n))) return true;
  }
  return false;
}

std::string TypeOf(Type type) { return HasCapsule(type) ? "any" : ToTypeSyntax(type); }

std::string Describe(const Parameter& parameter) {
  return absl::StrCat("\"", kName, "\": ", Quoted(parameter.name), ", \"", kType,
                      "\": ", Quoted(TypeOf(parameter.type)), parameter.allow_null ? ", \"nullable\": true" : "",
                      parameter.allow_unknown ? ", \"unknown\": true" : "");
}

std::string Describe(const Function& function) {
  std::string text = absl::StrCat("{\"", kParameters, "\": [");
  for (size_t n = 0; n < function.parameters.size(); ++n) {
    absl::StrAppend(&text, n > 0 ? ", " : "", "{", Describe(function.parameters[n]), "}");
  }
  text += "]";
  if (function.variadic) {
    absl::StrAppend(&text, ", \"", kVariadic, "\": {", Describe(*function.variadic));
    if (function.max_variadic != UINT32_MAX) absl::StrAppend(&text, ", \"", kMax, "\": ", function.max_variadic);
    text += "}";
  }
  const bool follows_arguments = function.result_type_rule != nullptr;
  absl::StrAppend(&text, ", \"", kResult, "\": ", Quoted(follows_arguments ? "any" : TypeOf(function.result_type)));
  if (function.result_may_be_null) absl::StrAppend(&text, ", \"", kResultNullable, "\": true");
  if (function.nulls_give_values) absl::StrAppend(&text, ", \"", kResultNullable, "\": false");
  return text + "}";
}

// Nobody knows what it would give.
Value Unknown(FunctionCall* call, absl::Span<const Value> /*arguments*/) {
  return Value::Unknown(call->function().result_type);
}

const BodySchema& FileSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    made->AddAttribute(kComplete).IgnoreError();
    made->AddBlock(kFunctions, {"name"}).IgnoreError();
    return made;
  }();
  return *schema;
}

// An object without properties has no names that could be labels.
const BodySchema& SchemaWithoutFunctions() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    for (const char* name : {kComplete, kFunctions}) made->AddAttribute(name).IgnoreError();
    return made;
  }();
  return *schema;
}

bool HasNoFunctions(const JsonFile& file) {
  if (file.root.kind() != JsonKind::kObject) return false;
  const absl::Span<const JsonProperty> properties = file.root.properties();
  return std::any_of(properties.begin(), properties.end(), [](const JsonProperty& property) {
    return property.name.text() == kFunctions && property.value.kind() == JsonKind::kObject &&
           property.value.properties().empty();
  });
}

const BodySchema& FunctionSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    for (const char* name : {kResult, kResultNullable, kDescription}) made->AddAttribute(name).IgnoreError();
    for (const char* type : {kParameters, kVariadic}) made->AddBlock(type).IgnoreError();
    return made;
  }();
  return *schema;
}

const BodySchema& ParameterSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    made->AddAttribute(kName, /*required=*/true).IgnoreError();
    for (const char* name : {kType, kNullable, kUnknown, kMax, kDescription}) made->AddAttribute(name).IgnoreError();
    return made;
  }();
  return *schema;
}

class Reader {
 public:
  Reader(const std::shared_ptr<const FunctionRegistry>& base, Limits limits, Diagnostics* diagnostics)
      : base_(base),
        limits_(limits),
        heap_(std::make_shared<Heap>(nullptr, Dialect::kSpec, limits)),
        diagnostics_(diagnostics) {}

  std::shared_ptr<const FunctionRegistry> Read(const JsonFile& file) {
    const BodySchema& schema = HasNoFunctions(file) ? SchemaWithoutFunctions() : FileSchema();
    const BodyContent content = ViewOf(file)->Content(schema, diagnostics_);
    bool complete = false;
    ReadFlag(content.attributes.Find(kComplete), &complete);
    FunctionRegistryBuilder builder;
    if (!complete && base_ != nullptr) {
      for (const std::string_view name : base_->Names()) builder.Add(*base_->Find(name));
    }
    internal::HashMap<std::string, SourceRange> known;
    for (const BlockView& block : content.blocks) {
      const BlockLabel& name = block.labels[0];
      if (!IsFunctionName(name.text)) {
        Fail(block, name.range,
             "The name of a function is an identifier, or several with \"::\" between them, as in net::country.");
        continue;
      }
      if (!known.try_emplace(std::string(name.text), name.range).second) {
        Fail(block, name.range, absl::StrCat("The function \"", ToAbsl(name.text), "\" is described already."));
        continue;
      }
      builder.Add(ReadFunction(block));
    }
    return diagnostics_->has_errors() ? nullptr : std::move(builder).Build();
  }

 private:
  void Fail(const Source* source, SourceRange range, std::string detail) {
    Diagnostic diagnostic(DiagnosticCode::kInvalidFunctionDescription);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = range;
    diagnostic.source = source;
    diagnostics_->Add(std::move(diagnostic));
  }
  void Fail(const BlockView& block, SourceRange range, std::string detail) {
    Fail(block.body->source(), range, std::move(detail));
  }
  void Fail(const AttributeView& attribute, const char* wanted) {
    Fail(attribute.expr.source(), attribute.expr.range(),
         absl::StrCat(ToAbsl(attribute.name), " must be ", wanted, "."));
  }

  Function ReadFunction(const BlockView& block) {
    Function function;
    function.name = std::string(block.labels[0].text);
    function.body = Unknown;
    function.pure = false;  // not to be called while compiling
    function.state = heap_;
    const BodyContent content = block.body->Content(FunctionSchema(), diagnostics_);
    for (const BlockView& parameter : content.blocks) {
      if (parameter.type == kParameters) {
        function.parameters.push_back(ReadParameter(parameter, nullptr));
      } else if (function.variadic) {
        Fail(parameter, parameter.type_range, "A function has one parameter for all further arguments at most.");
      } else {
        function.variadic = ReadParameter(parameter, &function.max_variadic);
      }
    }
    ReadType(content.attributes.Find(kResult), &function.result_type);
    ReadText(content.attributes.Find(kDescription));
    if (const AttributeView* nullable = content.attributes.Find(kResultNullable)) {
      ReadFlag(nullable, &function.result_may_be_null);
      function.nulls_give_values = !function.result_may_be_null;
    }
    const Function* const own = base_ == nullptr ? nullptr : base_->Find(function.name);
    return own != nullptr && Describe(*own) == Describe(function) ? *own : function;
  }

  // `max` is where the number of arguments for a variadic parameter goes, and null for others.
  Parameter ReadParameter(const BlockView& block, uint32_t* max) {
    const BodyContent content = block.body->Content(ParameterSchema(), diagnostics_);
    Parameter parameter;
    if (const std::optional<std::string> name = ReadText(content.attributes.Find(kName))) parameter.name = *name;
    ReadType(content.attributes.Find(kType), &parameter.type);
    ReadFlag(content.attributes.Find(kNullable), &parameter.allow_null);
    ReadFlag(content.attributes.Find(kUnknown), &parameter.allow_unknown);
    ReadText(content.attributes.Find(kDescription));
    if (const AttributeView* limit = content.attributes.Find(kMax)) {
      if (max == nullptr) {
        Fail(limit->expr.source(), limit->name_range, "Only the variadic parameter takes several arguments.");
      } else {
        ReadCount(*limit, max);
      }
    }
    return parameter;
  }

  // Attributes that may be left out are for variables: a function gets and gives whole objects.
  void ReadType(const AttributeView* attribute, Type* type) {
    if (attribute == nullptr) return;
    TypeConstraint constraint;
    if (!ReadTypeExpression(attribute->expr, heap_, &constraint, diagnostics_)) return;
    *type = constraint.type;
    if (constraint.defaults != nullptr) {
      Fail(attribute->expr.source(), attribute->expr.range(),
           "The types of functions have no optional(...): arguments are as they are given.");
    }
  }

  const Expr* Native(const AttributeView& attribute) {
    return ToNativeExpr(attribute.expr, EvaluationMode::kLiteral, &arena_, diagnostics_);
  }

  void ReadFlag(const AttributeView* attribute, bool* flag) {
    if (attribute == nullptr) return;
    const Expr* const expr = Native(*attribute);
    const LiteralKind kind = expr->kind == ExprKind::kLiteral ? As<LiteralExpr>(*expr).literal : LiteralKind::kNull;
    if (kind != LiteralKind::kTrue && kind != LiteralKind::kFalse) return Fail(*attribute, "true or false");
    *flag = kind == LiteralKind::kTrue;
  }

  std::optional<std::string> ReadText(const AttributeView* attribute) {
    if (attribute == nullptr) return std::nullopt;
    const Expr* const expr = Native(*attribute);
    if (expr->kind != ExprKind::kTemplate) return Fail(*attribute, "a text"), std::nullopt;
    const auto& text = As<TemplateExpr>(*expr);
    if (text.parts.empty()) return "";
    return std::string(As<TemplateTextExpr>(*text.parts[0]).text.view());
  }

  void ReadCount(const AttributeView& attribute, uint32_t* count) {
    const Expr* const expr = Native(attribute);
    uint32_t value = 0;
    const bool is_count = expr->kind == ExprKind::kLiteral &&
                          absl::SimpleAtoi(ToAbsl(As<LiteralExpr>(*expr).spelling.view()), &value) && value > 0;
    if (!is_count) return Fail(attribute, "a whole number from 1 on");
    *count = value;
  }

  const std::shared_ptr<const FunctionRegistry>& base_;
  Limits limits_;
  std::shared_ptr<Heap> heap_;  // of types
  Arena arena_;
  Diagnostics* diagnostics_;
};

}  // namespace

std::string DescribeFunctions(const FunctionRegistry& functions) {
  std::string text = absl::StrCat("{\n  \"", kComplete, "\": true,\n  \"", kFunctions, "\": {");
  const char* separator = "\n";
  for (const std::string_view name : functions.Names()) {
    if (!IsFunctionName(name)) continue;
    absl::StrAppend(&text, separator, "    ", Quoted(name), ": ", Describe(*functions.Find(name)));
    separator = ",\n";
  }
  return text + "\n  }\n}\n";
}

std::shared_ptr<const FunctionRegistry> ReadFunctionDescriptions(const std::shared_ptr<const Source>& source,
                                                                 const std::shared_ptr<const FunctionRegistry>& base,
                                                                 const Limits& limits, Diagnostics* diagnostics) {
  Diagnostics found(limits.max_diagnostics);
  JsonOptions options;
  options.limits = limits;
  const std::unique_ptr<JsonFile> file = ParseJson(*source, options, &found);
  std::shared_ptr<const FunctionRegistry> functions;
  if (!found.has_errors()) functions = Reader(base, limits, &found).Read(*file);
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = source.get();
    diagnostics->Add(std::move(diagnostic));
  }
  return functions;
}

}  // namespace hcl
