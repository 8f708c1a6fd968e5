// CapsuleType: a type whose values are the host's and opaque to HCL.
//
// Specification: information-model.md, "Capsule Types". Tested by vm/value/equality_test.cc, tests/capsule_test.cc.

#ifndef HCLVM_VM_VALUE_CAPSULE_H_
#define HCLVM_VM_VALUE_CAPSULE_H_

#include <string>

#include "hclvm/base/arena.h"

namespace hcl {

// Registered by the host and identified by its address: it must outlive every type and value made from it, and must
// not move. Its functions are called from any thread that evaluates, possibly at the same time.
struct CapsuleType {
  std::string name;  // as shown in messages

  // Whether two values of this type are equal. Null: the identity of the data.
  bool (*equal)(const void* a, const void* b) = nullptr;

  // A copy of the data that lives in `arena`, where no destructor is run: for data that lives in an evaluation's arena,
  // so that Clone() keeps it beyond the evaluation. Null: the data outlives all values, and copies share it.
  const void* (*copy)(const void* data, Arena* arena) = nullptr;

  // Frees the data of a value. Called by the owner of the value (never by a Value, an arena or an evaluation). May be
  // null.
  void (*destroy)(void* data) = nullptr;
};

// Specialized by a host for a C++ type whose values are capsules: `static const CapsuleType& type();`, the same object
// each time, from any thread. `const T*` then is a parameter and a result of callables.
template <typename T>
struct CapsuleTraits {};

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_CAPSULE_H_
