// Base data, and lines of JSON. Tested by bindings/c/whole_test.cc.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"

namespace hcl::internal {
namespace {

hclvm_status MakeData(const std::shared_ptr<const Program>& program, std::string_view json, const BaseOptions& options,
                      hclvm_data** data, hclvm_error** error) {
  Diagnostics diagnostics(options.limits.max_diagnostics);
  const BaseText text = {std::make_shared<const Source>("<data>", std::string(json)), ""};
  const auto read = BaseData::Read(absl::MakeConstSpan(&text, 1), options, &diagnostics);
  auto made = std::make_unique<hclvm_data>();
  if (read != nullptr) made->layer = BaseLayer::Make(program, read, options, &diagnostics);
  if (made->layer == nullptr) return Fail(diagnostics, &program->source(), error);
  made->program = program;
  *data = made.release();
  return HCLVM_OK;
}

// What of the options is no number or pointer to be taken as it is.
hclvm_status ReadLinesOptions(const hclvm_program& program, const hclvm_lines_options& fields, NdjsonOptions* options,
                              hclvm_error** error) {
  constexpr uint32_t kMostThreads = 256;
  if (fields.threads > kMostThreads) return Fail(HCLVM_ARGUMENT, "There are at most 256 threads.", error);
  if (fields.form != HCLVM_PLAIN_JSON && fields.form != HCLVM_TYPED_JSON) {
    return Fail(HCLVM_ARGUMENT, "There is no such form of JSON.", error);
  }
  if (fields.unknown_input < HCLVM_UNKNOWN_NEAR || fields.unknown_input > HCLVM_UNKNOWN_IGNORE) {
    return Fail(HCLVM_ARGUMENT, "There is no such way to treat unknown input.", error);
  }
  if (fields.data != nullptr && fields.data->program != program.program) {
    return Fail(HCLVM_ARGUMENT, "The data are those of another program.", error);
  }
  const absl::Span<const Entry> entries = program.program->entries();
  if (fields.entry_count > entries.size() || (fields.entries == nullptr && fields.entry_count != 0)) {
    return Fail(HCLVM_ARGUMENT, "The entries are NULL or too many.", error);
  }
  for (size_t n = 0; n < fields.entry_count; ++n) {
    if (fields.entries[n] >= entries.size()) {
      return Fail(HCLVM_NOT_FOUND, "The program has no entry of this index.", error);
    }
    const Entry* const entry = &entries[fields.entries[n]];
    if (std::find(options->entries.begin(), options->entries.end(), entry) != options->entries.end()) {
      return Fail(HCLVM_ARGUMENT, "An entry is given twice.", error);
    }
    options->entries.push_back(entry);
  }
  options->threads = std::max(1u, fields.threads);
  options->typed = fields.form == HCLVM_TYPED_JSON;
  options->check_all = fields.check_all != 0;
  options->unknown_input = fields.unknown_input == HCLVM_UNKNOWN_NEAR    ? UnknownInput::kNear
                           : fields.unknown_input == HCLVM_UNKNOWN_ERROR ? UnknownInput::kError
                                                                         : UnknownInput::kIgnore;
  if (fields.data != nullptr) options->base = fields.data->layer;
  return HCLVM_OK;
}

// The text as an input that is read piece by piece.
NdjsonInput ReadFromText(std::string_view text) {
  return [text](char* room, size_t size) mutable -> absl::StatusOr<size_t> {
    const size_t count = std::min(size, text.size());
    std::memcpy(room, text.data(), count);
    text.remove_prefix(count);
    return count;
  };
}

// A host that is written in C++ may throw against the rules, which ends here.
NdjsonOutput WriteToHost(hclvm_lines_body body, void* context) {
  return [body, context](std::string_view lines) -> absl::Status {
    hclvm_status status = HCLVM_INVALID;
#if defined(__cpp_exceptions)
    try {
      status = body(context, lines.data(), lines.size());
    } catch (...) {
    }
#else
    status = body(context, lines.data(), lines.size());
#endif
    return status == HCLVM_OK ? absl::OkStatus() : absl::UnavailableError("the host has not taken the answers");
  };
}

}  // namespace
}  // namespace hcl::internal

