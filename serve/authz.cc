// The authz block. Tested by serve/bundle_test.cc.
//
// The file is a module like any other, of which the service gives the declarations: so a wrong attribute of `http` is
// found when the bundle is loaded, and the file may have locals and functions.

#include "hclvm/serve/authz.h"

#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

// Of who is at an end of a connection.
constexpr char kPeer[] = R"(object({
      address     = optional(string)
      port        = optional(number)
      principal   = optional(string)
      service     = optional(string)
      labels      = map(string)
      certificate = optional(string)
    })
)";
constexpr char kBeforePeers[] = R"(
variable "http" {
  type = object({
    method        = string
    path          = string
    path_segments = list(string)
    query         = any
    host          = string
    scheme        = optional(string)
    headers       = any
    endpoint      = string
    source = object({
      address   = optional(string)
      forwarded = list(string)
      proxy     = optional(string)
    })
  })
}
variable "envoy" {
  type = object({
)";
constexpr char kBehindPeers[] = R"(    id       = optional(string)
    protocol = optional(string)
    time     = optional(string)
    size     = optional(number)
    tls      = object({ sni = optional(string) })
    body = object({
      text      = optional(string)
      base64    = optional(string)
      is_json   = bool
      json      = optional(any)
      truncated = bool
    })
    context_extensions = map(string)
    metadata           = any
    route_metadata     = any
  })
  default  = null
  nullable = true
}
variable "input" {
  type     = any
  default  = null
  nullable = true
}
variable "result" {
  type     = any
  nullable = true
}
)";

std::string Declarations() {
  return absl::StrCat(kBeforePeers, "    source = ", kPeer, "    destination = ", kPeer, kBehindPeers);
}

struct Attribute {
  std::string_view name;
  std::optional<uint32_t> Authz::*chunk;
};

constexpr Attribute kAttributes[] = {
    {"variables", &Authz::variables},
    {"entry", &Authz::entry},
    {"allow", &Authz::allow},
    {"status", &Authz::status},
    {"headers", &Authz::headers},
    {"body", &Authz::body},
    {"response_headers", &Authz::response_headers},
    {"headers_to_remove", &Authz::headers_to_remove},
    {"query_parameters_to_set", &Authz::query_parameters_to_set},
    {"query_parameters_to_remove", &Authz::query_parameters_to_remove},
    {"dynamic_metadata", &Authz::dynamic_metadata},
};

constexpr std::string_view kBlock = "authz.";

// Entries are "authz.allow" and so on. What is none of these, such as what stands in a second block, is a mistake.
bool TakeEntry(const Entry& entry, Authz* authz) {
  if (!absl::StartsWith(ToAbsl(entry.path), ToAbsl(kBlock))) return false;
  for (const Attribute& attribute : kAttributes) {
    if (entry.path.substr(kBlock.size()) != attribute.name) continue;
    authz->*attribute.chunk = entry.chunk;
    if (attribute.name == "entry") authz->entry_range = entry.range;
    return true;
  }
  return false;
}

void ReportUnsupported(const Entry& entry, const Source* source, Diagnostics* diagnostics) {
  Diagnostic diagnostic(DiagnosticCode::kUnsupportedArgument);
  diagnostic.detail =
      "This file has one block \"authz\" with the attributes variables, entry, allow, status, headers, body, "
      "response_headers, headers_to_remove, query_parameters_to_set, query_parameters_to_remove and dynamic_metadata, "
      "besides locals and functions.";
  diagnostic.subject = entry.range;
  diagnostic.source = source;
  diagnostics->Add(std::move(diagnostic));
}

// What is known of the attributes once they are all there.
void Conclude(Authz* authz) {
  std::vector<uint32_t> chunks;
  for (const Attribute& attribute : kAttributes) {
    const std::optional<uint32_t>& chunk = authz->*attribute.chunk;
    if (!chunk) continue;
    chunks.push_back(*chunk);
    authz->answers = authz->answers || (attribute.name != "variables" && attribute.name != "entry");
  }
  authz->reads.emplace(authz->program, chunks);
}

// A run without variables is answered if none is needed.
void FindConstantEntry(const CompileOptions& options, Authz* authz) {
  if (!authz->entry) return;
  Evaluator evaluator(authz->program, options.limits);
  const Evaluation& evaluation = evaluator.RunChunk(*authz->entry);
  if (evaluation.ok() && evaluation.value().is_string()) authz->constant_entry = evaluation.value().AsString();
}

}  // namespace

std::shared_ptr<const Authz> CompileAuthz(const std::string& name, const std::string& text,
                                          const CompileOptions& options, Diagnostics* diagnostics,
                                          std::vector<std::shared_ptr<const Source>>* sources) {
  const auto source = std::make_shared<const Source>(name, text);
  const auto declarations = std::make_shared<const Source>("<service>", Declarations());
  sources->push_back(source);
  sources->push_back(declarations);
  auto authz = std::make_shared<Authz>();
  authz->program = CompileModule({{source}, {declarations}}, options, diagnostics);
  if (authz->program == nullptr) return nullptr;
  bool sound = true;
  for (const Entry& entry : authz->program->entries()) {
    if (TakeEntry(entry, authz.get())) continue;
    ReportUnsupported(entry, source.get(), diagnostics);
    sound = false;
  }
  if (!sound || authz->program->entries().empty()) return nullptr;
  FindConstantEntry(options, authz.get());
  Conclude(authz.get());
  return authz;
}

}  // namespace hcl::serve
