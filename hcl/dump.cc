// Dump: recursion follows counted nesting only; left spines of binary operators, traversals and indices are unrolled.

#include "hcl/dump.h"

#include <string>
#include <vector>

namespace hcl {
namespace {

const char* OperatorText(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
      return "+";
    case BinaryOp::kSubtract:
      return "-";
    case BinaryOp::kMultiply:
      return "*";
    case BinaryOp::kDivide:
      return "/";
    case BinaryOp::kModulo:
      return "%";
    case BinaryOp::kEqual:
      return "==";
    case BinaryOp::kNotEqual:
      return "!=";
    case BinaryOp::kLess:
      return "<";
    case BinaryOp::kLessEqual:
      return "<=";
    case BinaryOp::kGreater:
      return ">";
    case BinaryOp::kGreaterEqual:
      return ">=";
    case BinaryOp::kAnd:
      return "&&";
    case BinaryOp::kOr:
      return "||";
  }
  return "?";
}

// The operand at which `expr` leans to the left, or null.
const Expr* LeftOperand(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kBinary:
      return As<BinaryExpr>(expr).lhs;
    case ExprKind::kTraversal:
      return As<TraversalExpr>(expr).source;
    case ExprKind::kIndex:
      return As<IndexExpr>(expr).collection;
    default:
      return nullptr;
  }
}

class Dumper {
 public:
  Dumper(const DumpOptions& options, std::string* out) : options_(options), out_(out) {}

  void WriteExpr(const Expr& expr) {
    // Openings from the outermost node of the left spine to the innermost, then the rest of each on the way back.
    std::vector<const Expr*> spine;
    const Expr* innermost = &expr;
    for (const Expr* left = LeftOperand(expr); left != nullptr; left = LeftOperand(*innermost)) {
      spine.push_back(innermost);
      innermost = left;
    }
    for (const Expr* node : spine) WriteSpineOpening(*node);
    WriteNode(*innermost);
    for (auto node = spine.rbegin(); node != spine.rend(); ++node) {
      WriteSpineRest(**node);
      WriteRange((*node)->range);
    }
  }

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
  void Write(std::string_view text) { out_->append(text); }

