// Reading one `variable` block. Tested by module/module_test.cc.

#include "hclvm/module/variable_reader.h"

#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/decode/type_expression.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/declared_value.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

constexpr char kType[] = "type";
constexpr char kDefault[] = "default";
constexpr char kNullable[] = "nullable";
constexpr char kSensitive[] = "sensitive";
constexpr char kEphemeral[] = "ephemeral";
constexpr char kDeprecated[] = "deprecated";
constexpr char kConst[] = "const";
constexpr char kDescription[] = "description";
constexpr char kValidation[] = "validation";
constexpr char kCondition[] = "condition";
constexpr char kMessage[] = "error_message";

const BodySchema& VariableSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    for (const char* name : {kType, kDefault, kNullable, kSensitive, kEphemeral, kDeprecated, kConst, kDescription}) {
      made->AddAttribute(name).IgnoreError();
    }
    made->AddBlock(kValidation).IgnoreError();
    return made;
  }();
  return *schema;
}

const BodySchema& ValidationSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    made->AddAttribute(kCondition, true).IgnoreError();
    made->AddAttribute(kMessage, true).IgnoreError();
    return made;
  }();
  return *schema;
}

class Reader {
 public:
  Reader(const std::shared_ptr<const Source>& source, const CompileOptions& options, const std::shared_ptr<Heap>& heap,
         Arena* arena, Diagnostics* diagnostics)
      : source_(source), options_(options), heap_(heap), arena_(arena), diagnostics_(diagnostics) {}

  void Read(const BlockView& block, DeclaredVariable* variable) {
    const BodyContent content = block.body->Content(VariableSchema(), diagnostics_);
    if (const AttributeView* type = content.attributes.Find(kType)) {
      TypeConstraint constraint;
      const std::string_view word = AsKeyword(type->expr);
      if (word == "list" ||
          word == "map") {  // of anything, as Terraform and OpenTofu take it for a variable as a whole
        variable->type = heap_->types()->Collection(word == "list" ? TypeKind::kList : TypeKind::kMap, Type::Dynamic());
      } else if (ReadTypeExpression(type->expr, heap_, &constraint, diagnostics_)) {
        variable->type = constraint.type;
        variable->defaults = constraint.defaults;
      }
    }
    const AttributeView* const nullable = content.attributes.Find(kNullable);
    ReadFlag(nullable, &variable->nullable);
    ReadFlag(content.attributes.Find(kSensitive), &variable->sensitive);
    ReadFlag(content.attributes.Find(kEphemeral), &variable->ephemeral);
    bool is_const = false;  // each variable of a module is constant for a run: the flag changes nothing
    ReadFlag(content.attributes.Find(kConst), &is_const);
    variable->sensitive = variable->sensitive || variable->ephemeral;
    ReadText(content.attributes.Find(kDescription), "A description is a text.", &variable->description);
    ReadDeprecated(content.attributes.Find(kDeprecated), variable);
    if (const AttributeView* value = content.attributes.Find(kDefault)) {
      ReadDefault(value->expr, nullable == nullptr, variable);
    }
    for (const BlockView& validation : content.blocks) ReadValidation(validation, variable);
  }

 private:
  void Fail(const ExprView& expr, std::string detail) {
    AddModuleError({expr.range(), expr.source()}, DiagnosticCode::kInvalidDeclaration, std::move(detail), diagnostics_);
  }

  void ReadFlag(const AttributeView* attribute, bool* flag) {
    if (attribute == nullptr) return;
    const std::optional<Value> value = Constant(attribute->expr);
    if (value && value->is_bool()) *flag = value->is_true();
    if (value && !value->is_bool()) {
      Fail(attribute->expr, absl::StrCat(ToAbsl(attribute->name), " is either true or false."));
    }
  }

  void ReadText(const AttributeView* attribute, const char* mistake, std::string* text) {
    if (attribute == nullptr) return;
    const std::optional<Value> value = Constant(attribute->expr);
    if (value && !value->is_string()) Fail(attribute->expr, mistake);
    if (value && value->is_string()) *text = std::string(value->AsString());
  }

  void ReadDeprecated(const AttributeView* attribute, DeclaredVariable* variable) {
    const size_t errors = diagnostics_->error_count();
    ReadText(attribute, "deprecated is a text, which says what to use in place of the variable.",
             &variable->deprecated);
    if (attribute == nullptr || diagnostics_->error_count() > errors) return;
    if (!absl::StripAsciiWhitespace(variable->deprecated).empty()) return;
    variable->deprecated.clear();
    Fail(attribute->expr, "The text of deprecated is empty. It says what to use in place of the variable.");
  }

  // A declaration holds for all scopes, so that it reads none.
  std::optional<Value> Constant(const ExprView& expr) {
    Diagnostics found(options_.limits.max_diagnostics);
    const Expr* const native = ToNativeExpr(expr, EvaluationMode::kFull, arena_, &found);
    const auto program = found.has_errors() ? nullptr : CompileExpr(*native, source_, options_, &found);
    std::optional<Value> value;
    if (program != nullptr && !program->variables().empty()) {
      Fail(expr, "A declaration holds for all values of variables, so that it reads none.");
    } else if (program != nullptr) {
      Evaluator evaluator(program, options_.limits);
      const Evaluation& evaluation = evaluator.Run();
      for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) found.Add(diagnostic);
      if (evaluation.ok()) value = Clone(evaluation.value(), heap_->arena(), heap_->types());
    }
    for (Diagnostic diagnostic : found.kept()) {
      if (diagnostic.source == nullptr) diagnostic.source = expr.source();
      diagnostics_->Add(std::move(diagnostic));
    }
    return value;
  }

  // The default becomes what a given value would. With `implies_nullable`, a null says that the variable is nullable.
  void ReadDefault(const ExprView& expr, bool implies_nullable, DeclaredVariable* variable) {
    const std::optional<Value> value = Constant(expr);
    if (!value) return;
    if (implies_nullable && value->is_null()) variable->nullable = true;
    Value converted;
    std::string reason;
    const ValueDeclaration declaration = {variable->name, variable->type, variable->defaults.get(), variable->nullable};
    if (ToDeclared(*value, declaration, heap_.get(), &converted, &reason) == Fit::kFits) {
      variable->default_value = converted;
      return;
    }
    AddModuleError({expr.range(), expr.source()}, DiagnosticCode::kUnsuitableDefault,
                   absl::StrCat("The default does not fit the declaration: ", reason, "."), diagnostics_);
  }

  void ReadValidation(const BlockView& block, DeclaredVariable* variable) {
    const size_t errors = diagnostics_->error_count();
    const BodyContent content = block.body->Content(ValidationSchema(), diagnostics_);
    if (diagnostics_->error_count() > errors) return;
    const auto placed = [&](const char* name) -> PlacedExpr {
      const ExprView& expr = content.attributes.Find(name)->expr;
      return {ToNativeExpr(expr, EvaluationMode::kFull, arena_, diagnostics_), expr.source()};
    };
    variable->validations.push_back({placed(kCondition), placed(kMessage)});
  }

  const std::shared_ptr<const Source>& source_;
  const CompileOptions& options_;
  const std::shared_ptr<Heap>& heap_;
  Arena* arena_;
  Diagnostics* diagnostics_;
};

}  // namespace

void ReadVariable(const BlockView& block, const std::shared_ptr<const Source>& source, const CompileOptions& options,
                  const std::shared_ptr<Heap>& heap, Arena* arena, DeclaredVariable* variable,
                  Diagnostics* diagnostics) {
  Reader(source, options, heap, arena, diagnostics).Read(block, variable);
}

}  // namespace hcl::internal
