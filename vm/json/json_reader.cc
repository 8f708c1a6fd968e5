// JsonReader: what hosts call. The work is in vm/json/value_reader.h and vm/json/projected_reader.cc.
// Tested by vm/json/json_reader_test.cc.

#include "hclvm/base/out_of_memory.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_typed_reader.h"
#include "hclvm/vm/json/projected_reader.h"
#include "hclvm/vm/json/value_reader.h"

namespace hcl {

struct JsonReader::Impl : internal::ReaderState {};

JsonReader::JsonReader() : impl_(std::make_unique<Impl>()) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

bool JsonReader::Read(std::string_view text, Heap* heap, Value* value, JsonError* error) {
  return internal::WithMemory([&] { return internal::JsonValueReader(text, heap, Buffers(), error).ReadAll(value); },
                              [&] { return GiveUp(error); });
}

// Whatever was wrong is looked for once more in all of the text, so that it is told in the same words. What was skipped
// is found to be wrong only by that.
bool JsonReader::Read(std::string_view text, const JsonProjection& needed, Heap* heap, Value* value, JsonError* error) {
  const bool done =
      !needed.needs_all() &&
      internal::WithMemory([&] { return internal::ReadProjected(text, needed, heap, Buffers(), value, error); },
                           [&] { return GiveUp(error); });
  return done || Read(text, heap, value, error);
}

bool JsonReader::ReadTyped(std::string_view text, Heap* heap, Value* value, JsonError* error) {
  return internal::WithMemory([&] { return internal::ReadTypedJson(text, heap, &Buffers()->scratch, value, error); },
                              [&] { return GiveUp(error); });
}

JsonReader::Impl* JsonReader::Buffers() {
  if (impl_ == nullptr) impl_ = std::make_unique<Impl>();
  return impl_.get();
}

// The buffers may have been left in the middle of a change.
bool JsonReader::GiveUp(JsonError* error) {
  impl_.reset();
  *error = JsonError(DiagnosticCode::kOutOfMemory, internal::kOutOfMemoryDetail);
  return false;
}

}  // namespace hcl
