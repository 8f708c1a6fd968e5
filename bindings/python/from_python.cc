// Values of Python objects. Tested by bindings/python/tests/test_values.py.
//
// Objects are hostile: they may hold themselves, and code of theirs may change what is being read. So data are taken
// from the objects themselves and not by calling their methods, each object that is being read is held, and sizes are
// looked at again before each element. What is read is paid for before it is made.

#include "hclvm/bindings/python/from_python.h"

#include <cmath>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/marks.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type_syntax.h"

namespace hcl::python {
namespace {

constexpr uint64_t kUnit = sizeof(Value);

// Whether an exact, finite Decimal of this text would be rounded by a Number.
bool HasTooManyDigits(std::string_view text) {
  int digits = 0;
  for (const char c : text) {
    if (c == 'E' || c == 'e') break;
    if (c >= '0' && c <= '9' && (digits > 0 || c != '0')) ++digits;
  }
  return digits > kBigDigits;
}

}  // namespace

// Where the reader is: an element by its index, or by its key if that is no null pointer.
struct ObjectReader::Place {
  const Place* outer;
  Py_ssize_t index;
  PyObject* key;
};

class ObjectReader::InPlace {
 public:
  InPlace(ObjectReader* reader, Py_ssize_t index, PyObject* key) : reader_(reader), place_{reader->place_, index, key} {
    reader_->place_ = &place_;
  }
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;
  ~InPlace() { reader_->place_ = place_.outer; }

 private:
  ObjectReader* reader_;
  Place place_;
};

Needs::Needs(const JsonProjection& needed) : all_(needed.needs_all()) {
  if (all_) return;
  if (needed.items() != nullptr) {
    items_ = std::make_unique<const Needs>(*needed.items());
    return;
  }
  std::vector<Value> keys;
  std::vector<std::pair<std::string_view, const JsonProjection*>> found;
  needed.ForEach([&](std::string_view name, const JsonProjection& of) {
    keys.push_back(Value::String(name, &arena_));
    found.emplace_back(name, &of);
    looks_at_all_names_ = looks_at_all_names_ || !internal::IsAscii(name);
  });
  std::vector<uint32_t> positions(keys.size());
  shape_ = MakeShape(keys, absl::MakeSpan(positions), &arena_);
  properties_.resize(keys.size());
  for (size_t n = 0; n < found.size(); ++n) {
    PyObject* name = ToStr(found[n].first).release().ptr();
    PyUnicode_InternInPlace(&name);
    properties_[positions[n]] = {py::reinterpret_steal<py::object>(name), std::make_unique<Needs>(*found[n].second)};
  }
}

Value ObjectReader::Read(PyObject* object, const Needs* needs, uint64_t max_bytes, Heap* heap, std::string_view name) {
  return ObjectReader(max_bytes, heap, name).ReadAny(object, needs);
}

std::string ObjectReader::Where() const {
  constexpr int kMostSteps = 20;
  std::vector<const Place*> places;
  for (const Place* place = place_; place != nullptr; place = place->outer) places.push_back(place);
  std::string where(name_);
  int steps = 0;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (++steps > kMostSteps) return where + "...";
    if ((*place)->key == nullptr) {
      where += "[" + std::to_string((*place)->index) + "]";
    } else {
      const py::str key = py::reinterpret_borrow<py::str>((*place)->key);
      Py_ssize_t size = 0;
      const char* const text = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
      if (text == nullptr) PyErr_Clear();
      where += "." + (text == nullptr ? std::string("?") : std::string(text, static_cast<size_t>(size)).substr(0, 100));
    }
  }
  return where;
}

void ObjectReader::Wrong(PyObject* type, const std::string& message) const { Raise(type, Where() + " " + message); }

void ObjectReader::Charge(uint64_t bytes) {
  if (bytes > left_ || !heap_->CanAllocate(bytes)) {
    RaiseLimit(Where() + " takes too much memory (limit max_result_bytes)");
  }
  left_ -= bytes;
}

void ObjectReader::CheckDepth() const {
  if (depth_ <= heap_->limits().max_nesting_depth) return;
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
  const Classes& classes = GetClasses();
  const auto is_a = [object](const py::object& type) {
    return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(type.ptr())) != 0;
  };
  if (is_a(classes.decimal)) return ReadDecimal(object);
  if (is_a(classes.unknown)) return Value::Unknown(ReadType(object));
  if (is_a(classes.typed)) return ReadTyped(object);
  if (is_a(classes.marked)) return ReadMarked(object);
  if (PyIndex_Check(object) != 0) {
    PyObject* const index = PyNumber_Index(object);
    if (index == nullptr) throw py::error_already_set();
    return ReadInt(py::reinterpret_steal<py::object>(index).ptr());
  }
  Wrong(PyExc_TypeError, std::string("is of a type that no value is made of: ") + Py_TYPE(object)->tp_name);
}

