// Errors. Tested by bindings/c/c_test.cc.

#include "hclvm/bindings/c/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/c/hclvm.h"

namespace hcl::internal {
namespace {

// The texts that a diagnostic points to.
struct Texts {
  std::string code, summary, detail, source;
};

}  // namespace

// What an error points to, apart from it, so that the one for want of memory can be a constant.
struct OwnedError {
  std::string text, json;
  std::vector<std::unique_ptr<const Texts>> texts;
  std::vector<hclvm_diagnostic> diagnostics;
};

}  // namespace hcl::internal

struct hclvm_error {
  hclvm_status status;
  const char* text;
  const char* json;
  const hclvm_diagnostic* diagnostics;
  size_t count;
  const hcl::internal::OwnedError* owned;  // null for the constant
};

namespace hcl::internal {
namespace {

constexpr char kMemoryText[] = "Error[HCL9001]: Out of memory\n\nThe system has refused the memory that this needs.\n";
constexpr char kMemoryJson[] = R"([{"severity":"error","code":"HCL9001","summary":"Out of memory",)"
                               R"("detail":"The system has refused the memory that this needs."}])";
constexpr hclvm_diagnostic kMemoryDiagnostic = {sizeof(hclvm_diagnostic),
                                                9001,
                                                0,
                                                1,
                                                "HCL9001",
                                                "Out of memory",
                                                "The system has refused the memory that this needs.",
                                                "",
                                                {},
                                                {}};
constexpr hclvm_error kMemoryError = {HCLVM_MEMORY, kMemoryText, kMemoryJson, &kMemoryDiagnostic, 1, nullptr};

// A copy that can be read up to its end by who stops at a zero.
std::string WithoutZeros(std::string_view text) {
  std::string out;
  for (const char c : text) c == '\0' ? void(out += "\uFFFD") : void(out += c);
  return out;
}

hclvm_position PositionIn(const Source& source, uint32_t offset) {
  const SourcePosition position = source.PositionAt(offset);
  return {position.line, position.column, position.byte};
}

hclvm_range RangeIn(const Source* source, const std::optional<SourceRange>& range) {
  if (source == nullptr || !range) return {};
  return {PositionIn(*source, range->begin), PositionIn(*source, range->end)};
}

void AddDiagnostic(const Diagnostic& diagnostic, const Source* source, OwnedError* owned) {
  if (diagnostic.source != nullptr) source = diagnostic.source;
  const bool has_place = source != nullptr && diagnostic.subject;
  auto texts = std::make_unique<const Texts>(Texts{CodeText(diagnostic.code), WithoutZeros(diagnostic.summary),
                                                   WithoutZeros(diagnostic.detail),
                                                   has_place ? WithoutZeros(source->name()) : std::string()});
  owned->diagnostics.push_back({sizeof(hclvm_diagnostic), static_cast<int32_t>(diagnostic.code),
                                diagnostic.severity == Severity::kWarning, diagnostic.is_limit, texts->code.c_str(),
                                texts->summary.c_str(), texts->detail.c_str(), texts->source.c_str(),
                                RangeIn(source, diagnostic.subject), RangeIn(source, diagnostic.context)});
  owned->texts.push_back(std::move(texts));
}

ErrorPointer Finish(hclvm_status status, std::unique_ptr<const OwnedError> owned) {
  ErrorPointer error(new hclvm_error{status, owned->text.c_str(), owned->json.c_str(), owned->diagnostics.data(),
                                     owned->diagnostics.size(), owned.get()});
  (void)owned.release();  // belongs to the error now
  return error;
}

}  // namespace

// The API takes errors that are not const, and changes none of them; hclvm_error_free() knows this one.
hclvm_error* OutOfMemoryError() { return const_cast<hclvm_error*>(&kMemoryError); }

ErrorPointer ErrorOf(hclvm_status status, const Diagnostics& diagnostics, const Source* source) {
  if (status == HCLVM_MEMORY) return ErrorPointer(OutOfMemoryError());
  auto owned = std::make_unique<OwnedError>();
  owned->text = WithoutZeros(ToText(diagnostics, source));
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    owned->json += owned->diagnostics.empty() ? "[" : ",";
    owned->json += ToJson(diagnostic, source);
    AddDiagnostic(diagnostic, source, owned.get());
  }
  owned->json += owned->diagnostics.empty() ? "[]" : "]";
  return Finish(status, std::move(owned));
}

hclvm_status StatusOf(const Diagnostics& diagnostics) {
  if (!diagnostics.has_errors()) return HCLVM_OK;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.code == DiagnosticCode::kOutOfMemory) return HCLVM_MEMORY;
  }
  return diagnostics.has_limit() ? HCLVM_LIMIT : HCLVM_INVALID;
}

