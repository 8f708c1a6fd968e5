// Values of Python objects.
//
// None, bool, int, float, decimal.Decimal and str are what they are; list and tuple become tuples, dict with str keys
// objects; hclvm.Unknown, Typed and Marked are known. Subclasses count as what they derive from, by their data and
// without calling their methods, and objects with __index__ as int. Tested by bindings/python/tests/test_values.py.

#ifndef HCLVM_BINDINGS_PYTHON_FROM_PYTHON_H_
#define HCLVM_BINDINGS_PYTHON_FROM_PYTHON_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/bindings/python/dict_forms.h"
#include "hclvm/bindings/python/needs.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// What is kept for the values that were read into one heap, and for the next ones. Needs the GIL, but values may be
// used without it.
class ReaderMemory {
 public:
  ReaderMemory() = default;
  ReaderMemory(const ReaderMemory&) = delete;
  ReaderMemory& operator=(const ReaderMemory&) = delete;
  ~ReaderMemory() { Begin(); }

  // For when nobody uses the values any more.
  void Begin();

 private:
  friend class ObjectReader;

  DictForms forms_;
  std::vector<PyObject*> held_;  // references to str objects whose text values point to
};

// Makes values in a heap, within its limits. Needs the GIL.
class ObjectReader {
 public:
  // Raises where `object` has no value: TypeError for its type, ValueError for what it is, hclvm.LimitError for what is
  // too deep (as something that holds itself is) or too large, RuntimeError for what changes meanwhile. The message
  // names the place, in `name`.
  // Of `needs`, if that is not null, no more is read than it says. The value takes at most `max_bytes`, and what the
  // limits of the heap leave. It lives as long as the heap's values, `needs`, and `memory` until ReaderMemory::Begin();
  // where that is null, it is all in the heap.
  static Value Read(PyObject* object, const Needs* needs, uint64_t max_bytes, Heap* heap, ReaderMemory* memory,
                    std::string_view name);

 private:
  struct Place;
  class InPlace;
  class Inside;

  // Items of a dict that were read by a form.
  struct Known {
    const DictForm* form = nullptr;
    Value* values = nullptr;
    size_t count = 0;
    Py_ssize_t position = 0;  // behind them, as PyDict_Next() has it
  };

  ObjectReader(uint64_t max_bytes, Heap* heap, ReaderMemory* memory, std::string_view name)
      : heap_(heap), memory_(memory), name_(name), left_(max_bytes) {}

  Value ReadAny(PyObject* object, const Needs* needs);
  Value ReadInt(PyObject* object);
  Value ReadFloat(PyObject* object);
  Value ReadDecimal(PyObject* object);
  Value ReadString(PyObject* object);
  Value ReadSequence(PyObject* object, const Needs* needs);
  Value ReadDict(PyObject* object, const Needs* needs);
  Value ReadItems(PyObject* object, const Needs* of_items);
  KeyValue ReadItem(PyObject* key, PyObject* item, const Needs* needs);
  Value ReadOther(PyObject* object, const Needs* of_items, Py_ssize_t size, const Known& known);
  Value ReadProperties(PyObject* object, const Needs& needs);
  Value ReadObject(PyObject* object);
  Value ReadTyped(PyObject* object);
  Value ReadMarked(PyObject* object);
  Value ReadSet(PyObject* object);
  // The type that the attribute `type` of `object` says.
  Type ReadType(PyObject* object);
  Value MakeText(std::string_view text, PyObject* owner);
  void Charge(uint64_t bytes) {
    if (bytes > left_ || !heap_->CanAllocate(bytes)) RefuseMemory();
    left_ -= bytes;
  }
  [[noreturn]] void RefuseChange() const;
  [[noreturn]] void RefuseMemory() const;
  [[noreturn]] void RefuseDepth() const;
  // "user.roles[2]".
  std::string Where() const;
  [[noreturn]] void Wrong(PyObject* type, const std::string& message) const;

  Heap* heap_;
  ReaderMemory* memory_;  // may be null
  std::string_view name_;
  uint64_t left_;  // bytes
  uint32_t depth_ = 0;
  const Place* place_ = nullptr;  // the innermost
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_FROM_PYTHON_H_
