// Dump: expressions are written from an explicit stack, so their depth takes no call stack.

#include "hclvm/hcl/dump.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"

namespace hcl::internal {
namespace {

// What is left to be written.
struct Task {
  enum class Kind : uint8_t { kText, kQuoted, kRange, kExpr };
  Kind kind;
  std::string_view text;  // kText, kQuoted
  SourceRange range;      // kRange
  const Expr* expr;       // kExpr
};

class Dumper {
 public:
  Dumper(const DumpOptions& options, std::string* out) : options_(options), out_(out) {}

  // Tasks of a node are collected in their order and put on the stack in the opposite one. Its range is added last and
  // so stands behind all of its parts.
  void WriteExpr(const Expr& expr) {
    std::vector<Task> stack = {Task{Task::Kind::kExpr, {}, {}, &expr}};
    while (!stack.empty()) {
      const Task task = stack.back();
      stack.pop_back();
      switch (task.kind) {
        case Task::Kind::kText:
          out_->append(task.text);
          break;
        case Task::Kind::kQuoted:
          WriteQuoted(task.text);
          break;
        case Task::Kind::kRange:
          WriteRange(task.range);
          break;
        case Task::Kind::kExpr:
          tasks_.clear();
          AddNode(*task.expr);
          AddRange(task.expr->range);
          stack.insert(stack.end(), tasks_.rbegin(), tasks_.rend());
      }
    }
  }

  // Recursion: one level for each nested block, which the parser has bounded. Expressions, which can be deep on their
  // left spines, are not recursed into.
  void WriteBody(const Body& body, int indent) {
    // Both lists are in source order; they are merged by position.
    size_t attribute = 0;
    size_t block = 0;
    while (attribute < body.attributes.size() || block < body.blocks.size()) {
      const bool is_attribute =
          block == body.blocks.size() || (attribute < body.attributes.size() &&
                                          body.attributes[attribute].range.begin < body.blocks[block].range.begin);
      out_->append(static_cast<size_t>(indent) * 2, ' ');
      if (is_attribute) {
        WriteAttribute(body.attributes[attribute++]);
      } else {
        WriteBlock(body.blocks[block++], indent);
      }
    }
  }

 private:
  // Dumps are read and compared in tests, so there are just enough escapes that each attribute has one line.
  void WriteQuoted(std::string_view text) {
    out_->push_back('"');
    for (const char c : text) {
      switch (c) {
        case '"':
        case '\\':
          out_->push_back('\\');
          out_->push_back(c);
          break;
        case '\n':
          out_->append("\\n");
          break;
        case '\r':
          out_->append("\\r");
          break;
        case '\t':
          out_->append("\\t");
          break;
        default:
          out_->push_back(c);
      }
    }
    out_->push_back('"');
  }

  void WriteRange(SourceRange range) {
    if (!options_.ranges) return;
    out_->append("@").append(std::to_string(range.begin)).append("-").append(std::to_string(range.end));
  }

  void WriteAttribute(const Attribute& attribute) {
    out_->append(attribute.name);
    WriteRange(attribute.range);
    out_->append(" = ");
    WriteExpr(*attribute.expr);
    out_->append("\n");
  }

  void WriteBlock(const Block& block, int indent) {
    out_->append(block.type);
    for (const BlockLabel& label : block.labels) {
      out_->append(" ");
      WriteQuoted(label.text);
      WriteRange(label.range);
    }
    WriteRange(block.range);
    out_->append(" {\n");
    WriteBody(*block.body, indent + 1);
    out_->append(static_cast<size_t>(indent) * 2, ' ').append("}\n");
  }

  // What a node consists of, in the order of writing.

  void Add(std::string_view text) { tasks_.push_back(Task{Task::Kind::kText, text, {}, nullptr}); }
  void AddQuoted(std::string_view text) { tasks_.push_back(Task{Task::Kind::kQuoted, text, {}, nullptr}); }
  void AddRange(SourceRange range) { tasks_.push_back(Task{Task::Kind::kRange, {}, range, nullptr}); }
  void AddExpr(const Expr& expr) { tasks_.push_back(Task{Task::Kind::kExpr, {}, {}, &expr}); }

  void AddList(std::string_view name, absl::Span<const Expr* const> exprs) {
    Add("(");
    Add(name);
    for (const Expr* expr : exprs) {
      Add(" ");
      AddExpr(*expr);
    }
  }

  void AddNamed(std::string_view name, std::initializer_list<const Expr*> exprs) {
    AddList(name, absl::Span<const Expr* const>(exprs.begin(), exprs.size()));
    Add(")");
  }

