// RecordTable: what a program that records its evaluations says of its own text.
//
// A program compiled with CompileOptions::record reports each node of its expressions as it enters and leaves it
// (vm/run_recorder.h). The table tells what such a point is: its place in the text, its kind, and its parts.
//
// Internal to the machine. Tested by compiler/record_points_test.cc.

#ifndef HCLVM_VM_RECORD_TABLE_H_
#define HCLVM_VM_RECORD_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

enum class PointKind : uint8_t {
  kConstant,     // never reported; `value`
  kPath,         // `slot` and `steps`
  kLocal,        // a variable of the loop `loop`, and `steps`
  kSteps,        // parts: the source; `steps`
  kIndex,        // parts: the source, the key
  kCall,         // parts: the arguments; `name`
  kTuple,        // parts: the elements
  kObject,       // parts: key, value, key, value ...
  kFor,          // parts: the collection, the condition, the key, the value; kNoPoint where there is none
  kSplat,        // the same
  kNot,          // parts: the operand
  kNegate,       // parts: the operand
  kAnd,          // parts: the operands
  kOr,           // parts: the operands
  kOperator,     // parts: the operands; any other operator
  kConditional,  // parts: the condition, the branch where it is true, the other one
  kTemplate,     // parts: the parts
  kTemplateFor,  // parts: the collection, kNoPoint, kNoPoint, the body
  kRaise,        // what always fails
};

struct RecordPoint {
  static constexpr uint32_t kNoPoint = UINT32_MAX;

  PointKind kind = PointKind::kConstant;
  bool is_key = false;          // kLocal: the key of the element, not its value
  uint32_t parent = kNoPoint;   // the node that it is a part of
  uint32_t loop = kNoPoint;     // kLocal: the point of the loop; kNoPoint where a host keeps the variable
  uint32_t slot = 0;            // kPath
  SourceRange range;            // without parentheses
  const Source* source;         // of `range`; lives as long as the program
  std::string_view name;        // of the variable or function; lives as long as the program
  std::vector<uint32_t> parts;  // points
  std::vector<PathStep> steps;
  Value value;  // kConstant; lives as long as the program
};

// Whether the node's parts decide which others are evaluated, or how often.
inline bool Decides(const RecordPoint& point) {
  switch (point.kind) {
    case PointKind::kAnd:
    case PointKind::kOr:
    case PointKind::kConditional:
    case PointKind::kFor:
    case PointKind::kSplat:
    case PointKind::kTemplateFor:
      return true;
    case PointKind::kCall:
      return point.name == "try";
    default:
      return false;
  }
}

// Immutable once the program is built.
class RecordTable {
 public:
  static constexpr uint32_t kNoPoint = RecordPoint::kNoPoint;

  absl::Span<const RecordPoint> points() const { return points_; }
  const RecordPoint& at(uint32_t point) const {
    HCL_DCHECK(point < points_.size());
    return points_[point];
  }
  // The point of what the chunk evaluates, or kNoPoint where its code is no expression's.
  uint32_t RootOf(uint32_t chunk) const { return chunk < roots_.size() ? roots_[chunk] : kNoPoint; }

  // For compilers. Appends a point; and says what a chunk evaluates.
  uint32_t Add(RecordPoint point) {
    points_.push_back(std::move(point));
    return static_cast<uint32_t>(points_.size()) - 1;
  }
  RecordPoint* Edit(uint32_t point) { return &points_[point]; }
  void SetRoot(uint32_t chunk, uint32_t point) {
    if (roots_.size() <= chunk) roots_.resize(size_t{chunk} + 1, kNoPoint);
    roots_[chunk] = point;
  }

 private:
  std::vector<RecordPoint> points_;
  std::vector<uint32_t> roots_;  // by chunk
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_RECORD_TABLE_H_
