// Print: expressions are written from an explicit stack of tasks, as in dump.cc.
//
// The text must parse to the same tree again, which is tested with trees of every shape. Most of what looks like a
// detail here is a place where two texts would run together to another token, or where the grammar reads a word
// differently at the start of a bracket.

#include "hclvm/hcl/print.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/hcl/print_text.h"

namespace hcl {

namespace {

using internal::AppendQuoted;
using internal::AppendTemplateText;

// How tightly an expression holds together. Where one of some level is expected, a looser one needs parentheses.
enum Level : int { kAny = 0, kOr = kLowestLevel, kMultiply = kHighestLevel, kUnary, kPostfix };
static_assert(kAny < kOr && hcl::LevelOf(BinaryOp::kOr) == kOr && hcl::LevelOf(BinaryOp::kMultiply) == kMultiply);

// Everything that is no operator holds together by itself, as if by brackets.
int LevelOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kConditional:
      return kAny;
    case ExprKind::kBinary:
      return LevelOf(As<BinaryExpr>(expr).op);
    case ExprKind::kUnary:
      return kUnary;
    default:
      return kPostfix;
  }
}

// True when the first word of `expr` is `for`, which would start a 'for' expression after a bracket. Kinds that begin
// with a sign or a bracket of their own cannot; the others begin with what their first part begins with, so a loop down
// the left side is enough.
bool StartsWithFor(const Expr* expr) {
  while (true) {
    switch (expr->kind) {
      case ExprKind::kVariable:
        return As<VariableExpr>(*expr).name == "for";
      case ExprKind::kCall:
        return As<CallExpr>(*expr).name == "for" || As<CallExpr>(*expr).name.substr(0, 5) == "for::";
      case ExprKind::kTraversal:
        expr = As<TraversalExpr>(*expr).source;
        break;
      case ExprKind::kIndex:
        expr = As<IndexExpr>(*expr).collection;
        break;
      case ExprKind::kSplat:
        expr = As<SplatExpr>(*expr).source;
        break;
      case ExprKind::kBinary:
        expr = As<BinaryExpr>(*expr).lhs;
        break;
      case ExprKind::kConditional:
        expr = As<ConditionalExpr>(*expr).condition;
        break;
      default:
        return false;
    }
  }
}

// True when `name` after a number and a dot would be read as an exponent.
bool LooksLikeExponent(std::string_view name) {
  if (name.size() < 2 || (name[0] != 'e' && name[0] != 'E')) return false;
  const size_t digit = name[1] == '-' ? 2 : 1;
  return digit < name.size() && name[digit] >= '0' && name[digit] <= '9';
}

// What is left to be written.
struct Task {
  enum class Kind : uint8_t {
    kRaw,     // text, as it is
    kNumber,  // text, a number
    kName,    // a dot and text
    kString,  // text in quotes
    kText,    // literal text of a template
    kIndent,  // a new line, indented
    kExpr,
  };
  Kind kind;
  bool quoted = false;   // kText: with backslash escapes
  char sequence = '\0';  // kText: what the next sequence starts with, `$` or `%`
  int level = kAny;      // kExpr: the loosest that needs no parentheses
  int indent = -1;       // kIndent, kExpr: of its lines; -1: no line ends
  std::string_view text = {};
  const Expr* expr = nullptr;
};

class Printer {
 public:
  explicit Printer(std::string* out) : out_(out) {}

  void WriteExpr(const Expr& expr, int indent) {
    AddExpr(expr, kAny, indent);
    Run();
  }

  void WriteTemplate(const Expr& expr) {
    AddTemplate(expr, false);
    Run();
  }