  // The switch has no default: the compiler finds a kind that is missing.
  void AddNode(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return Add(As<LiteralExpr>(expr).spelling);
      case ExprKind::kVariable:
        Add("(var ");
        Add(As<VariableExpr>(expr).name);
        return Add(")");
      case ExprKind::kTraversal:
        return AddTraversal(As<TraversalExpr>(expr));
      case ExprKind::kIndex:
        return AddNamed("index", {As<IndexExpr>(expr).collection, As<IndexExpr>(expr).key});
      case ExprKind::kSplat: {
        const auto& splat = As<SplatExpr>(expr);
        return AddNamed(splat.full ? "splat[*]" : "splat.*", {splat.source, splat.each});
      }
      case ExprKind::kSplatItem:
        return Add("item");
      case ExprKind::kCall:
        return AddCall(As<CallExpr>(expr));
      case ExprKind::kTuple:
        AddList("tuple", As<TupleExpr>(expr).elements);
        return Add(")");
      case ExprKind::kObject:
        return AddObject(As<ObjectExpr>(expr));
      case ExprKind::kFor:
        return AddFor(As<ForExpr>(expr));
      case ExprKind::kUnary:
        return AddNamed(As<UnaryExpr>(expr).op == UnaryOp::kNegate ? "-" : "!", {As<UnaryExpr>(expr).operand});
      case ExprKind::kBinary:
        return AddNamed(SpellingOf(As<BinaryExpr>(expr).op), {As<BinaryExpr>(expr).lhs, As<BinaryExpr>(expr).rhs});
      case ExprKind::kConditional: {
        const auto& conditional = As<ConditionalExpr>(expr);
        return AddNamed("?", {conditional.condition, conditional.if_true, conditional.if_false});
      }
      case ExprKind::kParen:
        return AddNamed("paren", {As<ParenExpr>(expr).inner});
      case ExprKind::kTemplate:
        AddList("template", As<TemplateExpr>(expr).parts);
        return Add(")");
      case ExprKind::kTemplateText:
        return AddQuoted(As<TemplateTextExpr>(expr).text);
      case ExprKind::kTemplateWrap:
        return AddNamed("wrap", {As<TemplateWrapExpr>(expr).inner});
      case ExprKind::kTemplateIf: {
        const auto& directive = As<TemplateIfExpr>(expr);
        if (directive.if_false == nullptr) return AddNamed("%if", {directive.condition, directive.if_true});
        return AddNamed("%if", {directive.condition, directive.if_true, directive.if_false});
      }
      case ExprKind::kTemplateFor:
        return AddTemplateFor(As<TemplateForExpr>(expr));
      case ExprKind::kError:
        return Add("(error)");
    }
  }

  void AddTraversal(const TraversalExpr& traversal) {
    AddList("traverse", {traversal.source});
    for (const TraversalStep& step : traversal.steps) AddStep(step);
    Add(")");
  }

  // Kinds that mean different things look different: `[0]` and `.[0]` are the index and the legacy index, and strings
  // have their quotes.
  void AddStep(const TraversalStep& step) {
    switch (step.kind) {
      case TraversalStep::Kind::kAttribute:
        Add(" .");
        Add(step.text);
        break;
      case TraversalStep::Kind::kIndexString:
        Add(" [");
        AddQuoted(step.text);
        Add("]");
        break;
      case TraversalStep::Kind::kIndexNumber:
      case TraversalStep::Kind::kIndexLiteral:
        Add(step.legacy ? " .[" : " [");
        Add(step.text);
        Add("]");
        break;
      case TraversalStep::Kind::kIndexUnknown:
        Add(" [?]");
        break;
    }
    AddRange(step.range);
  }

  void AddNames(std::string_view key_name, std::string_view value_name) {
    if (!key_name.empty()) {
      Add(key_name);
      Add(",");
    }
    Add(value_name);
  }

  void AddCall(const CallExpr& call) {
    Add("(call ");
    Add(call.name);
    for (const Expr* argument : call.arguments) {
      Add(" ");
      AddExpr(*argument);
    }
    Add(call.expand_last ? " ...)" : ")");
  }

  // The name of a naked key is written instead of its node, which would look like a variable.
  void AddObject(const ObjectExpr& object) {
    Add("(object");
    for (const ObjectItem& item : object.items) {
      Add(" (");
      if (item.key_name.empty()) {
        AddExpr(*item.key);
      } else {
        Add(item.key_name);
        AddRange(item.key->range);
      }
      Add(" ");
      AddExpr(*item.value);
      Add(")");
    }
    Add(")");
  }

  // The name of the form says whether there is a key, so the parts need no marks to tell them apart.
  void AddFor(const ForExpr& node) {
    Add(node.key == nullptr ? "(for-tuple " : "(for-object ");
    AddNames(node.key_name, node.value_name);
    for (const Expr* part : {node.collection, node.key, node.value}) {
      if (part == nullptr) continue;
      Add(" ");
      AddExpr(*part);
    }
    if (node.group) Add(" ...");
    if (node.condition != nullptr) {
      Add(" if ");
      AddExpr(*node.condition);
    }
    Add(")");
  }

  void AddTemplateFor(const TemplateForExpr& directive) {
    Add("(%for ");
    AddNames(directive.key_name, directive.value_name);
    Add(" ");
    AddExpr(*directive.collection);
    Add(" ");
    AddExpr(*directive.body);
    Add(")");
  }

  DumpOptions options_;
  std::string* out_;
  std::vector<Task> tasks_;  // of the node that is being taken apart
};

}  // namespace

std::string DumpExpr(const Expr& expr, const DumpOptions& options) {
  std::string text;
  Dumper(options, &text).WriteExpr(expr);
  return text;
}

std::string DumpBody(const Body& body, const DumpOptions& options) {
  std::string text;
  Dumper(options, &text).WriteBody(body, 0);
  return text;
}

}  // namespace hcl::internal
