// TraceItem: an expression of a run, evaluated or constant, and the ways from one to the next.
//
// Internal to the workbench. Tested by workbench/explain_test.cc.

#ifndef HCLVM_WORKBENCH_TRACE_ITEM_H_
#define HCLVM_WORKBENCH_TRACE_ITEM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hclvm/vm/program.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/run_trace.h"

namespace hcl::internal {

struct TraceItem {
  const RecordTable* table = nullptr;
  uint32_t number = 0;
  const TraceNode* node = nullptr;  // null: it is constant, or was not evaluated

  const RecordPoint& point() const { return table->at(number); }
  PointKind kind() const { return point().kind; }
  bool is_constant() const { return kind() == PointKind::kConstant; }
  bool is_there() const { return is_constant() || (node != nullptr && node->is_done); }
  // Requires is_there().
  const Value& value() const { return node != nullptr ? node->value : point().value; }
};

// Where expressions lead in one run. Both must outlive this.
class TraceWays {
 public:
  // `hides_sensitive`: ways end where what is sensitive decides how they go on.
  TraceWays(const Program& program, const RunTrace& trace, bool hides_sensitive = true);

  // Whether the value is not to be shown, nor what it decides.
  bool IsHidden(const Value& value) const;
  // What the expression of the chunk was.
  TraceItem RootOf(uint32_t chunk) const;
  // Part `n` of the item, in pass `pass` of a loop. Nothing where there is no such part.
  std::optional<TraceItem> PartOf(const TraceItem& item, size_t n, uint32_t pass = 0) const;
  // Parts that were evaluated or are constant, in the order of the text; of loops, the collection only.
  std::vector<TraceItem> PartsOf(const TraceItem& item) const;
  // Passes over elements that a loop has made.
  static uint32_t PassesOf(const TraceItem& loop);
  // The local of the module that a path begins with.
  std::optional<TraceItem> LocalOf(const TraceItem& path) const;
  // The body of a function that a call of the module has run. Nothing where an argument is not to be shown: a body sees
  // its arguments without marks.
  std::optional<TraceItem> BodyOf(const TraceItem& call) const;
  // Whether the collection of a loop is not to be shown, whose elements have no marks in the loop.
  bool IsHiddenLoop(const TraceItem& loop) const;
  // What the item is made by, where it only hands a value on: a name, a variable of a loop, steps into a literal, a
  // conditional's branch. With `steps`, what makes that part of its value. Nothing where that is not to be told.
  std::optional<TraceItem> Origin(const TraceItem& item) const;
  // The expression of the element that a loop has taken in a pass.
  std::optional<TraceItem> ElementOf(const TraceItem& loop, uint32_t pass) const;
  // The key or position of that element.
  static std::optional<Value> KeyOf(const Value& collection, uint32_t pass);

 private:
  using Steps = std::vector<Value>;  // the last one first

  // As many as the point has, evaluated or not. Not of loops.
  std::vector<TraceItem> EachPart(const TraceItem& item) const;
  std::optional<TraceItem> Follow(TraceItem item, Steps* steps) const;
  std::optional<TraceItem> Step(const TraceItem& item, const Value& key) const;

  const Program& program_;
  const RunTrace& trace_;
  const bool hides_sensitive_;
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_TRACE_ITEM_H_
