// JSON for hosts: scopes and values in, results out, plain and typed.
//
// Typed JSON: {"type": T, "value": V}; T is "string", "number", "bool", "dynamic", ["list", T], ["set", T], ["map", T],
// ["tuple", [T...]], ["object", {"name": T}]; V is JSON with {"$unknown": T} for unknowns, with what else is
// known of them in a member "refinement", and {"$number": "+Inf"|"-Inf"} for infinities, null for nulls of the type;
// numbers are plain decimals of any length. Tested by vm/json/json_reader_test.cc, vm/json/json_writer_test.cc.

#ifndef HCLVM_VM_JSON_JSON_H_
#define HCLVM_VM_JSON_JSON_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

namespace internal {
struct Silence;
}  // namespace internal

// What is wrong with a JSON text, and where (byte offset in it).
struct JsonError {
  JsonError() = default;
  // With the summary of the code; is_limit if the code is that of a limit.
  JsonError(DiagnosticCode c, std::string d, size_t at = 0)
      : code(c), summary(SummaryOf(c)), detail(std::move(d)), offset(at), is_limit(IsLimit(c)) {}

  DiagnosticCode code = DiagnosticCode::kInvalidJson;
  std::string summary;  // "Invalid JSON", "Duplicate property", "Value too deep"
  std::string detail;
  size_t offset = 0;
  bool is_limit = false;
  // Of AppendJson(): where in the value the offender is, as in "a.b[0]"; `detail` begins with it. Empty for the whole.
  std::string path;
  // Internal. Set by the caller of JsonReader::Read: whom to ask whether the texts will be read; otherwise they stay
  // empty, but where is_limit is set.
  const internal::Silence* silence = nullptr;
};

// Reads JSON texts. Keeps its buffers between calls, so that a loop of reads stops allocating, and which keys came
// after which (at most three megabytes), so that texts of one form are read fastest by one reader. Not thread-safe.
// Strings are normalized to NFC; numbers keep full precision; an object becomes an object value, an array a tuple,
// null the null of the dynamic pseudo-type. Errors: malformed JSON, invalid UTF-8, a property given twice in one
// object, nesting over Limits::max_nesting_depth, a number over Limits::max_number_digits, Limits::interrupt (of the
// heap), memory that the system refuses (unless built without exceptions); after any of them the reader can be used
// again.
class JsonReader {
 public:
  JsonReader();
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  // Reads all of `text` as one value in `heap`.
  bool Read(std::string_view text, Heap* heap, Value* value, JsonError* error);

  // Reads what is `needed` of `text`; objects in the value lack what is not, so that arrays and all else are as they
  // are in the text. Skipping is many times as fast as reading. Of what it skips it checks that it is UTF-8, that
  // strings are closed and hold no control characters, that brackets match, and the depth; not commas, literals,
  // numbers, escapes and repeated names. A property that is needed and given twice is an error. Errors are those of
  // reading all of the text.
  bool Read(std::string_view text, const JsonProjection& needed, Heap* heap, Value* value, JsonError* error);

  // Reads all of `text` as a typed value.
  bool ReadTyped(std::string_view text, Heap* heap, Value* value, JsonError* error);

 private:
  struct Impl;
  Impl* Buffers();
  bool GiveUp(JsonError* error);

  std::unique_ptr<Impl> impl_;  // made anew after memory was refused
};

// Parses the JSON form of a type (T above).
bool ParseTypeJson(std::string_view text, Heap* heap, Type* type, JsonError* error);
void AppendTypeJson(Type type, std::string* out);

// Marks are not written. Appends `value` as plain JSON: no blanks, properties in key order, numbers in full, a set as
// an array. False, with nothing appended, when it holds what JSON cannot (an unknown, an infinity, a capsule): *error
// has the path of the offender and no offset. Also false when the text would have more than Limits::max_output_bytes,
// which a value of a few bytes can (1e99999), or Limits::interrupt says so: *error is a limit.
bool AppendJson(const Value& value, const Limits& limits, std::string* out, JsonError* error);
// The same without bounds, for values of the caller's own. *reason is the error's detail.
bool AppendJson(const Value& value, std::string* out, std::string* reason);

// Appends {"type":T,"value":V}; a capsule is {"$capsule": NAME}. False, with nothing appended, for a limit as above.
bool AppendTypedJson(const Value& value, const Limits& limits, TypeTable* types, std::string* out, JsonError* error);
// The V form alone, or the whole, without bounds; never fails.
void AppendTypedValueJson(const Value& value, TypeTable* types, std::string* out);
void AppendTypedJson(const Value& value, TypeTable* types, std::string* out);

}  // namespace hcl

#endif  // HCLVM_VM_JSON_JSON_H_
