// PartTypes. Tested as compiler/part_types.h says.

#include "hclvm/compiler/part_types.h"

#include "absl/container/inlined_vector.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Most nodes have a part whose type the text does not tell.
Type PartTypes::OfParts(const BoundExpr& node) {
  absl::InlinedVector<Type, 8> parts;
  if (node.kind == BoundKind::kTuple) {
    for (const BoundExpr* element : As<BoundTuple>(node).elements) {
      if (element->type.is_dynamic()) return Type::Dynamic();
      parts.push_back(element->type);
    }
    return table().Tuple(parts);
  }
  const auto& object = As<BoundObject>(node);
  if (object.shape == nullptr) return Type::Dynamic();
  parts.resize(object.items.size());
  for (const BoundItem& item : object.items) {
    if (item.value->type.is_dynamic()) return Type::Dynamic();
    parts[item.position] = item.value->type;
  }
  return table().Object(*object.shape, parts);
}

// Types of constant lists and objects are made here only: few are branches.
Type PartTypes::OfBranches(BoundExpr* if_true, BoundExpr* if_false, Heap* heap) {
  bool is_structure = false;
  for (BoundExpr* const branch : {if_true, if_false}) {
    const Value* const constant = branch->is_constant() ? &As<BoundConstant>(*branch).value : nullptr;
    if (constant != nullptr && (constant->is_sequence() || constant->is_mapping())) {
      branch->type = TypeOf(*constant, &table());
    }
    if (!IsNull(*branch) && !HasFirmType(*branch)) return Type::Dynamic();
    is_structure = is_structure || !(branch->type.is_dynamic() || branch->has_primitive_type());
  }
  if (!is_structure && (IsNull(*if_true) || IsNull(*if_false) || if_true->type == if_false->type)) {
    return Type::Dynamic();
  }
  if (IsNull(*if_true)) return if_false->type;
  if (IsNull(*if_false) || if_true->type == if_false->type) return if_true->type;
  const Type types[] = {if_true->type, if_false->type};
  Unification common;
  return Unification::Of(types, heap, &common) ? common.of_types() : Type::Dynamic();
}

}  // namespace hcl::internal
