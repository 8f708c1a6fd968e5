// RowMemory: what an evaluator keeps for rows of structs (Evaluator::RunMany).
//
// Internal to the machine. Tested by tests/run_many_test.cc.

#ifndef HCLVM_VM_ROW_MEMORY_H_
#define HCLVM_VM_ROW_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/scope_layout.h"
#include "hclvm/vm/value/field_support.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe. Belongs to one evaluator, for rows of one layout.
struct RowMemory {
  // Fields are read to `slots`, or, where there is more to a variable than its slot, to values of our own: `slots` is
  // null.
  RowMemory(const ScopeLayout& of, Value* slots, size_t slot_count, Dialect dialect, const Limits& limits)
      : layout(of),
        heap(nullptr, dialect, limits),
        maker(&heap, /*in_place=*/true),
        values(slots == nullptr ? slot_count : 0),
        targets(of.reader().Prepare(slots == nullptr ? values.data() : slots, &objects)) {
    for (const RowTargets::Object& object : targets.objects) {
      if (object.is_used_whole) whole.push_back(object.mapping);
      if (slots != nullptr) AddPaths(object);
    }
  }
  RowMemory(const RowMemory&) = delete;
  RowMemory& operator=(const RowMemory&) = delete;

  ScopeLayout layout;
  Heap heap;      // of what is made of one row, until another one needs memory
  Arena objects;  // those that are there for all rows
  ValueMaker maker;
  std::vector<Value> values;  // by slot
  RowTargets targets;
  std::vector<Mapping*> whole;  // of these, the objects that are used as a whole
  // Paths of the program to attributes of these objects, which stay where they are; by index.
  std::vector<std::pair<uint32_t, CachedPath>> paths;

 private:
  void AddPaths(const RowTargets::Object& object) {
    const ProgramTables& program = TablesOf(*layout.reader().program());
    for (uint32_t n = 0; n < program.paths().size(); ++n) {
      const Path& path = program.paths()[n];
      if (path.slot != object.slot || path.step_count != 1) continue;
      const Value& key = program.steps(path)[0].key;
      const int64_t at = key.is_string() ? object.mapping->shape->Find(key) : -1;
      if (at >= 0) paths.emplace_back(n, CachedPath(object.mapping->items() + at, {nullptr, nullptr}, 0));
    }
  }
};

// Takes the paths for the runs of rows while it lives, and puts back what was there.
class PathsOfRows {
 public:
  PathsOfRows(Interpreter* interpreter, RowMemory* memory) : interpreter_(interpreter), memory_(memory) { Exchange(); }
  PathsOfRows(const PathsOfRows&) = delete;
  PathsOfRows& operator=(const PathsOfRows&) = delete;
  ~PathsOfRows() { Exchange(); }

 private:
  void Exchange() {
    for (auto& [index, path] : memory_->paths) path = interpreter_->ExchangePath(index, path);
  }

  Interpreter* const interpreter_;
  RowMemory* const memory_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_ROW_MEMORY_H_
