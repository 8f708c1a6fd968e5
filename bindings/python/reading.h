// Where an ObjectReader is. Internal to the reading of objects.

#ifndef HCLVM_BINDINGS_PYTHON_READING_H_
#define HCLVM_BINDINGS_PYTHON_READING_H_

#include <cstdint>

#include "hclvm/bindings/python/from_python.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// What memory is charged by.
inline constexpr uint64_t kUnit = sizeof(Value);

// An element by its index, or by its name if that is no null pointer.
struct ObjectReader::Place {
  const Place* outer;
  Py_ssize_t index;
  const Value* name;
};

// The reader is at an element, while this lives.
class ObjectReader::InPlace {
 public:
  InPlace(ObjectReader* reader, Py_ssize_t index) : reader_(reader), place_{reader->place_, index, nullptr} {
    reader_->place_ = &place_;
  }
  // `name` has to live as long.
  InPlace(ObjectReader* reader, const Value* name) : reader_(reader), place_{reader->place_, 0, name} {
    reader_->place_ = &place_;
  }
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;
  ~InPlace() { reader_->place_ = place_.outer; }

 private:
  ObjectReader* reader_;
  Place place_;
};

// The reader is in an object, which is held, a level deeper, while this lives. Raises hclvm.LimitError.
class ObjectReader::Inside {
 public:
  Inside(ObjectReader* reader, PyObject* object) : reader_(reader), object_(object) {
    if (reader->depth_ >= reader->heap_->limits().max_nesting_depth) reader->RefuseDepth();
    ++reader->depth_;
    Py_INCREF(object);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    --reader_->depth_;
    Py_DECREF(object_);
  }

 private:
  ObjectReader* reader_;
  PyObject* object_;
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_READING_H_
