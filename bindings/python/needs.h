// What is needed of dicts, with the names as Python has them.
//
// Tested by bindings/python/tests/test_values.py and
// bindings/python/tests/test_forms.py.

#ifndef HCLVM_BINDINGS_PYTHON_NEEDS_H_
#define HCLVM_BINDINGS_PYTHON_NEEDS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// What is needed of a dict and what is in it: a JsonProjection made for many reads. Needs the GIL.
class Needs {
 public:
  struct Property {
    py::object name;  // an interned str
    Value key;
    std::unique_ptr<const Needs> needs;
  };

  explicit Needs(const JsonProjection& needed);

  // Some properties are needed, and no others. False where all are, or items.
  bool is_part() const { return !all_ && items_ == nullptr; }
  // A dict may have the names of properties in other spellings of Unicode, so that they cannot be looked up.
  bool looks_at_all_names() const { return looks_at_all_names_; }
  // What is needed of each item; null where that is everything. Requires !is_part().
  const Needs* items() const { return items_.get(); }
  // In the order of keys. Requires is_part().
  absl::Span<const Property> properties() const { return properties_; }
  // The shape of the properties among them of which the bits are set in `there`; null where it is not known, as there
  // are too many. Requires at most kMostBits properties. Lives as long as this.
  const Shape* ShapeOf(uint64_t there) const;

  static constexpr size_t kMostBits = 64;

 private:
  mutable Arena arena_;  // of keys and shapes
  bool all_;
  bool looks_at_all_names_ = false;
  std::unique_ptr<const Needs> items_;
  std::vector<Property> properties_;
  mutable std::vector<std::pair<uint64_t, const Shape*>> shapes_;  // by what is there
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_NEEDS_H_