using hcl::internal::Fail;
using hcl::internal::Guarded;

hclvm_status hclvm_data_new(const hclvm_program* program, const char* json, size_t size, const char* const* replaceable,
                            size_t count, const hclvm_limits* limits, hclvm_data** data, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (data == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the data is NULL.", error);
    *data = nullptr;
    if (program == nullptr) return Fail(HCLVM_ARGUMENT, "The program is NULL.", error);
    std::string_view text;
    if (!hcl::internal::ReadText(json, size, "The data", &text, error)) return HCLVM_ARGUMENT;
    hcl::internal::HostLimits host;
    if (!hcl::internal::ReadLimits(limits, &host, error)) return HCLVM_ARGUMENT;
    constexpr size_t kMostNames = 100'000;
    if (count > kMostNames || (replaceable == nullptr && count != 0)) {
      return Fail(HCLVM_ARGUMENT, "The names are NULL or too many.", error);
    }
    hcl::BaseOptions options;
    options.limits = host.limits;
    options.limits.interrupt = host.patience.Begin();
    for (size_t n = 0; n < count; ++n) {
      std::string_view name;
      if (replaceable[n] == nullptr) return Fail(HCLVM_ARGUMENT, "A name is NULL.", error);
      if (!hcl::internal::ReadUtf8(replaceable[n], HCLVM_TERMINATED, "A name", &name, error)) return HCLVM_ARGUMENT;
      options.replaceable.emplace_back(name);
    }
    return hcl::internal::MakeData(program->program, text, options, data, error);
  });
}

void hclvm_data_free(hclvm_data* data) { delete data; }

hclvm_status hclvm_run_lines(const hclvm_program* program, const char* lines, size_t size,
                             const hclvm_lines_options* options, hclvm_lines_body body, void* context,
                             hclvm_lines_counts* counts, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (counts != nullptr) *counts = {};
    if (program == nullptr || body == nullptr) return Fail(HCLVM_ARGUMENT, "The program or the body is NULL.", error);
    std::string_view text;
    if (!hcl::internal::ReadText(lines, size, "The lines", &text, error)) return HCLVM_ARGUMENT;
    hclvm_lines_options fields = {};
    if (options != nullptr &&
        !hcl::internal::ReadStruct(options, HCLVM_FIRST_SIZE(hclvm_lines_options, unknown_input), &fields)) {
      return Fail(HCLVM_ARGUMENT, "The size of hclvm_lines_options is not that of any version.", error);
    }
    hcl::internal::HostLimits host;
    if (!hcl::internal::ReadLimits(fields.limits, &host, error)) return HCLVM_ARGUMENT;
    hcl::NdjsonOptions ndjson;
    const hclvm_status status = hcl::internal::ReadLinesOptions(*program, fields, &ndjson, error);
    if (status != HCLVM_OK) return status;
    // The time is that of a line, and the flag that of all.
    ndjson.timeout = std::chrono::milliseconds(std::min<uint64_t>(
        host.patience.timeout_ms, static_cast<uint64_t>(std::chrono::milliseconds(std::chrono::hours(24)).count())));
    host.patience.timeout_ms = 0;
    ndjson.limits = host.limits;
    ndjson.limits.interrupt = host.patience.Begin();
    hcl::NdjsonCounts counted;
    const absl::Status ended = hcl::RunNdjson(program->program, ndjson, hcl::internal::ReadFromText(text),
                                              hcl::internal::WriteToHost(body, context), &counted);
    if (counts != nullptr) *counts = {counted.lines, counted.errors, counted.warnings};
    if (ended.ok()) return HCLVM_OK;
    const bool is_limit = absl::IsResourceExhausted(ended) || absl::IsCancelled(ended);
    return Fail(is_limit ? HCLVM_LIMIT : HCLVM_INVALID, std::string(ended.message()), error);
  });
}
