// PrintBoundTree. Tested by compiler/bind_test.cc.

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// One line for one node. A part is shown by its number, so that nothing here recurses.
class Line {
 public:
  Line(const BoundTree& tree, const BoundExpr& node) : tree_(tree) {
    absl::StrAppend(&text_, node.id, " ");
    Append(node);
    AppendFacts(node);
    text_.append("\n");
  }

  std::string&& text() && { return std::move(text_); }

 private:
  template <typename... Args>
  void Add(const Args&... args) {
    absl::StrAppend(&text_, args...);
  }

  void AddPart(const BoundExpr& part) { Add(" ", part.id); }

  void AddSteps(absl::Span<const BoundStep> steps) {
    for (const BoundStep& step : steps) AppendStepText(step.key, step.is_attribute, &text_);
  }

  void AddLocal(const LocalVariable* local) {
    if (local != nullptr) Add(" ", local->name.empty() ? "*" : ToAbsl(local->name), "@", local->level);
  }

  void AppendFor(const BoundFor& loop) {
    if (loop.splat != nullptr) {
      Add("splat");
      AddPart(*loop.collection);
      return AddPart(*loop.value);
    }
    Add("for");
    AddLocal(loop.variables.key);
    AddLocal(loop.variables.value);
    Add(" in");
    AddPart(*loop.collection);
    if (loop.key != nullptr) {
      Add(" key");
      AddPart(*loop.key);
    }
    Add(loop.group ? " group" : " value");
    AddPart(*loop.value);
    if (loop.condition != nullptr) Add(" if #", loop.decision, " ", loop.condition->id);
  }

  void AppendCall(const BoundCall& call) {
    Add("call ", call.function->name);
    for (const BoundExpr* argument : call.arguments) AddPart(*argument);
    if (call.expand_last) Add("...");
    if (call.lookup != BoundCall::kNone) Add(" by set");
  }

  void AppendObject(const BoundObject& object) {
    Add("object");
    for (const BoundItem& item : object.items) {
      Add(" ", item.key->id, "=", item.value->id);
      if (object.shape != nullptr) Add("@", item.position);
    }
  }

  void AppendChain(const BoundChain& chain) {
    Add(chain.in_attempt ? "tried " : "", ToAbsl(SpellingOf(chain.op)));
    if (IsLogical(chain.op)) Add(" #", chain.decision);
    for (const BoundExpr* operand : chain.operands) AddPart(*operand);
  }

  void AppendConditional(const BoundConditional& choice) {
    Add("?", " #", choice.decision);
    for (const BoundExpr* part : {choice.condition, choice.if_true, choice.if_false}) AddPart(*part);
  }

  void Append(const BoundExpr& node) {
    switch (node.kind) {
      case BoundKind::kConstant:
        return Add(ConstantText(As<BoundConstant>(node).value));
      case BoundKind::kPath:
        Add("path ", ToAbsl(As<BoundPath>(node).name));
        return AddSteps(As<BoundPath>(node).steps);
      case BoundKind::kLocal:
        Add("local");
        AddLocal(As<BoundLocal>(node).local);
        return AddSteps(As<BoundLocal>(node).steps);
      case BoundKind::kSteps:
        Add("steps");
        AddPart(*As<BoundSteps>(node).source);
        return AddSteps(As<BoundSteps>(node).steps);
      case BoundKind::kIndex:
        Add("index");
        AddPart(*As<BoundIndex>(node).source);
        return AddPart(*As<BoundIndex>(node).key);
      case BoundKind::kCall:
        return AppendCall(As<BoundCall>(node));
      case BoundKind::kTuple:
        Add("tuple");
        for (const BoundExpr* element : As<BoundTuple>(node).elements) AddPart(*element);
        return;
      case BoundKind::kObject:
        return AppendObject(As<BoundObject>(node));
      case BoundKind::kFor:
        return AppendFor(As<BoundFor>(node));
      case BoundKind::kUnary:
        Add(As<BoundUnary>(node).op == UnaryOp::kNot ? "!" : "-");
        return AddPart(*As<BoundUnary>(node).operand);
      case BoundKind::kChain:
        return AppendChain(As<BoundChain>(node));
      case BoundKind::kConditional:
        return AppendConditional(As<BoundConditional>(node));
      case BoundKind::kTemplate:
        Add("template");
        for (const BoundExpr* part : As<BoundTemplate>(node).parts) AddPart(*part);
        return;
      case BoundKind::kTemplateFor:
        Add("template for");
        AddLocal(As<BoundTemplateFor>(node).variables.key);
        AddLocal(As<BoundTemplateFor>(node).variables.value);
        Add(" in");
        AddPart(*As<BoundTemplateFor>(node).collection);
        return AddPart(*As<BoundTemplateFor>(node).body);
      case BoundKind::kRaise:
        return Add("raise");
    }
  }

  // Those that are not seen from the kind.
  void AppendFacts(const BoundExpr& node) {
    if (node.is_constant()) return;
    Add(" :");
    if (!node.type.is_dynamic()) Add(" ", ToTypeSyntax(node.type));
    if (node.never_null) Add(" set");
    if (node.sure_bool && node.type != Type::Bool()) Add(" bool");
    if (!node.pure) Add(" impure");
    if (node.total) Add(" total");
    Add(" v", tree_.ValueNumberOf(node));
    if (node.first != node.id) Add(" from ", node.first);
  }

  const BoundTree& tree_;
  std::string text_;
};

}  // namespace

std::string PrintBoundTree(const BoundTree& tree) {
  std::string text;
  for (const BoundExpr* node : tree.nodes()) text.append(Line(tree, *node).text());
  return text;
}

}  // namespace hcl::internal
