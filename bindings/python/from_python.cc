// Values of Python's strings, lists and dicts. Tested by bindings/python/tests/test_values.py and
// bindings/python/tests/test_forms.py.
//
// Objects are hostile: they may hold themselves, and code of theirs may change what is being read. So data are taken
// from the objects themselves and not by calling their methods, each object that is being read is held, and sizes are
// looked at again after each element. What is read is paid for before it is made.
//
// Elements stand in the arena until all are there: they take no memory of another kind, nor a second look.

#include "hclvm/bindings/python/from_python.h"

#include <algorithm>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/reading.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::python {
namespace {

// A text is copied where that costs less than holding its str.
constexpr size_t kMostCopied = 64;

// Held strings are given back when they are this many, and their list with them.
constexpr size_t kMostKeptRoom = 4096;

}  // namespace

// Code of others may run when an object goes.
void ReaderMemory::Begin() {
  forms_.Begin();
  if (held_.empty()) return;
  std::vector<PyObject*> held;
  held.swap(held_);
  for (PyObject* str : held) Py_DECREF(str);
  held.clear();
  if (held_.empty() && held.capacity() <= kMostKeptRoom) held_.swap(held);
}

Value ObjectReader::Read(PyObject* object, const Needs* needs, uint64_t max_bytes, Heap* heap, ReaderMemory* memory,
                         std::string_view name) {
  return ObjectReader(max_bytes, heap, memory, name).ReadAny(object, needs);
}

std::string ObjectReader::Where() const {
  constexpr int kMostSteps = 20;
  constexpr size_t kMostOfName = 100;
  std::vector<const Place*> places;
  for (const Place* place = place_; place != nullptr; place = place->outer) places.push_back(place);
  std::string where(name_);
  int steps = 0;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (++steps > kMostSteps) return where + "...";
    if ((*place)->name == nullptr) {
      where += "[" + std::to_string((*place)->index) + "]";
    } else {
      where += "." + std::string((*place)->name->AsString().substr(0, kMostOfName));
    }
  }
  return where;
}

void ObjectReader::Wrong(PyObject* type, const std::string& message) const { Raise(type, Where() + " " + message); }

void ObjectReader::RefuseMemory() const { RaiseLimit(Where() + " takes too much memory (limit max_result_bytes)"); }

void ObjectReader::RefuseDepth() const {
  RaiseLimit(Where() + " is nested too deeply, or holds itself (limit max_nesting_depth)");
}

Value ObjectReader::ReadAny(PyObject* object, const Needs* needs) {
  if (PyUnicode_Check(object) != 0) return ReadString(object);
  if (object == Py_True || object == Py_False) return Value::Bool(object == Py_True);
  if (object == Py_None) return Value::Null();
  if (PyLong_Check(object) != 0) return ReadInt(object);
  if (PyFloat_Check(object) != 0) return ReadFloat(object);
  if (PyDict_Check(object) != 0) return ReadDict(object, needs);
  if (PyList_Check(object) != 0 || PyTuple_Check(object) != 0) return ReadSequence(object, needs);
  return ReadObject(object);
}

void ObjectReader::RefuseChange() const { Raise(PyExc_RuntimeError, Where() + ": the dict changed while it was read"); }

// A text in NFC, of `owner`, a str that has it as long as it lives.
inline Value ObjectReader::MakeText(std::string_view text, PyObject* owner) {
  if (text.size() <= kMaxInlineString) return Value::StringView(text);
  Charge(text.size());
  if (text.size() > UINT32_MAX) RaiseLimit(Where() + " is too long");
  if (memory_ == nullptr || text.size() <= kMostCopied) return Value::String(text, heap_->arena());
  memory_->held_.push_back(owner);
  Py_INCREF(owner);
  return Value::StringView(text);
}

Value ObjectReader::ReadString(PyObject* object) {
  if (PyUnicode_IS_COMPACT_ASCII(object) != 0) {
    const auto size = static_cast<size_t>(PyUnicode_GET_LENGTH(object));
    return MakeText({reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(object)), size}, object);
  }
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    Wrong(PyExc_ValueError, "has a lone surrogate, which is no character");
  }
  const std::string_view view(text, static_cast<size_t>(size));
  if (internal::IsKnownNfc(view)) return MakeText(view, object);
  if (view.size() > kMaxInlineString) Charge(view.size());
  if (view.size() > UINT32_MAX) RaiseLimit(Where() + " is too long");
  const std::string normal = internal::ToNfc(view);
  Charge(normal.size());
  if (normal.size() > UINT32_MAX) RaiseLimit(Where() + " is too long");
  return Value::String(normal, heap_->arena());
}

Value ObjectReader::ReadSequence(PyObject* object, const Needs* needs) {
  const Inside inside(this, object);
  const Needs* const of_items = needs == nullptr || needs->is_part() ? nullptr : needs->items();
  const bool is_list = PyList_Check(object) != 0;
  const Py_ssize_t size = is_list ? PyList_GET_SIZE(object) : PyTuple_GET_SIZE(object);
  Charge(2 * kUnit * (static_cast<uint64_t>(size) + 1));
  if (size > UINT32_MAX) RefuseMemory();
  internal::Sequence* const made =
      internal::NewSequence(static_cast<uint32_t>(size), Type(), /*is_tuple=*/true, heap_->arena());
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (is_list && PyList_GET_SIZE(object) != size) {
      Raise(PyExc_RuntimeError, Where() + " changed size while it was read");
    }
    const InPlace in_place(this, i);
    made->mutable_items()[i] = ReadAny(is_list ? PyList_GET_ITEM(object, i) : PyTuple_GET_ITEM(object, i), of_items);
  }
  internal::Finish(made);
  return internal::SequenceValue(internal::Tag::kTuple, made);
}

