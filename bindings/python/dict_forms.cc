// Forms of dicts. Tested by bindings/python/tests/test_forms.py.
//
// Keys are compared as objects first, since those of literals and of keyword arguments are the same ones again. Readers
// such as json's make new ones for each text, which are compared by their text. A dict with a key that is not just a
// str has no form.
//
// Data may have no forms, such as dicts from names to anything, or ever new ones. So a form is made when its keys come
// a second time, only for dicts of few and short keys, and all are forgotten when they have taken much memory.

#include "hclvm/bindings/python/dict_forms.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/unicode.h"

namespace hcl::python {
namespace {

constexpr Py_ssize_t kMostKeys = 64;
constexpr Py_ssize_t kMostKeyLength = 256;
constexpr uint32_t kMostForms = 256;
constexpr size_t kMostBytes = 256 << 10;
// Forms in one slot, which are looked at one by one; and how many may find their slot full before all begins anew.
constexpr int kMostInSlot = 8;
constexpr uint32_t kMostRefused = 64;

// A str keeps its hash.
Py_hash_t HashOf(PyObject* key) {
  if (PyUnicode_CheckExact(key) == 0) return 0;
  const Py_hash_t kept = reinterpret_cast<PyASCIIObject*>(key)->hash;
  return kept != -1 ? kept : PyObject_Hash(key);
}

// Whether `key` is a str of the same text as `known`.
bool IsSame(PyObject* known, PyObject* key) {
  if (known == key) return true;
  if (PyUnicode_CheckExact(key) == 0) return false;
  const Py_ssize_t length = PyUnicode_GET_LENGTH(known);
  const auto kind = PyUnicode_KIND(known);
  if (length != PyUnicode_GET_LENGTH(key) || kind != PyUnicode_KIND(key)) return false;
  return std::memcmp(PyUnicode_DATA(known), PyUnicode_DATA(key), static_cast<size_t>(length) * kind) == 0;
}

}  // namespace

size_t DictForms::SlotOf(Py_ssize_t size, Py_hash_t hash) {
  return (static_cast<uint64_t>(hash) ^ static_cast<uint64_t>(size) * 0x9e3779b97f4a7c15u) % kSlots;
}

// Whether the key of the form at `n` is `key`, which then stands for it: the next dict mostly has the same object.
bool DictForms::Matches(const DictForm& form, size_t n, PyObject* key) {
  if (form.keys[n] == key) return true;
  if (!IsSame(form.keys[n], key)) return false;
  Py_INCREF(key);
  Py_DECREF(form.keys[n]);
  form.keys[n] = key;
  return true;
}

const DictForm* DictForms::First(Py_ssize_t size, PyObject* key) const {
  if (tables_ == nullptr || size > kMostKeys) return nullptr;
  const DictForm* form = tables_->heads[SlotOf(size, HashOf(key))];
  while (form != nullptr && (form->size != static_cast<size_t>(size) || !Matches(*form, 0, key))) form = form->next;
  return form;
}

const DictForm* DictForms::Other(const DictForm* form, size_t n, PyObject* key) {
  if (n >= form->size) return nullptr;
  if (Matches(*form, n, key)) return form;
  const DictForm* other = form->next;
  while (other != nullptr &&
         (other->size != form->size || !std::equal(form->keys, form->keys + n, other->keys, IsSame) ||
          !Matches(*other, n, key))) {
    other = other->next;
  }
  return other;
}

void DictForms::Learn(PyObject* dict) {
  const Py_ssize_t size = PyDict_GET_SIZE(dict);
  if (is_full_ || size == 0 || size > kMostKeys) return;
  uint64_t hash = static_cast<uint64_t>(size);
  PyObject* key = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(dict, &position, &key, nullptr) != 0;) {
    if (PyUnicode_CheckExact(key) == 0 || PyUnicode_GET_LENGTH(key) > kMostKeyLength) return;
    hash = (hash ^ static_cast<uint64_t>(HashOf(key))) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  if (tables_ == nullptr) tables_ = std::make_unique<Tables>();
  uint64_t& seen = tables_->seen[hash % kSlots];
  if (seen == hash) {
    Add(dict);
  } else {
    seen = hash;
  }
}

// No code of others runs meanwhile, so that the dict stays as it is. Keys that are one in NFC are an error that
// somebody else has raised.
void DictForms::Add(PyObject* dict) {
  const auto size = static_cast<size_t>(PyDict_GET_SIZE(dict));
  Tables& tables = *tables_;
  PyObject* first = nullptr;
  Py_ssize_t begin = 0;
  PyDict_Next(dict, &begin, &first, nullptr);
  DictForm*& head = tables.heads[SlotOf(PyDict_GET_SIZE(dict), HashOf(first))];
  int before = 0;
  for (const DictForm* form = head; form != nullptr; form = form->next) ++before;
  if (before == kMostInSlot) {
    is_full_ = ++tables.refused == kMostRefused;
    return;
  }
  auto** const keys = tables.arena.NewArray<PyObject*>(size);
  auto* const names = tables.arena.NewArray<Value>(size);
  auto* const positions = tables.arena.NewArray<uint32_t>(size);
  size_t count = 0;
  uint64_t key_bytes = 0;
  PyObject* key = nullptr;
  for (Py_ssize_t position = 0; count < size && PyDict_Next(dict, &position, &key, nullptr) != 0; ++count) {
    Py_ssize_t bytes = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(key, &bytes);
    if (text == nullptr) return PyErr_Clear();
    const std::string normal = internal::ToNfc({text, static_cast<size_t>(bytes)});
    keys[count] = key;
    names[count] = Value::String(normal, &tables.arena);
    if (normal.size() > kMaxInlineString) key_bytes += normal.size();
  }
  if (count != size) return;
  const Shape* const shape = MakeShape({names, size}, absl::MakeSpan(positions, size), &tables.arena);
  if (shape->size != size) return;
  for (size_t n = 0; n < size; ++n) Py_INCREF(keys[n]);
  head =
      tables.arena.New<DictForm>(DictForm{head, static_cast<uint32_t>(size), key_bytes, keys, names, positions, shape});
  is_full_ = ++tables.forms >= kMostForms || tables.arena.bytes_used() >= kMostBytes;
}

void DictForms::Clear() {
  is_full_ = false;
  if (tables_ == nullptr) return;
  for (const DictForm* head : tables_->heads) {
    for (const DictForm* form = head; form != nullptr; form = form->next) {
      for (size_t n = 0; n < form->size; ++n) Py_DECREF(form->keys[n]);
    }
  }
  tables_ = nullptr;
}

}  // namespace hcl::python