// Integers beyond 64 bits go by their digits. Python refuses to write very long ones, whose digits take quadratic time.
Value ObjectReader::ReadInt(PyObject* object) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) return Value::Int(small);
  PyObject* const text = PyLong_Type.tp_repr(object);
  if (text == nullptr) {
    PyErr_Clear();
    Wrong(PyExc_ValueError, "is an int of too many digits");
  }
  const py::object digits = py::reinterpret_steal<py::object>(text);
  std::string_view view = TextOf(digits.ptr(), "the number");
  const bool negative = view.front() == '-';
  if (negative) view.remove_prefix(1);
  Charge(view.size());
  NumberError error = NumberError::kNone;
  const Number number = Number::Parse(view, NumberSyntax::kLiteral, heap_->limits(), heap_->arena(), &error);
  if (error == NumberError::kTooManyDigits) RaiseLimit(Where() + " has too many digits (limit max_number_digits)");
  if (error != NumberError::kNone) Wrong(PyExc_ValueError, "is an int that no number of HCL represents exactly");
  return Value::FromNumber(negative ? Negate(number, heap_->arena()) : number);
}

Value ObjectReader::ReadFloat(PyObject* object) {
  const double number = PyFloat_AS_DOUBLE(object);
  if (!std::isfinite(number)) {
    Wrong(PyExc_ValueError, std::isnan(number) ? "is NaN, which is no number of HCL" : "is infinite");
  }
  Charge(4 * kUnit);
  return Value::FromNumber(*Number::FromDouble(number, heap_->arena()));
}

Value ObjectReader::ReadDecimal(PyObject* object) {
  const py::object text = py::reinterpret_borrow<py::object>(GetClasses().decimal).attr("__str__")(py::handle(object));
  const std::string_view view = TextOf(text.ptr(), "the number");
  if (view.find_first_of("nN") != std::string_view::npos) Wrong(PyExc_ValueError, "is no finite number");
  if (HasTooManyDigits(view)) {
    Wrong(PyExc_ValueError, "is a Decimal of more than " + std::to_string(kBigDigits) + " digits");
  }
  Charge(view.size());
  NumberError error = NumberError::kNone;
  const Number number = Number::Parse(view, NumberSyntax::kJson, heap_->limits(), heap_->arena(), &error);
  if (error != NumberError::kNone) RaiseLimit(Where() + " has too many digits (limit max_number_digits)");
  return Value::FromNumber(number);
}

Value ObjectReader::ReadString(PyObject* object) {
  Py_ssize_t size = 0;
  const char* text = nullptr;
  if (PyUnicode_IS_COMPACT_ASCII(object) != 0) {
    size = PyUnicode_GET_LENGTH(object);
    text = reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(object));
  } else if ((text = PyUnicode_AsUTF8AndSize(object, &size)) == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    Wrong(PyExc_ValueError, "has a lone surrogate, which is no character");
  }
  const std::string_view view(text, static_cast<size_t>(size));
  if (view.size() > kMaxInlineString) Charge(view.size());
  if (view.size() > UINT32_MAX) RaiseLimit(Where() + " is too long");
  if (internal::IsKnownNfc(view)) return Value::String(view, heap_->arena());
  const std::string normal = internal::ToNfc(view);
  Charge(normal.size());
  if (normal.size() > UINT32_MAX) RaiseLimit(Where() + " is too long");
  return Value::String(normal, heap_->arena());
}

