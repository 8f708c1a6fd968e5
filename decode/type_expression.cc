// Types from expressions. Tested by decode/type_expression_test.cc.
//
// Type and defaults are read together and kept apart: a Type is interned and compared by what it is, which defaults are
// no part of.

#include "hclvm/decode/type_expression.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/habits.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::ToAbsl;
using internal::ToNfc;
namespace {

// A constraint while it is read: defaults can still be added to.
struct Part {
  Type type;
  std::shared_ptr<TypeDefaults> defaults;
};

// That `name` is not `what`, and what was probably meant.
std::string NoType(std::string_view name, std::string_view what) {
  const std::string_view habit = internal::HintAtType(name);
  const std::string_view nearest =
      NearestName(name, {"any", "bool", "number", "string", "list", "set", "map", "tuple", "object"});
  return absl::StrCat("\"", ToAbsl(name), "\" is not ", ToAbsl(what), ".", ToAbsl(habit),
                      habit.empty() && !nearest.empty() ? absl::StrCat(" Did you mean ", ToAbsl(nearest), "?") : "");
}

// The name in `key`, naked or as a string without interpolations, in NFC as all keys are; empty for anything else.
std::string NameOf(const ExprView& key) {
  const std::string_view keyword = AsKeyword(key);
  if (!keyword.empty()) return ToNfc(keyword);
  Arena arena;
  Diagnostics unused(0);
  const Expr* const expr = ToNativeExpr(key, EvaluationMode::kLiteral, &arena, &unused);
  if (expr->kind != ExprKind::kTemplate || As<TemplateExpr>(*expr).parts.size() != 1) return "";
  const Expr& text = *As<TemplateExpr>(*expr).parts[0];
  return text.kind == ExprKind::kTemplateText ? ToNfc(As<TemplateTextExpr>(text).text.view()) : "";
}

// What to say of an expression that is no type.
const char* HintAtValue(const ExprView& expr) {
  if (!NameOf(expr).empty()) return " A type is written without quotes.";
  if (AsStaticList(expr, nullptr)) return " A list has the type list(string), a tuple tuple([string, number]).";
  if (AsStaticMap(expr, nullptr)) return " An object has the type object({name = string}).";
  return "";
}

class Reader {
 public:
  Reader(Heap* heap, Diagnostics* diagnostics) : heap_(heap), diagnostics_(diagnostics) {}

  // Static analysis, not evaluation: so names of types cannot be hidden by variables, and both syntaxes are read alike.
  bool Read(const ExprView& expr, Part* part) {
    const std::string_view keyword = AsKeyword(expr);
    if (!keyword.empty()) return ReadKeyword(expr, keyword, part);
    const std::optional<StaticCall> call = AsStaticCall(expr, nullptr);
    if (!call) {
      return Fail(expr, expr.range(),
                  absl::StrCat("A type is required here: any, bool, number or string, or a constructor such as "
                               "list(string).",
                               HintAtValue(expr)));
    }
    return ReadCall(expr, *call, part);
  }

 private:
  bool Fail(const ExprView& expr, SourceRange subject, std::string detail) {
    Diagnostic diagnostic(DiagnosticCode::kInvalidTypeExpression);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = subject;
    diagnostic.source = expr.source();
    diagnostics_->Add(std::move(diagnostic));
    return false;
  }

  // A constructor without its argument is the likeliest mistake among words, so the message shows the whole form.
  bool ReadKeyword(const ExprView& expr, std::string_view keyword, Part* part) {
    static constexpr std::pair<std::string_view, Type> kNames[] = {
        {"any", Type::Dynamic()}, {"bool", Type::Bool()}, {"number", Type::Number()}, {"string", Type::String()}};
    for (const auto& [name, type] : kNames) {
      if (keyword != name) continue;
      part->type = type;
      return true;
    }
    for (std::string_view name : {"list", "set", "map", "tuple", "object"}) {
      if (keyword != name) continue;
      return Fail(expr, expr.range(),
                  absl::StrCat("The type constructor ", ToAbsl(name), " requires an argument: ", ToAbsl(name),
                               name == "tuple"    ? "([string, ...])."
                               : name == "object" ? "({name = string, ...})."
                                                  : "(string)."));
    }
    return Fail(expr, expr.range(), NoType(keyword, "a type"));
  }

  // Defaults of what is inside a collection hold for each of its elements, however many a value has.
  bool ReadCall(const ExprView& expr, const StaticCall& call, Part* part) {
    if (call.name == "optional") {
      return Fail(expr, call.name_range, "optional(...) can only stand for the type of an object's attribute.");
    }
    for (std::string_view name : {"list", "set", "map", "tuple", "object"}) {
      if (call.name != name) continue;
      if (call.arguments.size() != 1 || call.expand_last) {
        return Fail(expr, call.arguments_range,
                    absl::StrCat("The type constructor ", ToAbsl(name), " requires exactly one argument."));
      }
      if (name == "tuple") return ReadTuple(call.arguments[0], part);
      if (name == "object") return ReadObject(call.arguments[0], part);
      const TypeKind kind = name == "list" ? TypeKind::kList : name == "set" ? TypeKind::kSet : TypeKind::kMap;
      Part element;
      if (!Read(call.arguments[0], &element)) return false;
      part->type = heap_->types()->Collection(kind, element.type);
      if (element.defaults != nullptr) {
        part->defaults = std::make_shared<TypeDefaults>();
        part->defaults->element = element.defaults;
      }
      return true;
    }
    return Fail(expr, call.name_range, NoType(call.name, "a type constructor"));
  }

