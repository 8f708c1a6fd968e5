// PrintCore. Tested by compiler/core_test.cc.

#include <string>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

const char* NameOf(CoreOp op) {
  static constexpr const char* kNames[] = {
      "none",    "add",      "subtract", "multiply", "divide", "modulo", "ratio",   "equal",   "less",      "is_null",
      "not",     "in",       "prefix",   "suffix",   "within", "has",    "search",  "has_key", "length",    "shared",
      "lacking", "lookup",   "ceil",     "floor",    "piece",  "keyed",  "matches", "pieces",  "has_piece", "typed",
      "meet",    "not_null", "exiting",  "unsure",   "check",  "all_of", "any_of",  "sum",     "min",       "max",
      "count",   "contains", "first",    "one",      "list",   "joined"};
  return kNames[static_cast<int>(op)];
}

const char* NameOf(CoreKind kind) {
  static constexpr const char* kNames[] = {"const", "slot",   "step",  "index",   "prim",   "all",   "any",
                                           "if",    "choice", "try",   "can",     "call",   "text",  "object",
                                           "tuple", "var",    "local", "general", "loop",   "items", "guard",
                                           "seq",   "need",   "yield", "spread",  "either", "open"};
  return kNames[static_cast<int>(kind)];
}

// Paths are shown as they are written, the rest by names that tests can tell apart.
void Append(const CoreNode& node, std::string* text) {
  switch (node.kind) {
    case CoreKind::kConst:
      return text->append(ConstantText(node.value)), void();
    case CoreKind::kSlot:
      if (node.origin == nullptr) return absl::StrAppend(text, "slot", node.index);
      return text->append(As<BoundPath>(*node.origin).name), void();
    case CoreKind::kStep:
      Append(*node.args[0], text);
      return AppendStepText(node.value, node.value.is_string(), text);
    default:
      break;
  }
  if (node.kind == CoreKind::kLocal) return absl::StrAppend(text, "r", node.index);
  if (node.kind == CoreKind::kVar) return absl::StrAppend(text, node.index % 2 == 0 ? "e" : "k", node.index / 2);
  if (node.kind == CoreKind::kPrim || node.kind == CoreKind::kLoop) {
    text->append(NameOf(node.op));
  } else if (node.kind == CoreKind::kCall) {
    text->append(As<BoundCall>(*node.origin).function->name);
  } else {
    text->append(NameOf(node.kind));
  }
  if (node.args.empty() && node.kind != CoreKind::kSeq) return;
  const char* before = "(";
  for (const CoreNode* arg : node.args) {
    text->append(before);
    Append(*arg, text);
    before = " ";
  }
  text->append(")");
}

}  // namespace

std::string PrintCore(const CoreNode& node) {
  std::string text;
  Append(node, &text);
  return text;
}

}  // namespace hcl::internal