  void WriteQuoted(std::string_view text) {
    out_->push_back('"');
    for (const char c : text) {
      switch (c) {
        case '"':
          Write("\\\"");
          break;
        case '\\':
          Write("\\\\");
          break;
        case '\n':
          Write("\\n");
          break;
        case '\r':
          Write("\\r");
          break;
        case '\t':
          Write("\\t");
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

  void WriteSpineOpening(const Expr& expr) {
    if (expr.kind == ExprKind::kBinary) {
      out_->append("(").append(OperatorText(As<BinaryExpr>(expr).op)).append(" ");
    } else {
      Write(expr.kind == ExprKind::kIndex ? "(index " : "(traverse ");
    }
  }

  void WriteSpineRest(const Expr& expr) {
    if (expr.kind == ExprKind::kTraversal) {
      for (const TraversalStep& step : As<TraversalExpr>(expr).steps) WriteStep(step);
    } else {
      Write(" ");
      WriteExpr(expr.kind == ExprKind::kBinary ? *As<BinaryExpr>(expr).rhs : *As<IndexExpr>(expr).key);
    }
    Write(")");
  }

  void WriteStep(const TraversalStep& step) {
    Write(" ");
    switch (step.kind) {
      case TraversalStep::Kind::kAttribute:
        out_->append(".").append(step.text);
        break;
      case TraversalStep::Kind::kIndexString:
        Write("[");
        WriteQuoted(step.text);
        Write("]");
        break;
      case TraversalStep::Kind::kIndexNumber:
      case TraversalStep::Kind::kIndexLiteral:
        out_->append(step.legacy ? ".[" : "[").append(step.text).append("]");
        break;
      case TraversalStep::Kind::kIndexUnknown:
        Write("[?]");
        break;
    }
    WriteRange(step.range);
  }

  void WriteList(const char* name, absl::Span<const Expr* const> exprs) {
    out_->append("(").append(name);
    for (const Expr* expr : exprs) {
      Write(" ");
      WriteExpr(*expr);
    }
  }

  void WriteNamed(const char* name, std::initializer_list<const Expr*> exprs) {
    WriteList(name, absl::Span<const Expr* const>(exprs.begin(), exprs.size()));
    Write(")");
  }

  void WriteNode(const Expr& expr) {
    WriteNodeText(expr);
    WriteRange(expr.range);
  }

  void WriteNodeText(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return Write(As<LiteralExpr>(expr).spelling);
      case ExprKind::kVariable:
        out_->append("(var ").append(As<VariableExpr>(expr).name).append(")");
        return;
      case ExprKind::kTraversal:
      case ExprKind::kIndex:
      case ExprKind::kBinary:
        return;  // spine nodes
      case ExprKind::kSplat: {
        const auto& splat = As<SplatExpr>(expr);
        return WriteNamed(splat.full ? "splat[*]" : "splat.*", {splat.source, splat.each});
      }
      case ExprKind::kSplatItem:
        return Write("item");
      case ExprKind::kCall:
        return WriteCall(As<CallExpr>(expr));
      case ExprKind::kTuple:
        WriteList("tuple", As<TupleExpr>(expr).elements);
        return Write(")");
      case ExprKind::kObject:
        return WriteObject(As<ObjectExpr>(expr));
      case ExprKind::kFor:
        return WriteFor(As<ForExpr>(expr));
      case ExprKind::kUnary:
        return WriteNamed(As<UnaryExpr>(expr).op == UnaryOp::kNegate ? "-" : "!", {As<UnaryExpr>(expr).operand});
      case ExprKind::kConditional: {
        const auto& conditional = As<ConditionalExpr>(expr);
        return WriteNamed("?", {conditional.condition, conditional.if_true, conditional.if_false});
      }
      case ExprKind::kParen:
        return WriteNamed("paren", {As<ParenExpr>(expr).inner});
      case ExprKind::kTemplate:
        WriteList("template", As<TemplateExpr>(expr).parts);
        return Write(")");
      case ExprKind::kTemplateText:
        return WriteQuoted(As<TemplateTextExpr>(expr).text);
      case ExprKind::kTemplateWrap:
        return WriteNamed("wrap", {As<TemplateWrapExpr>(expr).inner});
      case ExprKind::kTemplateIf: {
        const auto& directive = As<TemplateIfExpr>(expr);
        if (directive.if_false == nullptr) return WriteNamed("%if", {directive.condition, directive.if_true});
        return WriteNamed("%if", {directive.condition, directive.if_true, directive.if_false});
      }
      case ExprKind::kTemplateFor: {
        const auto& directive = As<TemplateForExpr>(expr);
        Write("(%for ");
        WriteNames(directive.key_name, directive.value_name);
        Write(" ");
        WriteExpr(*directive.collection);
        Write(" ");
        WriteExpr(*directive.body);
        return Write(")");
      }
      case ExprKind::kError:
        return Write("(error)");
    }
  }

  void WriteNames(std::string_view key_name, std::string_view value_name) {
    if (!key_name.empty()) out_->append(key_name).append(",");
    Write(value_name);
  }

  void WriteCall(const CallExpr& call) {
    out_->append("(call ").append(call.name);
    for (const Expr* argument : call.arguments) {
      Write(" ");
      WriteExpr(*argument);
    }
    Write(call.expand_last ? " ...)" : ")");
  }

  void WriteObject(const ObjectExpr& object) {
    Write("(object");
    for (const ObjectItem& item : object.items) {
      Write(" (");
      if (item.key_name.empty()) {
        WriteExpr(*item.key);
      } else {
        Write(item.key_name);
        WriteRange(item.key->range);
      }
      Write(" ");
      WriteExpr(*item.value);
      Write(")");
    }
    Write(")");
  }

  void WriteFor(const ForExpr& node) {
    Write(node.key == nullptr ? "(for-tuple " : "(for-object ");
    WriteNames(node.key_name, node.value_name);
    for (const Expr* part : {node.collection, node.key, node.value}) {
      if (part == nullptr) continue;
      Write(" ");
      WriteExpr(*part);
    }
    if (node.group) Write(" ...");
    if (node.condition != nullptr) {
      Write(" if ");
      WriteExpr(*node.condition);
    }
    Write(")");
  }

  void WriteAttribute(const Attribute& attribute) {
    Write(attribute.name);
    WriteRange(attribute.range);
    Write(" = ");
    WriteExpr(*attribute.expr);
    Write("\n");
  }

  void WriteBlock(const Block& block, int indent) {
    Write(block.type);
    for (const BlockLabel& label : block.labels) {
      Write(" ");
      WriteQuoted(label.text);
      WriteRange(label.range);
    }
    WriteRange(block.range);
    Write(" {\n");
    WriteBody(*block.body, indent + 1);
    out_->append(static_cast<size_t>(indent) * 2, ' ').append("}\n");
  }

  DumpOptions options_;
  std::string* out_;
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

}  // namespace hcl