Value ObjectReader::ReadDict(PyObject* object, const Needs* needs) {
  const Inside inside(this, object);
  if (needs == nullptr) return ReadItems(object, nullptr);
  if (!needs->is_part()) return ReadItems(object, needs->items());
  return needs->looks_at_all_names() ? ReadItems(object, nullptr) : ReadProperties(object, *needs);
}

// Of a dict, only what is needed: names are looked up, and the shape is the same for each dict that has as much of it.
Value ObjectReader::ReadProperties(PyObject* object, const Needs& needs) {
  const absl::Span<const Needs::Property> properties = needs.properties();
  Charge(2 * kUnit * (properties.size() + 1));
  auto* const values = heap_->arena()->NewArray<Value>(properties.size());
  std::vector<bool> there_beyond(properties.size() > Needs::kMostBits ? properties.size() : 0);
  uint64_t there = 0;
  size_t count = 0;
  for (size_t n = 0; n < properties.size(); ++n) {
    PyObject* const item = PyDict_GetItemWithError(object, properties[n].name.ptr());
    if (item == nullptr) {
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
      continue;
    }
    there_beyond.empty() ? void(there |= uint64_t{1} << n) : void(there_beyond[n] = true);
    const InPlace in_place(this, &properties[n].key);
    values[count++] = ReadAny(item, properties[n].needs.get());
  }
  const Shape* shape = there_beyond.empty() ? needs.ShapeOf(there) : nullptr;
  if (shape == nullptr) {
    std::vector<Value> keys;
    for (size_t n = 0; n < properties.size(); ++n) {
      if (there_beyond.empty() ? (there >> n & 1) != 0 : there_beyond[n]) keys.push_back(properties[n].key);
    }
    shape = MakeShape(keys, heap_->arena());
  }
  return MakeObject(shape, {values, count}, heap_->arena());
}

// As long as the keys are those of a form, they are not read.
Value ObjectReader::ReadItems(PyObject* object, const Needs* of_items) {
  const Py_ssize_t size = PyDict_GET_SIZE(object);
  Charge(4 * kUnit * (static_cast<uint64_t>(size) + 1));
  if (memory_ == nullptr) return ReadOther(object, of_items, size, {});
  Known known;
  known.values = heap_->arena()->NewArray<Value>(static_cast<size_t>(size));
  const DictForm* form = nullptr;
  PyObject* key = nullptr;
  PyObject* item = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(object, &position, &key, &item) != 0; known.position = position) {
    form = known.count == 0 ? memory_->forms_.First(size, key) : DictForms::Next(form, known.count, key);
    if (form == nullptr) return ReadOther(object, of_items, size, known);
    known.form = form;
    const InPlace in_place(this, &form->names[known.count]);
    known.values[known.count++] = ReadAny(item, of_items);
    if (PyDict_GET_SIZE(object) != size) RefuseChange();
  }
  if (form == nullptr) return MakeObject(absl::Span<const KeyValue>(), heap_->arena());
  if (known.count != form->size) RefuseChange();
  Charge(form->bytes);
  internal::Mapping* const made = internal::NewMapping(form->shape, Type(), /*is_object=*/true, heap_->arena());
  for (size_t n = 0; n < known.count; ++n) made->mutable_items()[form->positions[n]] = known.values[n];
  internal::Finish(made);
  return internal::MappingValue(internal::Tag::kObject, made);
}

// A dict of no form that is known: as far as it was, what was read is taken over.
Value ObjectReader::ReadOther(PyObject* object, const Needs* of_items, Py_ssize_t size, const Known& known) {
  auto* const pairs = heap_->arena()->NewArray<KeyValue>(static_cast<size_t>(size));
  size_t count = 0;
  for (; count < known.count; ++count) pairs[count] = {known.form->names[count], known.values[count]};
  PyObject* key = nullptr;
  PyObject* item = nullptr;
  for (Py_ssize_t position = known.position; PyDict_Next(object, &position, &key, &item) != 0;) {
    if (count == static_cast<size_t>(size)) RefuseChange();
    pairs[count++] = ReadItem(key, item, of_items);
    if (PyDict_GET_SIZE(object) != size) RefuseChange();
  }
  if (count != static_cast<size_t>(size)) RefuseChange();
  const Value made = MakeObject({pairs, count}, heap_->arena());
  if (made.size() != count) Wrong(PyExc_ValueError, "has a key twice, in two spellings of Unicode");
  if (memory_ != nullptr) memory_->forms_.Learn(object);
  return made;
}

KeyValue ObjectReader::ReadItem(PyObject* key, PyObject* item, const Needs* needs) {
  if (PyUnicode_Check(key) == 0) {
    Wrong(PyExc_TypeError, std::string("has a key that is no str, but of type ") + Py_TYPE(key)->tp_name);
  }
  const auto held_key = py::reinterpret_borrow<py::object>(key);
  Value name = Value::StringView("?");
  const InPlace in_place(this, &name);
  name = ReadString(key);
  return {name, ReadAny(item, needs)};
}

}  // namespace hcl::python