  // Goes on after an error, so that those in several elements are reported together. Defaults are kept by position.
  bool ReadTuple(const ExprView& list, Part* part) {
    const std::optional<std::vector<ExprView>> elements = AsStaticList(list, nullptr);
    if (!elements) return Fail(list, list.range(), "A list of the elements' types is required here, in brackets.");
    std::vector<Type> types;
    bool ok = true;
    for (const ExprView& expr : *elements) {
      Part element;
      ok &= Read(expr, &element);
      if (element.defaults != nullptr) DefaultsOf(part)->parts[absl::StrCat(types.size())] = element.defaults;
      types.push_back(element.type);
    }
    part->type = heap_->types()->Tuple(types);
    return ok;
  }

  // Attributes are sorted by name, as a shape has them. Goes on after an error, so that those in several attributes are
  // reported together.
  bool ReadObject(const ExprView& map, Part* part) {
    const std::optional<std::vector<StaticPair>> pairs = AsStaticMap(map, nullptr);
    if (!pairs) return Fail(map, map.range(), "The attributes' names and types are required here, in braces.");
    std::map<std::string, Type> attributes;
    bool ok = true;
    for (const StaticPair& pair : *pairs) {
      const std::string name = NameOf(pair.key);
      if (name.empty()) {
        ok = Fail(pair.key, pair.key.range(), "An attribute's name is required here.");
        continue;
      }
      ok &= ReadAttribute(name, pair.value, &attributes[name], part);
    }
    std::vector<Value> keys;
    std::vector<Type> types;
    for (const auto& [name, type] : attributes) {
      keys.push_back(Value::String(name, heap_->arena()));
      types.push_back(type);
    }
    part->type = heap_->types()->Object(*MakeShape(keys, heap_->arena()), types);
    return ok;
  }

  // `optional` is no type but says something about the attribute, so it is known here only, and ReadCall() refuses it.
  // Without a default of its own, an attribute that is left out is null.
  bool ReadAttribute(const std::string& name, const ExprView& expr, Type* type, Part* object) {
    const std::optional<StaticCall> call = AsStaticCall(expr, nullptr);
    const bool is_optional = call && call->name == "optional";
    if (is_optional && (call->arguments.empty() || call->arguments.size() > 2)) {
      return Fail(expr, call->arguments_range, "optional(...) takes the attribute's type and, if wanted, a default.");
    }
    Part attribute;
    if (!Read(is_optional ? call->arguments[0] : expr, &attribute)) return false;
    *type = attribute.type;
    if (attribute.defaults != nullptr) DefaultsOf(object)->parts[name] = attribute.defaults;
    if (!is_optional) return true;
    Value& value = DefaultsOf(object)->attributes[name];
    value = Value::Null(attribute.type);
    return call->arguments.size() < 2 || ReadDefault(call->arguments[1], attribute, &value);
  }

  // A value of the type: its own gaps are filled before it is converted, or an attribute that may be left out would be
  // missed in it. It is a constant, as the program that it is compiled to has neither variables nor functions.
  bool ReadDefault(const ExprView& expr, const Part& attribute, Value* value) {
    Arena arena;
    const size_t errors = diagnostics_->error_count();
    const Expr* const native = ToNativeExpr(expr, EvaluationMode::kFull, &arena, diagnostics_);
    if (diagnostics_->error_count() > errors) return false;
    CompileOptions options;
    options.dialect = heap_->dialect();
    options.limits = heap_->limits();
    // The source is the caller's and outlives the program.
    std::shared_ptr<const Source> source(std::shared_ptr<const Source>(), expr.source());
    Diagnostics found;
    const auto program = CompileExpr(*native, std::move(source), options, &found);
    if (program != nullptr) {
      Evaluator evaluator(program, options.limits);
      const Evaluation& evaluation = evaluator.Run();
      for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) found.Add(diagnostic);
      if (!found.has_errors()) *value = Clone(evaluation.value(), heap_->arena(), heap_->types());
    }
    for (Diagnostic diagnostic : found.kept()) {
      diagnostic.source = expr.source();
      diagnostics_->Add(std::move(diagnostic));
    }
    if (found.has_errors()) return false;
    Value converted;
    ConversionError error;
    const Value whole = attribute.defaults == nullptr ? *value : ApplyDefaults(*value, *attribute.defaults, heap_);
    if (Convert(whole, attribute.type, heap_, &converted, &error)) {
      *value = converted;
      return true;
    }
    return Fail(expr, expr.range(),
                absl::StrCat("This default is not of the attribute's type: ", error.ToString(), "."));
  }

  static TypeDefaults* DefaultsOf(Part* part) {
    if (part->defaults == nullptr) part->defaults = std::make_shared<TypeDefaults>();
    return part->defaults.get();
  }

  Heap* heap_;
  Diagnostics* diagnostics_;
};

}  // namespace

bool ReadTypeExpression(const ExprView& expr, const std::shared_ptr<Heap>& heap, TypeConstraint* result,
                        Diagnostics* diagnostics) {
  Part part;
  if (!Reader(heap.get(), diagnostics).Read(expr, &part)) return false;
  result->type = part.type;
  result->defaults = nullptr;
  if (part.defaults == nullptr) return true;
  // The values in it are the heap's.
  auto owner = std::make_shared<std::pair<std::shared_ptr<Heap>, std::shared_ptr<TypeDefaults>>>(heap, part.defaults);
  result->defaults = std::shared_ptr<const TypeDefaults>(owner, part.defaults.get());
  return true;
}

}  // namespace hcl
