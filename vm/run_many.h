// RunResults and ScopeRows: evaluations over many scopes in one call.
//
//   hcl::RunResults results;  // used again for the next rows
//   evaluator.RunMany(scopes, &results);                 // objects, each of them a scope
//   evaluator.RunMany(layout->Rows(requests), &results);  // C++ structs: hclvm/vm/scope_layout.h
//   for (size_t row = 0; row < results.size(); ++row) {
//     if (results.ok(row)) Use(results.value(row));
//   }
//
// Tested by tests/run_many_test.cc.

#ifndef HCLVM_VM_RUN_MANY_H_
#define HCLVM_VM_RUN_MANY_H_

#include <cstddef>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

class Evaluation;
class Evaluator;
class ScopeLayout;

// What Evaluator::RunMany() has produced, by row. Owns its values and diagnostics, which are valid until it is given to
// another call: neither the evaluator nor the rows need live as long, but the program has to, whose source diagnostics
// are about, and what capsules point to. Not thread-safe; movable.
class RunResults {
 public:
  RunResults() = default;

  // How many rows there were.
  size_t size() const { return values_.size(); }
  // How many of them have no value.
  size_t failed() const { return failed_; }

  // Each requires row < size().

  // No error was reported for the row, and value() is its result.
  bool ok(size_t row) const { return failed_ == 0 || diagnostics(row).empty(); }
  // The result; unspecified (null) unless ok().
  const Value& value(size_t row) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    HCL_DCHECK(row < values_.size());
    return values_[row];
  }
  // The same result with the marks that Evaluation::marked_value() has.
  const Value& marked_value(size_t row) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    const Note* const note = Find(row);
    return note != nullptr && note->is_marked ? note->marked_value : value(row);
  }
  // Those of the row; empty where it is ok. Time: logarithmic in the number of rows that have diagnostics, warnings or
  // such marks; that of the other two as well.
  const Diagnostics& diagnostics(size_t row) const ABSL_ATTRIBUTE_LIFETIME_BOUND;
  // What is probably a mistake in the row, whether it has a result or not (Evaluation::warnings()).
  const Diagnostics& warnings(size_t row) const ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // Where the values live: for TypeOf() on them.
  Heap* heap() ABSL_ATTRIBUTE_LIFETIME_BOUND { return &heap_; }

 private:
  friend class Evaluator;

  // What few rows have beside a value, or in its place.
  struct Note {
    size_t row;
    Diagnostics diagnostics;
    Diagnostics warnings;
    bool is_marked;
    Value marked_value;
  };

  // Null where there is none.
  const Note* Find(size_t row) const;
  void Begin(size_t rows);
  // Of each row of Begin(), in order. `may_have_more`: than a value.
  void Set(size_t row, const Evaluation& evaluation, bool may_have_more);
  void AddNote(size_t row, const Evaluation& evaluation);

  std::vector<Value> values_;
  std::vector<Note> notes_;  // by row
  size_t failed_ = 0;
  Heap heap_;
};

// Rows of C++ data that a ScopeLayout reads. Borrows both.
class ScopeRows {
 public:
  // `rows`: the first of `count` structs of the layout's type, `stride` bytes from one to the next. Use
  // ScopeLayout::Rows(), which knows that.
  ScopeRows(const ScopeLayout& layout, const void* rows, size_t stride, size_t count)
      : layout_(&layout), rows_(static_cast<const char*>(rows)), stride_(stride), size_(count) {}

  const ScopeLayout& layout() const { return *layout_; }
  size_t size() const { return size_; }
  // Requires n < size().
  const void* row(size_t n) const {
    HCL_DCHECK(n < size_);
    return rows_ + n * stride_;
  }

 private:
  const ScopeLayout* layout_;
  const char* rows_;
  size_t stride_;
  size_t size_;
};

}  // namespace hcl

#endif  // HCLVM_VM_RUN_MANY_H_