 private:
  // Does the tasks that were added, and those that they add in turn. Tasks of one node are collected in their order and
  // then put on the stack in the opposite one. A number needs care, as what follows may run into it: `1 .2` and `1 .e5`
  // are steps of a number, while `1.2` and `1.e5` are read as one number. An expression writes nothing by itself, so it
  // hands on whether a number stands before it.
  void Run() {
    while (true) {
      stack_.insert(stack_.end(), tasks_.rbegin(), tasks_.rend());
      tasks_.clear();
      if (stack_.empty()) return;
      const Task task = stack_.back();
      stack_.pop_back();
      const bool after_number = after_number_;
      after_number_ = task.kind == Task::Kind::kNumber;
      switch (task.kind) {
        case Task::Kind::kRaw:
        case Task::Kind::kNumber:
          out_->append(task.text);
          break;
        case Task::Kind::kName: {
          const bool is_digit = task.text[0] >= '0' && task.text[0] <= '9';
          if (after_number && (is_digit || LooksLikeExponent(task.text))) out_->push_back(' ');
          out_->append(".").append(task.text);
          after_number_ = is_digit;
          break;
        }
        case Task::Kind::kString:
          AppendQuoted(task.text, out_);
          break;
        case Task::Kind::kText:
          AppendTemplateText(task.text, task.quoted, task.sequence, out_);
          break;
        case Task::Kind::kIndent:
          out_->append("\n").append(static_cast<size_t>(task.indent), ' ');
          break;
        case Task::Kind::kExpr:
          after_number_ = after_number;
          TakeApart(*task.expr, task);
      }
    }
  }

  void TakeApart(const Expr& expr, const Task& task) {
    if (LevelOf(expr) >= task.level) return AddNode(expr, task.indent);
    Add("(");
    AddNode(expr, -1);
    Add(")");
  }

  // What a node consists of, in the order of writing.

  void Add(std::string_view text) { AddTask(Task::Kind::kRaw, text); }

  void AddTask(Task::Kind kind, std::string_view text) {
    Task task{kind};
    task.text = text;
    tasks_.push_back(task);
  }

  void AddExpr(const Expr& expr, int level = kAny, int indent = -1) {
    Task task{Task::Kind::kExpr};
    task.expr = &expr;
    task.level = level;
    task.indent = indent;
    tasks_.push_back(task);
  }

  void AddInParens(const Expr& expr) {
    Add("(");
    AddExpr(expr);
    Add(")");
  }

  // Parentheses come from the levels of the parts: the left side of a binary operator may be of its own level, the
  // right side only of a tighter one, since chains lean to the left. The condition of a conditional may be no
  // conditional, its branches may. Directives, which stand in templates only, and errors become text that does not
  // parse.
  void AddNode(const Expr& expr, int indent) {
    switch (expr.kind) {
      case ExprKind::kLiteral: {
        const auto& literal = As<LiteralExpr>(expr);
        return AddTask(literal.literal == LiteralKind::kNumber ? Task::Kind::kNumber : Task::Kind::kRaw,
                       literal.spelling);
      }
      case ExprKind::kVariable:
        return Add(As<VariableExpr>(expr).name);
      case ExprKind::kTraversal:
        return AddTraversal(As<TraversalExpr>(expr));
      case ExprKind::kIndex:
        AddBase(*As<IndexExpr>(expr).collection, false);
        Add("[");
        AddExpr(*As<IndexExpr>(expr).key);
        return Add("]");
      case ExprKind::kSplat: {
        const auto& splat = As<SplatExpr>(expr);
        AddBase(*splat.source, !splat.full);
        Add(splat.full ? "[*]" : ".*");
        return AddExpr(*splat.each);
      }
      case ExprKind::kSplatItem:
        return;
      case ExprKind::kCall:
        return AddCall(As<CallExpr>(expr));
      case ExprKind::kTuple:
        return AddTuple(As<TupleExpr>(expr), indent);
      case ExprKind::kObject:
        return AddObject(As<ObjectExpr>(expr), indent);
      case ExprKind::kFor:
        return AddFor(As<ForExpr>(expr));
      case ExprKind::kUnary:
        Add(As<UnaryExpr>(expr).op == UnaryOp::kNegate ? "-" : "!");
        return AddExpr(*As<UnaryExpr>(expr).operand, kUnary);
      case ExprKind::kBinary: {
        const auto& binary = As<BinaryExpr>(expr);
        const int level = LevelOf(binary);
        AddExpr(*binary.lhs, level);
        Add(" ");
        Add(SpellingOf(binary.op));
        Add(" ");
        return AddExpr(*binary.rhs, level + 1);
      }
      case ExprKind::kConditional: {
        const auto& conditional = As<ConditionalExpr>(expr);
        AddExpr(*conditional.condition, kOr);
        Add(" ? ");
        AddExpr(*conditional.if_true);
        Add(" : ");
        return AddExpr(*conditional.if_false);
      }
      case ExprKind::kParen:
        return AddInParens(*As<ParenExpr>(expr).inner);
      case ExprKind::kTemplate:
      case ExprKind::kTemplateWrap:
        Add("\"");
        AddTemplate(expr, true);
        return Add("\"");
      case ExprKind::kTemplateText:
        return AddTask(Task::Kind::kString, As<TemplateTextExpr>(expr).text);
      case ExprKind::kTemplateIf:
      case ExprKind::kTemplateFor:
      case ExprKind::kError:
        return Add("<error>");
    }
  }

