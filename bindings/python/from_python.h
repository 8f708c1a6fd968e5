// Values of Python objects.
//
// None, bool, int, float, decimal.Decimal and str are what they are; list and tuple become tuples, dict with str keys
// objects; hclvm.Unknown, Typed and Marked are known. Subclasses count as what they derive from, by their data and
// without calling their methods, and objects with __index__ as int. Tested by bindings/python/tests/test_values.py.

#ifndef HCLVM_BINDINGS_PYTHON_FROM_PYTHON_H_
#define HCLVM_BINDINGS_PYTHON_FROM_PYTHON_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// What is needed of a dict and what is in it, with the names as Python has them: a JsonProjection made for many reads.
// Needs the GIL.
class Needs {
 public:
  explicit Needs(const JsonProjection& needed);

 private:
  friend class ObjectReader;

  struct Property {
    py::object name;
    std::unique_ptr<const Needs> needs;
  };

  Arena arena_;                      // of shape_
  bool all_ = false;                 // everything
  bool looks_at_all_names_ = false;  // a dict may have other spellings of a name
  std::unique_ptr<const Needs> items_;
  std::vector<Property> properties_;  // in the order of the shape
  const Shape* shape_ = nullptr;      // of all of them
};

// Makes values in a heap, within its limits. Needs the GIL.
class ObjectReader {
 public:
  // Raises where `object` has no value: TypeError for its type, ValueError for what it is, hclvm.LimitError for what is
  // too deep (as something that holds itself is) or too large, RuntimeError for what changes meanwhile. The message
  // names the place, in `name`.
  // Of `needs`, if that is not null, no more is read than it says. The value takes at most `max_bytes`, and what the
  // limits of the heap leave.
  static Value Read(PyObject* object, const Needs* needs, uint64_t max_bytes, Heap* heap, std::string_view name);

 private:
  struct Place;
  class InPlace;

  ObjectReader(uint64_t max_bytes, Heap* heap, std::string_view name) : heap_(heap), name_(name), left_(max_bytes) {}

  Value ReadAny(PyObject* object, const Needs* needs);
  Value ReadInt(PyObject* object);
  Value ReadFloat(PyObject* object);
  Value ReadDecimal(PyObject* object);
  Value ReadString(PyObject* object);
  Value ReadSequence(PyObject* object, const Needs* needs);
  Value ReadDict(PyObject* object, const Needs* needs);
  Value ReadProperties(PyObject* object, const Needs& needs);
  Value ReadTyped(PyObject* object);
  Value ReadMarked(PyObject* object);
  // The type that the attribute `type` of `object` says.
  Type ReadType(PyObject* object);
  void Charge(uint64_t bytes);
  void CheckDepth() const;
  // "user.roles[2]".
  std::string Where() const;
  [[noreturn]] void Wrong(PyObject* type, const std::string& message) const;

  Heap* heap_;
  std::string_view name_;
  uint64_t left_;  // bytes
  uint32_t depth_ = 0;
  const Place* place_ = nullptr;  // the innermost
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_FROM_PYTHON_H_
