// LiveRecorder. Tested by workbench/explain_test.cc and workbench/coverage_test.cc.

#include "hclvm/workbench/live_recorder.h"

#include <algorithm>

namespace hcl::internal {
namespace {

bool IsConstant(const RecordTable& table, uint32_t point) { return table.at(point).kind == PointKind::kConstant; }

// The part with which each pass over an element begins; kNoPoint where all of them are constant.
uint32_t FirstPart(const RecordTable& table, const RecordPoint& loop) {
  for (size_t n = 1; n < loop.parts.size(); ++n) {
    const uint32_t part = loop.parts[n];
    if (part != RecordTable::kNoPoint && !IsConstant(table, part)) return part;
  }
  return RecordTable::kNoPoint;
}

bool IsLoop(PointKind kind) {
  return kind == PointKind::kFor || kind == PointKind::kSplat || kind == PointKind::kTemplateFor;
}

bool HasNoElements(const Value& value) {
  const Value& collection = value.unmarked();
  if (collection.is_sequence()) return collection.elements().empty();
  return collection.is_mapping() && collection.shape().size == 0;
}

}  // namespace

CompileOptions RecordingOptions(const CompileOptions& options) {
  CompileOptions recording = options;
  recording.optimize = false;
  recording.fast_code = false;
  recording.record = true;
  return recording;
}

CompileOptions DecisionOptions(const CompileOptions& options) {
  CompileOptions decisions = RecordingOptions(options);
  decisions.record_decisions_only = true;
  return decisions;
}

Limits RecordingLimits(Limits limits) {
  constexpr uint64_t kFactor = 16;
  limits.max_fuel = std::min(limits.max_fuel, UINT64_MAX / kFactor) * kFactor;
  return limits;
}

Truth TruthOf(const Value& value) {
  const Value& v = value.unmarked();
  if (v.is_true() || (v.is_string() && v.AsString() == "true")) return Truth::kTrue;
  if (v.is_false() || (v.is_string() && v.AsString() == "false")) return Truth::kFalse;
  return Truth::kNeither;
}

void LiveRecorder::Restart() {
  frames_.clear();
  Clear();
}

// Constant operands are not reported: those in front of the one that begins are looked at now.
bool LiveRecorder::IsLiveOperand(const RecordPoint& chain, uint32_t point, Frame* parent) {
  const Truth deciding = chain.kind == PointKind::kAnd ? Truth::kFalse : Truth::kTrue;
  for (; chain.parts[parent->position] != point; ++parent->position) {
    const RecordPoint& operand = parent->table->at(chain.parts[parent->position]);
    if (operand.kind == PointKind::kConstant && TruthOf(operand.value) == deciding) parent->is_decided = true;
  }
  return !parent->is_decided;
}

bool LiveRecorder::IsLive(Frame* parent, const RecordTable& table, uint32_t point) {
  if (!parent->is_live) return false;
  // The body of a function, or a local that is read for the first time.
  if (parent->table != &table || table.at(point).parent != parent->point) return true;
  const RecordPoint& whole = table.at(parent->point);
  switch (whole.kind) {
    case PointKind::kAnd:
    case PointKind::kOr:
      return IsLiveOperand(whole, point, parent);
    case PointKind::kConditional: {
      if (point == whole.parts[0]) return true;
      const bool is_constant = IsConstant(table, whole.parts[0]);
      const Truth truth = is_constant ? TruthOf(table.at(whole.parts[0]).value) : parent->truth;
      return truth == (point == whole.parts[1] ? Truth::kTrue : Truth::kFalse);
    }
    case PointKind::kFor:
    case PointKind::kSplat:
    case PointKind::kTemplateFor: {
      if (point == whole.parts[0]) return true;
      if (point == FirstPart(table, whole)) ++parent->passes;
      // A filter over nothing makes one pass with unknown elements.
      if (IsConstant(table, whole.parts[0])) return !HasNoElements(table.at(whole.parts[0]).value);
      return !parent->is_empty;
    }
    default:
      return true;
  }
}

void LiveRecorder::Enter(const RecordTable& table, uint32_t point) {
  const bool is_live = frames_.empty() || IsLive(&frames_.back(), table, point);
  Frame frame{&table, point, is_live};
  if (is_live) Begin(&frame, frames_.empty() ? nullptr : &frames_.back());
  frames_.push_back(frame);
}

void LiveRecorder::Note(const RecordTable& table, uint32_t point, const Value& value, Frame* parent) {
  if (parent->table != &table || table.at(point).parent != parent->point) return;
  const RecordPoint& whole = table.at(parent->point);
  if (whole.kind == PointKind::kAnd || whole.kind == PointKind::kOr) {
    const Truth deciding = whole.kind == PointKind::kAnd ? Truth::kFalse : Truth::kTrue;
    if (TruthOf(value) == deciding) parent->is_decided = true;
  } else if (whole.kind == PointKind::kConditional && point == whole.parts[0]) {
    parent->truth = TruthOf(value);
  } else if (IsLoop(whole.kind) && point == whole.parts[0]) {
    parent->is_empty = HasNoElements(value);
  }
}

void LiveRecorder::Leave(const RecordTable& table, uint32_t point, const Value& value) {
  if (frames_.empty()) return;
  const Frame frame = frames_.back();
  frames_.pop_back();
  Frame* const parent = frames_.empty() ? nullptr : &frames_.back();
  if (frame.is_live) End(frame, parent, value);
  if (parent != nullptr) Note(table, point, value, parent);
}

}  // namespace hcl::internal
