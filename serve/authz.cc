// The blocks of service.hcl. Tested by serve/bundle_test.cc.
//
// The file is a module like any other, of which the service gives the declarations: so a wrong attribute of `http` is
// found when the bundle is loaded, and the file may have locals and functions.

#include "hclvm/serve/authz.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/value/marks.h"

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
variable "subject" {
  type = object({
    type       = string
    id         = string
    properties = any
  })
}
variable "action" {
  type = object({
    name       = string
    properties = any
  })
}
variable "resource" {
  type = object({
    type       = string
    id         = string
    properties = any
  })
}
variable "context" {
  type = any
}
variable "result" {
  type     = any
  nullable = true
}
)";

std::string Declarations() {
  return absl::StrCat(kBeforePeers, "    source = ", kPeer, "    destination = ", kPeer, kBehindPeers);
}

template <typename Block>
struct Attribute {
  std::string_view name;
  std::optional<uint32_t> Block::*chunk;
};

constexpr Attribute<Authz> kAuthzAttributes[] = {
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
constexpr Attribute<Authzen> kAuthzenAttributes[] = {
    {"variables", &Authzen::variables},
    {"entry", &Authzen::entry},
    {"decision", &Authzen::decision},
    {"context", &Authzen::context},
};

constexpr std::string_view kAuthzVariables[] = {"http", "envoy", "input", "result"};
constexpr std::string_view kAuthzenVariables[] = {"subject", "action", "resource", "context", "result"};

// Names as people list them: "a, b and c".
template <typename Names>
std::string ListNames(const Names& names) {
  std::string text;
  for (size_t n = 0; n < std::size(names); ++n) {
    absl::StrAppend(&text, n == 0 ? "" : n + 1 == std::size(names) ? " and " : ", ", ToAbsl(names[n]));
  }
  return text;
}
template <typename Block, size_t kSize>
std::string ListNames(const Attribute<Block> (&attributes)[kSize]) {
  std::array<std::string_view, kSize> names;
  for (size_t n = 0; n < kSize; ++n) names[n] = attributes[n].name;
  return ListNames(names);
}

// One compilation of a file.
class ServiceFileCompiler {
 public:
  ServiceFileCompiler(const CompileOptions& options, const Source* source, std::shared_ptr<const Program> program,
                      Diagnostics* diagnostics)
      : options_(options), source_(source), program_(std::move(program)), diagnostics_(*diagnostics) {}

  ServiceFile Compile() {
    for (const Entry& entry : program_->entries()) {
      if (!Take("authz.", kAuthzAttributes, kAuthzVariables, entry, &authz_) &&
          !Take("authzen.", kAuthzenAttributes, kAuthzenVariables, entry, &authzen_) && !TakeVariable(entry)) {
        ReportUnsupported(entry);
      }
    }
    if (authzen_ != nullptr && authzen_->variables && !authzen_->made.empty()) {
      Report(*program_->FindEntry("authzen.variables"),
             "The block \"authzen\" has an attribute and a block \"variables\".");
    }
    if (!sound_ || program_->entries().empty()) return {};
    ServiceFile file;
    file.program = program_;
    if (authz_ != nullptr) file.authz = ConcludeAuthz();
    if (authzen_ != nullptr) file.authzen = ConcludeAuthzen();
    return file;
  }

 private:
  void Report(const Entry& entry, std::string detail) {
    Diagnostic diagnostic(DiagnosticCode::kUnsupportedArgument);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = entry.range;
    diagnostic.source = source_;
    diagnostics_.Add(std::move(diagnostic));
    sound_ = false;
  }
  void ReportUnsupported(const Entry& entry) {
    Report(entry, absl::StrCat("This file has one block \"authz\" with the attributes ", ListNames(kAuthzAttributes),
                               ", and one block \"authzen\" with the attributes ", ListNames(kAuthzenAttributes),
                               ", besides locals and functions."));
  }

  // Entries are "authz.allow" and so on. What is none of these, such as what stands in a second block, is a mistake.
  template <typename Block, size_t kSize, size_t kNames>
  bool Take(std::string_view prefix, const Attribute<Block> (&attributes)[kSize],
            const std::string_view (&variables)[kNames], const Entry& entry, std::shared_ptr<Block>* block) {
    if (!absl::StartsWith(ToAbsl(entry.path), ToAbsl(prefix))) return false;
    for (const Attribute<Block>& attribute : attributes) {
      if (entry.path.substr(prefix.size()) != attribute.name) continue;
      if (*block == nullptr) *block = std::make_shared<Block>();
      (**block).*attribute.chunk = entry.chunk;
      if (attribute.name == "entry") (**block).entry_range = entry.range;
      (**block).answers = (**block).answers || (attribute.name != "variables" && attribute.name != "entry");
      CheckVariables(entry, prefix, variables);
      return true;
    }
    return false;
  }

  // Entries are "authzen.variables.user" and so on. Names with a point are of blocks in the block.
  bool TakeVariable(const Entry& entry) {
    constexpr std::string_view kVariables = "authzen.variables.";
    if (!absl::StartsWith(ToAbsl(entry.path), ToAbsl(kVariables))) return false;
    const std::string_view name = entry.path.substr(kVariables.size());
    if (name.find_first_of(".[") != std::string_view::npos) return false;
    if (authzen_ == nullptr) authzen_ = std::make_shared<Authzen>();
    authzen_->made.push_back({std::string(name), entry.chunk});
    CheckVariables(entry, "authzen.", kAuthzenParts);
    return true;
  }

  // A variable of the other block never has a value here.
  template <typename Names>
  void CheckVariables(const Entry& entry, std::string_view prefix, const Names& variables) {
    const std::string_view block = prefix.substr(0, prefix.size() - 1);
    const Reads reads(program_, entry.chunk);
    reads.needed().ForEach([&](std::string_view name, const JsonProjection&) {
      if (std::find(std::begin(variables), std::end(variables), name) != std::end(variables)) return;
      Report(entry, absl::StrCat("The block \"", ToAbsl(block), "\" has no variable \"", ToAbsl(name), "\"; it has ",
                                 ListNames(variables), "."));
    });
  }

  // A run without variables is answered if none is needed.
  void FindConstantEntry(ServiceBlock* block) {
    block->program = program_;
    if (!block->entry) return;
    Evaluator evaluator(program_, options_.limits);
    const Evaluation& evaluation = evaluator.RunChunk(*block->entry);
    if (evaluation.ok() && evaluation.value().is_string()) block->constant_entry = evaluation.value().AsString();
  }

  std::shared_ptr<const Authz> ConcludeAuthz() {
    FindConstantEntry(authz_.get());
    std::vector<uint32_t> chunks;
    for (const Attribute<Authz>& attribute : kAuthzAttributes) {
      const std::optional<uint32_t>& chunk = (*authz_).*attribute.chunk;
      if (chunk) chunks.push_back(*chunk);
    }
    authz_->reads.emplace(program_, chunks);
    return authz_;
  }

  std::shared_ptr<const Authzen> ConcludeAuthzen() {
    FindConstantEntry(authzen_.get());
    for (size_t n = 0; n < kAuthzenParts.size(); ++n) authzen_->parts[n] = *program_->FindSlot(kAuthzenParts[n]);
    authzen_->result = *program_->FindSlot("result");
    MakeShape();
    return authzen_;
  }

  // Sets what the variables of the block `variables` read, and the shape of what they make together.
  void MakeShape() {
    std::vector<Authzen::Variable>& made = authzen_->made;
    std::sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    std::vector<Value> names;
    for (Authzen::Variable& variable : made) {
      names.push_back(Value::StringView(variable.name));
      const Reads reads(program_, variable.chunk);
      for (size_t n = 0; n < kAuthzenParts.size(); ++n) {
        variable.reads[n] = reads.needed().Find(kAuthzenParts[n]) != nullptr;
      }
    }
    authzen_->shape = hcl::MakeShape(names, &authzen_->arena);
  }

  const CompileOptions& options_;
  const Source* const source_;
  const std::shared_ptr<const Program> program_;
  Diagnostics& diagnostics_;
  bool sound_ = true;
  std::shared_ptr<Authz> authz_;
  std::shared_ptr<Authzen> authzen_;
};

}  // namespace

bool ReadVariables(const Value& given, Arena* arena, Value* scope) {
  *scope = given.unmarked();
  if (!scope->is_mapping()) return false;
  if (!given.is_marked()) return true;
  std::vector<KeyValue> pairs;
  pairs.reserve(scope->size());
  for (size_t n = 0; n < scope->size(); ++n) {
    pairs.push_back({scope->shape().keys[n], Mark(scope->values()[n], given.marks(), arena)});
  }
  *scope = MakeObject(pairs, arena);
  return true;
}

ServiceFile CompileServiceFile(const std::string& name, const std::string& text, const CompileOptions& options,
                               Diagnostics* diagnostics, std::vector<std::shared_ptr<const Source>>* sources) {
  const auto source = std::make_shared<const Source>(name, text);
  const auto declarations = std::make_shared<const Source>("<service>", Declarations());
  sources->push_back(source);
  sources->push_back(declarations);
  auto program = CompileModule({{source}, {declarations}}, options, diagnostics);
  if (program == nullptr) return {};
  return ServiceFileCompiler(options, source.get(), std::move(program), diagnostics).Compile();
}

}  // namespace hcl::serve