  // What a postfix operator is applied to. A splat takes up the steps that follow it, so it needs parentheses unless it
  // is one by attributes and the operator is no attribute.
  void AddBase(const Expr& base, bool before_attribute) {
    if (base.kind == ExprKind::kSplat && (As<SplatExpr>(base).full || before_attribute)) return AddInParens(base);
    AddExpr(base, kPostfix);
  }

  // A step without text stands for one that the parser has reported, and is left out.
  void AddTraversal(const TraversalExpr& traversal) {
    const TraversalStep& first = traversal.steps[0];
    AddBase(*traversal.source, first.kind == TraversalStep::Kind::kAttribute || first.legacy);
    for (const TraversalStep& step : traversal.steps) {
      if (step.kind == TraversalStep::Kind::kAttribute || step.legacy) {
        AddTask(step.text.empty() ? Task::Kind::kRaw : Task::Kind::kName, step.text);
        continue;
      }
      Add("[");
      AddTask(step.kind == TraversalStep::Kind::kIndexString ? Task::Kind::kString : Task::Kind::kRaw, step.text);
      Add("]");
    }
  }

  void AddCall(const CallExpr& call) {
    Add(call.name);
    Add("(");
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      if (i > 0) Add(", ");
      AddExpr(*call.arguments[i]);
    }
    Add(call.expand_last ? "...)" : ")");
  }

  // True for a tuple that reads better with a line for each element.
  static bool HoldsCollections(const TupleExpr& tuple) {
    for (const Expr* element : tuple.elements) {
      if (element->kind == ExprKind::kTuple && !As<TupleExpr>(*element).elements.empty()) return true;
      if (element->kind == ExprKind::kObject && !As<ObjectExpr>(*element).items.empty()) return true;
    }
    return false;
  }

  // A first element that starts with the word `for` would start a 'for' expression (native-syntax.md, "Collection
  // Values"). Newlines are legal wherever `indent` is given, as for objects.
  void AddTuple(const TupleExpr& tuple, int indent) {
    const bool has_lines = indent >= 0 && HoldsCollections(tuple);
    Add("[");
    for (size_t i = 0; i < tuple.elements.size(); ++i) {
      if (i > 0) Add(has_lines ? "," : ", ");
      if (has_lines) AddLine(indent + 2);
      if (i == 0 && StartsWithFor(tuple.elements[0])) {
        AddInParens(*tuple.elements[0]);
      } else {
        AddExpr(*tuple.elements[i], kAny, has_lines ? indent + 2 : -1);
      }
    }
    if (has_lines) AddLine(indent);
    Add("]");
  }

  // Only the values of items get an indentation: in any other place an object stands on one line, so that newlines are
  // written nowhere but between items.
  void AddObject(const ObjectExpr& object, int indent) {
    if (object.items.empty()) return Add("{}");
    const bool on_one_line = indent < 0;
    Add(on_one_line ? "{ " : "{");
    for (size_t i = 0; i < object.items.size(); ++i) {
      if (!on_one_line) {
        AddLine(indent + 2);
      } else if (i > 0) {
        Add(", ");
      }
      AddKey(object.items[i], i == 0);
      Add(" = ");
      AddExpr(*object.items[i].value, kAny, on_one_line ? -1 : indent + 2);
    }
    if (!on_one_line) AddLine(indent);
    Add(on_one_line ? " }" : "}");
  }

  void AddLine(int indent) {
    Task task{Task::Kind::kIndent};
    task.indent = indent;
    tasks_.push_back(task);
  }

  // A name that is an expression needs parentheses, or it would be a naked key; and a first key `for` needs quotes, or
  // it would start a 'for' expression (native-syntax.md, "Collection Values").
  void AddKey(const ObjectItem& item, bool is_first) {
    if (!item.key_name.empty()) {
      const bool is_for = is_first && item.key_name == "for";
      return AddTask(is_for ? Task::Kind::kString : Task::Kind::kRaw, item.key_name);
    }
    const bool is_name =
        item.key->kind == ExprKind::kVariable ||
        (item.key->kind == ExprKind::kLiteral && As<LiteralExpr>(*item.key).literal != LiteralKind::kNumber);
    if (is_name || (is_first && StartsWithFor(item.key))) return AddInParens(*item.key);
    AddExpr(*item.key);
  }

  // `for k, v in collection`.
  void AddForIntro(std::string_view key_name, std::string_view value_name, const Expr& collection) {
    Add("for ");
    if (!key_name.empty()) {
      Add(key_name);
      Add(", ");
    }
    Add(value_name);
    Add(" in ");
    AddExpr(collection);
  }

  // The brackets follow from the key and not from the source, as a tree without a key is that of a tuple.
  void AddFor(const ForExpr& node) {
    Add(node.key == nullptr ? "[" : "{");
    AddForIntro(node.key_name, node.value_name, *node.collection);
    Add(" : ");
    if (node.key != nullptr) {
      AddExpr(*node.key);
      Add(" => ");
    }
    AddExpr(*node.value);
    if (node.group) Add("...");
    if (node.condition != nullptr) {
      Add(" if ");
      AddExpr(*node.condition);
    }
    Add(node.key == nullptr ? "]" : "}");
  }

  // The content of a whole template.
  void AddTemplate(const Expr& expr, bool quoted) {
    if (expr.kind == ExprKind::kTemplateWrap) {
      Add("${");
      AddExpr(*As<TemplateWrapExpr>(expr).inner);
      return Add("}");
    }
    // What a parser leaves where a whole template is broken; as text it would parse.
    if (expr.kind == ExprKind::kError) {
      Add("${");
      AddExpr(expr);
      return Add("}");
    }
    const auto& parts = As<TemplateExpr>(expr).parts;
    // A single interpolation would be unwrapped; a space that is stripped keeps it a template.
    if (parts.size() == 1 && SequenceOf(*parts[0]) == '$') {
      Add(" ${~ ");
      AddExpr(*parts[0]);
      return Add("}");
    }
    AddParts(parts, quoted, '\0');
  }

  // What a part that is no text starts with, `$` or `%`; 0 for text.
  static char SequenceOf(const Expr& part) {
    switch (part.kind) {
      case ExprKind::kTemplateText:
        return '\0';
      case ExprKind::kTemplateIf:
      case ExprKind::kTemplateFor:
        return '%';
      default:
        return '$';
    }
  }

  // `after`: what the sequence behind the parts starts with. Text is told what comes behind it, since a `$` or `%` at
  // its end would escape the sequence there. Recursion follows the nesting of directives, which the parser has counted.
  void AddParts(absl::Span<const Expr* const> parts, bool quoted, char after) {
    for (size_t i = 0; i < parts.size(); ++i) {
      const Expr& part = *parts[i];
      const char next = i + 1 < parts.size() ? SequenceOf(*parts[i + 1]) : after;
      switch (part.kind) {
        case ExprKind::kTemplateText: {
          Task task{Task::Kind::kText};
          task.text = As<TemplateTextExpr>(part).text;
          task.quoted = quoted;
          task.sequence = next;
          tasks_.push_back(task);
          break;
        }
        case ExprKind::kTemplateIf:
          AddTemplateIf(As<TemplateIfExpr>(part), quoted, OpeningAfter(parts, i, quoted));
          break;
        case ExprKind::kTemplateFor:
          Add(OpeningAfter(parts, i, quoted));
          AddForIntro(As<TemplateForExpr>(part).key_name, As<TemplateForExpr>(part).value_name,
                      *As<TemplateForExpr>(part).collection);
          Add(" }");
          AddParts(As<TemplateForExpr>(part).body->parts, quoted, '%');
          Add(OpeningAfter(As<TemplateForExpr>(part).body->parts, quoted));
          Add("endfor }");
          break;
        default:
          Add(OpeningAfter(parts, i, quoted));
          AddExpr(part);
          Add("}");
      }
    }
  }

  // Each directive strips the space that divides it from a sign before it, so the opening of each is asked for.
  void AddTemplateIf(const TemplateIfExpr& directive, bool quoted, std::string_view opening) {
    Add(opening);
    Add("if ");
    AddExpr(*directive.condition);
    Add(" }");
    AddParts(directive.if_true->parts, quoted, '%');
    Add(OpeningAfter(directive.if_true->parts, quoted));
    if (directive.if_false != nullptr) {
      Add("else }");
      AddParts(directive.if_false->parts, quoted, '%');
      Add(OpeningAfter(directive.if_false->parts, quoted));
    }
    Add("endif }");
  }

  // How the sequence of part `i` starts: it strips the space that divides it from a `$` or `%` before it, which would
  // escape it.
  static std::string_view OpeningAfter(absl::Span<const Expr* const> parts, size_t i, bool quoted) {
    const char sequence = SequenceOf(*parts[i]);
    const bool strips = i > 0 && NeedsSpace(*parts[i - 1], sequence, quoted);
    if (sequence == '$') return strips ? "${~ " : "${";
    return strips ? "%{~ " : "%{ ";
  }

  // The same for the directive after all parts.
  static std::string_view OpeningAfter(absl::Span<const Expr* const> parts, bool quoted) {
    return !parts.empty() && NeedsSpace(*parts.back(), '%', quoted) ? "%{~ " : "%{ ";
  }

  static bool NeedsSpace(const Expr& part, char sequence, bool quoted) {
    return !quoted && part.kind == ExprKind::kTemplateText && As<TemplateTextExpr>(part).text.view().back() == sequence;
  }

  std::string* out_;
  bool after_number_ = false;
  std::vector<Task> stack_;
  std::vector<Task> tasks_;  // of the node that is being taken apart
};

