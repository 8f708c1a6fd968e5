// Dynamic blocks. Tested by decode/dynamic_test.cc.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/decode/decode_functions.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {
namespace {

// The parts of a block in the tuple that ExpandBlocks takes.
int PositionOf(const Value& block) { return static_cast<int>(block.elements()[0].AsInt()); }
const Value& ValueOf(const Value& block) { return block.elements()[block.size() - 1]; }

// Objects by labels, one in the other.
struct Node {
  std::map<std::string, Node> children;
  Value value;  // behind the last label
};

// std::map keeps the labels in bytewise order, as objects have their keys, so that MakeObject need not sort. The
// recursion is as deep as there are labels.
Value ToObject(const Node& node, size_t levels, Arena* arena) {
  if (levels == 0) return node.value;
  std::vector<KeyValue> items;
  for (const auto& [label, child] : node.children) {
    items.push_back({Value::String(label, arena), ToObject(child, levels - 1, arena)});
  }
  return MakeObject(items, arena);
}

bool IsIterable(Type type) {
  return type.is_dynamic() || type.is_collection() || type.kind() == TypeKind::kTuple ||
         type.kind() == TypeKind::kObject;
}

// The result holds blocks by their labels, objects in objects. Two blocks with the same labels are an error, as for
// written blocks, which the decoder checks while compiling; with dynamic ones it shows here only. The tree is built
// first, because blocks with the same first label need not be neighbors, and an object is immutable once made.
Value ExpandLabeled(absl::Span<const Value> blocks, const DecodeRule& rule, Interpreter* interpreter) {
  Node root;
  for (const Value& block : blocks) {
    Node* node = &root;
    bool is_new = false;
    for (const Value& label : block.elements().subspan(1, block.size() - 2)) {
      const auto [child, added] = node->children.try_emplace(std::string(label.AsString()));
      node = &child->second;
      is_new = added;
    }
    if (!is_new) {
      return interpreter->context()->Fail(span_role::kBlocks + PositionOf(block), DiagnosticCode::kDuplicateLabels,
                                          absl::StrCat("There is a block with these labels already. The labels of ",
                                                       rule.block_type, " blocks must be unique."),
                                          {rule.block_type});
    }
    node->value = ValueOf(block);
  }
  return ToObject(root, blocks.empty() ? 1 : blocks[0].size() - 2, interpreter->context()->heap->arena());
}

}  // namespace

// The reference's `dynamic` block: `for_each` must be iterable, and null is an error. For an unknown collection the
// code of the block does not run at all; the jump leads to TupleAbsorb, which makes all blocks of the type unknown,
// because how many there are is not known. Marks stay on the value for TupleAbsorb; ForBegin takes those of a known
// collection.
Value CheckForEach(Interpreter* interpreter, const Value& marked, const void*) {
  if (marked.is_error()) return marked;
  const Value& value = marked.unmarked();
  const bool iterable =
      value.is_unknown() ? IsIterable(value.null_or_unknown_type()) : value.is_sequence() || value.is_mapping();
  if (iterable) return marked;
  return interpreter->context()->Fail(span_role::kCollection, DiagnosticCode::kInvalidForEach,
                                      value.is_null()
                                          ? "A null value cannot be used in for_each."
                                          : absl::StrCat("A list, set, tuple, map or object is required in for_each, ",
                                                         "not ", WithArticle(value), "."));
}

// Labels choose where a block goes in the result, so that each must be known, not null and without marks while the
// blocks are expanded; an object's keys cannot carry marks.
Value DynamicLabel(Interpreter* interpreter, const Value& value, const void*) {
  if (value.is_error() || value.is_string()) return value;
  constexpr DiagnosticCode kCode = DiagnosticCode::kInvalidDynamicLabel;
  Value label;
  ConversionError error;
  if (value.has_marks())
    return interpreter->context()->Fail(span_role::kWhole, kCode, "A marked value cannot be a block's label.");
  if (!Convert(value, Type::String(), interpreter->context()->heap, &label, &error)) {
    return interpreter->context()->Fail(span_role::kWhole, kCode,
                                        absl::StrCat("This cannot be a block's label: ", error.ToString(), "."));
  }
  if (label.is_null())
    return interpreter->context()->Fail(span_role::kWhole, kCode, "A null value cannot be a block's label.");
  if (label.is_unknown()) {
    return interpreter->context()->Fail(span_role::kWhole, kCode,
                                        "A block's label must be known, and this value is not.");
  }
  return label;
}

// The checks that a spec has for the number of blocks, made at run time because dynamic blocks have one only then. The
// first surplus block is reported at its position among the instruction's ranges. A rule of the dynamic type asks for a
// tuple or object of blocks, which is what the loop has made; for any other type GatherBlocks() makes the collection.
Value ExpandBlocks(Interpreter* interpreter, const Value& marked, const void* state) {
  const DecodeRule& rule = *static_cast<const DecodeRule*>(state);
  if (marked.is_error()) return marked;
  if (!interpreter->Charge(Interpreter::CostOf(marked))) return interpreter->OutOfFuel();
  Arena* const arena = interpreter->context()->heap->arena();
  const Value& tuple = marked.unmarked();
  if (tuple.is_unknown()) return Mark(Value::Unknown(rule.type), marked.marks(), arena);
  const absl::Span<const Value> blocks = tuple.elements();
  const std::string& type = rule.block_type;
  const bool one = rule.expansion == DecodeRule::Expansion::kOne;
  if (blocks.size() < rule.min_blocks) {
    return interpreter->context()->Fail(span_role::kWhole,
                                        one ? DiagnosticCode::kMissingBlock : DiagnosticCode::kTooFewBlocks,
                                        absl::StrCat("At least ", rule.min_blocks, " \"", type,
                                                     "\" blocks are required, and there are ", blocks.size(), "."),
                                        {type});
  }
  if (rule.max_blocks > 0 && blocks.size() > rule.max_blocks) {
    return interpreter->context()->Fail(span_role::kBlocks + PositionOf(blocks[rule.max_blocks]),
                                        one ? DiagnosticCode::kDuplicateBlock : DiagnosticCode::kTooManyBlocks,
                                        absl::StrCat("No more than ", rule.max_blocks, " \"", type,
                                                     "\" blocks are allowed, and there are ", blocks.size(), "."),
                                        {type});
  }
  Value result;
  if (one) {
    result = blocks.empty() ? Value::Null(rule.type) : ValueOf(blocks[0]);
  } else if (rule.expansion == DecodeRule::Expansion::kLabeled) {
    result = ExpandLabeled(blocks, rule, interpreter);
  } else {
    std::vector<Value> values;
    for (const Value& block : blocks) values.push_back(ValueOf(block));
    result = MakeTuple(values, arena);
  }
  if (!one && !rule.type.is_dynamic()) result = GatherBlocks(interpreter, result, state);
  return result.is_error() ? result : Mark(result, marked.marks(), arena);
}

}  // namespace hcl::internal
