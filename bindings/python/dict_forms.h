// Forms of dicts: which keys they have, in which order.
//
// Dicts that come from one place have few forms. An object of a known form takes neither reading nor sorting of keys,
// nor a shape of its own. Tested by bindings/python/tests/test_forms.py.

#ifndef HCLVM_BINDINGS_PYTHON_DICT_FORMS_H_
#define HCLVM_BINDINGS_PYTHON_DICT_FORMS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "hclvm/base/arena.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// A form. Belongs to its DictForms.
struct DictForm {
  const DictForm* next = nullptr;  // another one of as many keys that begins with a key of the same hash
  uint32_t size = 0;
  uint64_t bytes = 0;                   // that reading the keys takes
  PyObject** keys = nullptr;            // references: the objects that dicts of the form had last, in their order
  const Value* names = nullptr;         // the same as values
  const uint32_t* positions = nullptr;  // of each in the shape
  const Shape* shape = nullptr;
};

// The forms that were met again, within a bound of memory. Needs the GIL. Not thread-safe beyond that: values that are
// used without the GIL may point to shapes, so that it belongs to one reader at a time.
class DictForms {
 public:
  DictForms() = default;
  DictForms(const DictForms&) = delete;
  DictForms& operator=(const DictForms&) = delete;
  ~DictForms() { Clear(); }

  // A form of `size` keys, at least one, the first of them `key`; null where none is known. Valid, with what belongs to
  // it, until Begin().
  const DictForm* First(Py_ssize_t size, PyObject* key) const;
  // The form of a dict whose keys were those of `form` so far and whose key at `n` is `key`; null where none is known.
  static const DictForm* Next(const DictForm* form, size_t n, PyObject* key) {
    return n < form->size && form->keys[n] == key ? form : Other(form, n, key);
  }
  // Takes note of the form of a dict that had none: it is kept when it comes a second time.
  void Learn(PyObject* dict);
  // Forgets all forms, once there are too many. For when no value points to a name or a shape any more.
  void Begin() {
    if (is_full_) Clear();
  }

 private:
  static constexpr size_t kSlots = 64;

  struct Tables {
    Arena arena;
    std::array<DictForm*, kSlots> heads = {};
    std::array<uint64_t, kSlots> seen = {};  // hashes of dicts that had no form
    uint32_t forms = 0;
    uint32_t refused = 0;  // for want of room in their slots
  };

  static size_t SlotOf(Py_ssize_t size, Py_hash_t hash);
  static const DictForm* Other(const DictForm* form, size_t n, PyObject* key);
  static bool Matches(const DictForm& form, size_t n, PyObject* key);
  void Add(PyObject* dict);
  void Clear();

  std::unique_ptr<Tables> tables_;  // once something was learned
  bool is_full_ = false;
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_DICT_FORMS_H_
