// JSON. Tested by bindings/c/c_test.cc and bindings/c/hostile_test.cc.

#include "hclvm/vm/json/json.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

hclvm_status ReadJsonText(JsonReader* reader, std::string_view name, std::string_view text, bool typed, Heap* heap,
                          Value* value, hclvm_error** error) {
  JsonError wrong;
  const bool read = typed ? reader->ReadTyped(text, heap, value, &wrong) : reader->Read(text, heap, value, &wrong);
  if (read) return HCLVM_OK;
  return Fail(wrong.code, std::move(wrong.detail), std::string(name), text, wrong.offset, error);
}

hclvm_status WriteJsonText(const Value& value, bool typed, const Limits& limits, std::string* out,
                           hclvm_error** error) {
  JsonError wrong;
  bool written;
  if (typed) {
    TypeTable types;
    written = AppendTypedJson(value, limits, &types, out, &wrong);
  } else {
    written = AppendJson(value, limits, out, &wrong);
  }
  if (written) return HCLVM_OK;
  return Fail(wrong.code, std::move(wrong.detail), "", "", 0, error);
}

namespace {

bool IsForm(int32_t form) { return form == HCLVM_PLAIN_JSON || form == HCLVM_TYPED_JSON; }

}  // namespace
}  // namespace hcl::internal

using hcl::Value;
using hcl::internal::Fail;
using hcl::internal::Guarded;

hclvm_status hclvm_read_json(hclvm_heap* heap, const char* text, size_t size, int32_t form, const hclvm_value** value,
                             hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (value == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the value is NULL.", error);
    *value = nullptr;
    if (heap == nullptr) return Fail(HCLVM_ARGUMENT, "The heap is NULL.", error);
    if (!hcl::internal::IsForm(form)) return Fail(HCLVM_ARGUMENT, "There is no such form of JSON.", error);
    std::string_view view;
    if (!hcl::internal::ReadText(text, size, "The text", &view, error)) return HCLVM_ARGUMENT;
    if (heap->own != nullptr) heap->heap->set_interrupt(heap->patience.Begin());
    hcl::JsonReader reader;
    Value read;
    const hclvm_status status =
        hcl::internal::ReadJsonText(&reader, "<json>", view, form == HCLVM_TYPED_JSON, heap->heap, &read, error);
    if (status == HCLVM_OK) *value = hcl::internal::Keep(read, heap->heap);
    return status;
  });
}

hclvm_status hclvm_write_json(const hclvm_value* value, int32_t form, const hclvm_limits* limits, char** text,
                              size_t* size, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (text == nullptr || size == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the text is NULL.", error);
    *text = nullptr;
    *size = 0;
    if (value == nullptr) return Fail(HCLVM_ARGUMENT, "The value is NULL.", error);
    if (!hcl::internal::IsForm(form)) return Fail(HCLVM_ARGUMENT, "There is no such form of JSON.", error);
    hcl::internal::HostLimits host;
    if (!hcl::internal::ReadLimits(limits, &host, error)) return HCLVM_ARGUMENT;
    host.limits.interrupt = host.patience.Begin();
    std::string out;
    const hclvm_status status =
        hcl::internal::WriteJsonText(hcl::internal::ValueOf(value), form == HCLVM_TYPED_JSON, host.limits, &out, error);
    if (status != HCLVM_OK) return status;
    *text = hcl::internal::CopyText(out);
    *size = out.size();
    return HCLVM_OK;
  });
}