namespace {

// Counts a level of nesting while it lives.
class Level {
 public:
  explicit Level(uint32_t* depth) : depth_(depth) { ++*depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { --*depth_; }

 private:
  uint32_t* depth_;
};

}  // namespace

Value ObjectReader::ReadSequence(PyObject* object, const Needs* needs) {
  const Level level(&depth_);
  CheckDepth();
  const Needs* const of_items = needs == nullptr ? nullptr : needs->items_.get();
  const bool is_list = PyList_Check(object) != 0;
  const Py_ssize_t size = is_list ? PyList_GET_SIZE(object) : PyTuple_GET_SIZE(object);
  Charge(2 * kUnit * (static_cast<uint64_t>(size) + 1));
  absl::InlinedVector<Value, 8> elements(static_cast<size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (is_list && PyList_GET_SIZE(object) != size)
      Raise(PyExc_RuntimeError, Where() + " changed size while it was read");
    const auto element =
        py::reinterpret_borrow<py::object>(is_list ? PyList_GET_ITEM(object, i) : PyTuple_GET_ITEM(object, i));
    const InPlace in_place(this, i, nullptr);
    elements[static_cast<size_t>(i)] = ReadAny(element.ptr(), of_items);
  }
  return MakeTuple(elements, heap_->arena());
}

// Of a dict, only what is needed: names are looked up, and the shape is the same for each dict that has them all.
Value ObjectReader::ReadProperties(PyObject* object, const Needs& needs) {
  const size_t size = needs.properties_.size();
  Charge(2 * kUnit * (size + 1));
  absl::InlinedVector<KeyValue, 8> found;
  for (size_t n = 0; n < size; ++n) {
    const Needs::Property& property = needs.properties_[n];
    PyObject* const item = PyDict_GetItemWithError(object, property.name.ptr());
    if (item == nullptr) {
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
      continue;
    }
    const auto held = py::reinterpret_borrow<py::object>(item);
    const InPlace in_place(this, 0, property.name.ptr());
    found.push_back({needs.shape_->keys[n], ReadAny(item, property.needs.get())});
  }
  if (found.size() != size) return MakeObject(found, heap_->arena());
  absl::InlinedVector<Value, 8> values(size);
  for (size_t n = 0; n < size; ++n) values[n] = found[n].value;
  return MakeObject(needs.shape_, values, heap_->arena());
}

Value ObjectReader::ReadDict(PyObject* object, const Needs* needs) {
  const Level level(&depth_);
  CheckDepth();
  const bool is_part = needs != nullptr && !needs->all_ && needs->items_ == nullptr;
  if (is_part && !needs->looks_at_all_names_) return ReadProperties(object, *needs);
  const Needs* const of_items = needs == nullptr || needs->all_ || is_part ? nullptr : needs->items_.get();
  const Py_ssize_t size = PyDict_GET_SIZE(object);
  Charge(4 * kUnit * (static_cast<uint64_t>(size) + 1));
  absl::InlinedVector<KeyValue, 8> pairs;
  pairs.reserve(static_cast<size_t>(size));
  PyObject* key = nullptr;
  PyObject* item = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(object, &position, &key, &item) != 0;) {
    const auto held_key = py::reinterpret_borrow<py::object>(key);
    const auto held_item = py::reinterpret_borrow<py::object>(item);
    if (PyUnicode_Check(key) == 0) {
      Wrong(PyExc_TypeError, std::string("has a key that is no str, but of type ") + Py_TYPE(key)->tp_name);
    }
    const InPlace in_place(this, 0, key);
    const Value name = ReadString(key);
    pairs.push_back({name, ReadAny(item, of_items)});
    if (PyDict_GET_SIZE(object) != size) Raise(PyExc_RuntimeError, Where() + ": the dict changed while it was read");
  }
  const Value made = MakeObject(pairs, heap_->arena());
  if (made.size() != pairs.size()) Wrong(PyExc_ValueError, "has a key twice, in two spellings of Unicode");
  return made;
}

Type ObjectReader::ReadType(PyObject* object) {
  const py::object text = py::handle(object).attr("type");
  if (PyUnicode_Check(text.ptr()) == 0) Wrong(PyExc_TypeError, "has a type that is no str");
  const std::string_view view = TextOf(text.ptr(), "the type");
  Charge(8 * kUnit * (view.size() + 1));
  Type type;
  TypeSyntaxError error;
  if (ParseTypeSyntax(view, heap_, &type, &error)) return type;
  Wrong(PyExc_ValueError, "has a type that is wrong at byte " + std::to_string(error.offset) + ": " + error.message);
}

Value ObjectReader::ReadTyped(PyObject* object) {
  const Level level(&depth_);
  CheckDepth();
  const Type type = ReadType(object);
  const py::object inner = py::handle(object).attr("value");
  const Value value = ReadAny(inner.ptr(), nullptr);
  Charge(kUnit * value.weight());
  Value converted;
  ConversionError error;
  if (Convert(value, type, heap_, &converted, &error)) return converted;
  if (error.is_limit) RaiseLimit(Where() + ": " + error.ToString());
  Wrong(PyExc_ValueError, "has not the type that it is said to have: " + error.ToString());
}

Value ObjectReader::ReadMarked(PyObject* object) {
  const Level level(&depth_);
  CheckDepth();
  MarkSet marks = 0;
  const py::object names = py::handle(object).attr("marks");
  for (const py::handle name : names) {
    if (PyUnicode_Check(name.ptr()) == 0) Wrong(PyExc_TypeError, "has a mark that is no str");
    const MarkSet mark = Marks().Get(TextOf(name.ptr(), "the mark"));
    if (mark == 0) RaiseLimit(Where() + ": there are too many names of marks in this process (48)");
    marks |= mark;
  }
  const py::object inner = py::handle(object).attr("value");
  Charge(2 * kUnit);
  return Mark(ReadAny(inner.ptr(), nullptr), marks, heap_->arena());
}

}  // namespace hcl::python