void AppendAttribute(const Attribute& attribute, size_t indent, std::string* out) {
  out->append(indent, ' ').append(attribute.name).append(" = ");
  Printer(out).WriteExpr(*attribute.expr, static_cast<int>(indent));
  out->append("\n");
}

void AppendBody(const Body& body, size_t indent, std::string* out);

// Labels are written in quotes, also those that were names: the tree does not tell, and both mean the same.
void AppendBlock(const Block& block, size_t indent, std::string* out) {
  out->append(indent, ' ').append(block.type);
  for (const BlockLabel& label : block.labels) {
    out->push_back(' ');
    AppendQuoted(label.text, out);
  }
  if (block.body->attributes.empty() && block.body->blocks.empty()) {
    out->append(" {}\n");
    return;
  }
  out->append(" {\n");
  AppendBody(*block.body, indent + 2, out);
  out->append(indent, ' ').append("}\n");
}

// Both lists are in source order; they are merged by position.
void AppendBody(const Body& body, size_t indent, std::string* out) {
  size_t attribute = 0;
  size_t block = 0;
  bool after_block = false;
  while (attribute < body.attributes.size() || block < body.blocks.size()) {
    const bool is_block =
        attribute == body.attributes.size() ||
        (block < body.blocks.size() && body.blocks[block].range.begin <= body.attributes[attribute].range.begin);
    if (attribute + block > 0 && (is_block || after_block)) out->push_back('\n');
    after_block = is_block;
    if (is_block) {
      AppendBlock(body.blocks[block++], indent, out);
    } else {
      AppendAttribute(body.attributes[attribute++], indent, out);
    }
  }
}

}  // namespace

std::string PrintExpr(const Expr& expr) {
  std::string text;
  Printer(&text).WriteExpr(expr, -1);
  return text;
}

std::string PrintTemplate(const Expr& expr) {
  std::string text;
  Printer(&text).WriteTemplate(expr);
  return text;
}

std::string PrintBody(const Body& body) {
  std::string text;
  AppendBody(body, 0, &text);
  return text;
}

}  // namespace hcl
