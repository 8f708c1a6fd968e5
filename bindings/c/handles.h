// What the handles of the API for C hold, and what crosses the border between it and C++.
//
// A handle of values is a pointer to a hcl::Value; nothing of that name is ever made. Every function of the API runs in
// Guarded(), which lets no exception out, and looks at its arguments before it uses them.

#ifndef HCLVM_BINDINGS_C_HANDLES_H_
#define HCLVM_BINDINGS_C_HANDLES_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

using CancelFlag = std::shared_ptr<std::atomic<bool>>;

// When calls have to stop: what hclvm_limits says of it, which each call begins to count anew.
struct Patience {
  CancelFlag cancel;        // kept, so that a host may free its handle; null: none
  uint64_t timeout_ms = 0;  // 0: none

  // For a call that begins now. Valid as long as this.
  Interrupt Begin() const;
};

// Limits as C++ has them, without what is in Patience.
struct HostLimits {
  Limits limits;
  Patience patience;
};

// *given, with defaults for fields that are 0; all defaults for null. False, and *error, for an impossible size.
bool ReadLimits(const hclvm_limits* given, HostLimits* limits, hclvm_error** error);

// The text that a caller has given; false, and *error, for null where there must be text. `what` names it.
bool ReadText(const char* text, size_t size, const char* what, std::string_view* result, hclvm_error** error);
// The same for text that must be UTF-8.
bool ReadUtf8(const char* text, size_t size, const char* what, std::string_view* result, hclvm_error** error);

// A copy of `text` for hclvm_free(), with a zero behind it. Throws std::bad_alloc.
char* CopyText(std::string_view text);

// *given, of whatever version of the header, as this library's. `first_size` is the size that the struct had first.
// False for a size that no version has, and for fields of later versions that are set.
template <typename Struct>
bool ReadStruct(const Struct* given, size_t first_size, Struct* result) {
  constexpr size_t kMostBytes = 4096;
  if (given->size < first_size || given->size > kMostBytes) return false;
  const char* bytes = reinterpret_cast<const char*>(given);
  for (size_t at = sizeof(Struct); at < given->size; ++at) {
    if (bytes[at] != 0) return false;
  }
  *result = {};
  std::memcpy(result, given, given->size < sizeof(Struct) ? given->size : sizeof(Struct));
  return true;
}

inline const Value& ValueOf(const hclvm_value* value) { return *reinterpret_cast<const Value*>(value); }
inline const hclvm_value* HandleOf(const Value* value) { return reinterpret_cast<const hclvm_value*>(value); }

// Reads a type, as HCL writes it, in `heap`.
hclvm_status ReadType(const char* text, size_t size, Heap* heap, Type* type, hclvm_error** error);

// The registry of what has been added to `functions`; the whole library for null.
std::shared_ptr<const FunctionRegistry> RegistryOf(const hclvm_functions* functions);

// `value`, kept in the arena of `heap`.
const hclvm_value* Keep(const Value& value, Heap* heap);

// Reads a JSON text as a value in `heap`; `reader` keeps its buffers. Diagnostics call the text `name`.
hclvm_status ReadJsonText(JsonReader* reader, std::string_view name, std::string_view text, bool typed, Heap* heap,
                          Value* value, hclvm_error** error);
// Appends `value` as JSON.
hclvm_status WriteJsonText(const Value& value, bool typed, const Limits& limits, std::string* out, hclvm_error** error);

// *given as C++ has it: dialect, functions and limits, whose interrupt begins now and is valid as long as *limits.
// *fields are all of them; for null, those of all defaults. Whether the form is one, is for the caller to say.
hclvm_status ReadCompileOptions(const hclvm_compile_options* given, hclvm_compile_options* fields, HostLimits* limits,
                                CompileOptions* options, hclvm_error** error);

// Puts a handle of what was compiled into *program; a failure for null.
hclvm_status GiveProgram(std::shared_ptr<const Program> compiled, const Diagnostics& diagnostics, const Source* source,
                         hclvm_program** program, hclvm_error** error);

}  // namespace hcl::internal

struct hclvm_data {
  std::shared_ptr<const hcl::BaseLayer> layer;
  std::shared_ptr<const hcl::Program> program;
};

struct hclvm_cancel {
  hcl::internal::CancelFlag flag;
};

struct hclvm_program {
  std::shared_ptr<const hcl::Program> program;
  hcl::internal::ErrorPointer warnings;  // null: none
};

struct hclvm_heap {
  hcl::Heap* heap;                   // `own`, or that of a call
  std::unique_ptr<hcl::Heap> own;    // null in a call
  hcl::internal::Patience patience;  // of `own`
};

#endif  // HCLVM_BINDINGS_C_HANDLES_H_