hclvm_status Fail(const Diagnostics& diagnostics, const Source* source, hclvm_error** error) {
  const hclvm_status status = StatusOf(diagnostics);
  if (error != nullptr) *error = ErrorOf(status, diagnostics, source).release();
  return status;
}

// The text is copied into a source only for a caller who wants to know where the mistake is.
hclvm_status Fail(DiagnosticCode code, std::string detail, std::string name, std::string_view text, size_t offset,
                  hclvm_error** error) {
  if (code == DiagnosticCode::kOutOfMemory || error == nullptr) {
    if (error != nullptr) *error = OutOfMemoryError();
    return code == DiagnosticCode::kOutOfMemory ? HCLVM_MEMORY : IsLimit(code) ? HCLVM_LIMIT : HCLVM_INVALID;
  }
  const Source source(std::move(name), std::string(text));
  Diagnostics diagnostics;
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  if (!text.empty()) {
    const uint32_t at = static_cast<uint32_t>(offset < text.size() ? offset : text.size());
    diagnostic.subject = SourceRange{at, at < text.size() ? at + 1 : at};
  }
  diagnostics.Add(std::move(diagnostic));
  return Fail(diagnostics, &source, error);
}

hclvm_status Fail(hclvm_status status, std::string_view detail, hclvm_error** error) {
  if (error == nullptr) return status;
  auto owned = std::make_unique<OwnedError>();
  auto texts = std::make_unique<const Texts>(Texts{"", hclvm_status_text(status), WithoutZeros(detail), ""});
  owned->text = "Error: " + texts->summary + "\n\n" + texts->detail + "\n";
  owned->json = R"([{"severity":"error","summary":)";
  AppendJsonString(texts->summary, &owned->json);
  owned->json += R"(,"detail":)";
  AppendJsonString(texts->detail, &owned->json);
  owned->json += "}]";
  owned->diagnostics.push_back({sizeof(hclvm_diagnostic),
                                0,
                                0,
                                status == HCLVM_LIMIT,
                                texts->code.c_str(),
                                texts->summary.c_str(),
                                texts->detail.c_str(),
                                texts->source.c_str(),
                                {},
                                {}});
  owned->texts.push_back(std::move(texts));
  *error = Finish(status, std::move(owned)).release();
  return status;
}

}  // namespace hcl::internal

const char* hclvm_version() { return HCLVM_VERSION; }

const char* hclvm_status_text(hclvm_status status) {
  switch (status) {
    case HCLVM_OK:
      return "Success";
    case HCLVM_INVALID:
      return "Invalid input";
    case HCLVM_LIMIT:
      return "Limit reached";
    case HCLVM_ARGUMENT:
      return "Invalid argument of a call";
    case HCLVM_KIND:
      return "Value of another kind";
    case HCLVM_NOT_FOUND:
      return "Not found";
    case HCLVM_MEMORY:
      return "Out of memory";
    default:
      return "Unknown status";
  }
}

hclvm_status hclvm_error_status(const hclvm_error* error) { return error == nullptr ? HCLVM_OK : error->status; }
const char* hclvm_error_text(const hclvm_error* error) { return error == nullptr ? "" : error->text; }
const char* hclvm_error_json(const hclvm_error* error) { return error == nullptr ? "" : error->json; }
size_t hclvm_error_count(const hclvm_error* error) { return error == nullptr ? 0 : error->count; }

// The struct may be that of an earlier version, which lacks fields, or of a later one, whose further fields get zeros.
hclvm_status hclvm_error_get(const hclvm_error* error, size_t index, hclvm_diagnostic* diagnostic) {
  constexpr size_t kFirstSize = HCLVM_FIRST_SIZE(hclvm_diagnostic, context);
  constexpr size_t kMostBytes = 4096;
  if (diagnostic == nullptr || diagnostic->size < kFirstSize || diagnostic->size > kMostBytes) return HCLVM_ARGUMENT;
  const size_t size = diagnostic->size;
  std::memset(diagnostic, 0, size);
  diagnostic->size = size;
  if (index >= hclvm_error_count(error)) return HCLVM_NOT_FOUND;
  std::memcpy(diagnostic, &error->diagnostics[index], std::min(size, sizeof(hclvm_diagnostic)));
  diagnostic->size = size;
  return HCLVM_OK;
}

void hclvm_error_free(hclvm_error* error) {
  if (error == nullptr || error->owned == nullptr) return;
  delete error->owned;
  delete error;
}

void hclvm_free(char* text) { std::free(text); }
