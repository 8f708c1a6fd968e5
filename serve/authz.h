// Authz and Authzen: how questions become variables, and values become answers: the blocks `authz` and `authzen` in the
// file service.hcl at the top of a bundle (docs/service.md, "Mapping"; docs/authzen.md).
//
//   authz {
//     variables = { request = http }
//     entry     = "billing/policy.access.decision"
//     allow     = result.effect == "allow"
//   }
//
// Tested by serve/bundle_test.cc.

#ifndef HCLVM_SERVE_AUTHZ_H_
#define HCLVM_SERVE_AUTHZ_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

inline constexpr char kServiceFileName[] = "service.hcl";
// The entries that decide where there is no such block: true allows, everything else denies.
inline constexpr char kDefaultAuthzEntry[] = "authz/allow";
inline constexpr char kDefaultAuthzenEntry[] = "authzen/decision";

// What both blocks have. Immutable and thread-safe, as they are. Each attribute is a chunk of one program, which both
// share; none where it was not written.
struct ServiceBlock {
  std::shared_ptr<const Program> program;
  std::optional<uint32_t> variables;
  std::optional<uint32_t> entry;
  // What `entry` is for every request, if that is so, and where it is written.
  std::optional<std::string> constant_entry;
  SourceRange entry_range;
  // Whether one of the attributes that say what to answer is there: all but the first two.
  bool answers = false;
};

// The block of proxies' questions, over the variables `http`, `envoy`, `input` and `result`.
struct Authz : ServiceBlock {
  std::optional<uint32_t> allow;
  std::optional<uint32_t> status;
  std::optional<uint32_t> headers;
  std::optional<uint32_t> body;
  // For who takes all of an answer:
  std::optional<uint32_t> response_headers;
  std::optional<uint32_t> headers_to_remove;
  std::optional<uint32_t> query_parameters_to_set;
  std::optional<uint32_t> query_parameters_to_remove;
  std::optional<uint32_t> dynamic_metadata;
  // What all of these read of the variables.
  std::optional<Reads> reads;
};

// The parts of an AuthZEN question, each a variable of the block, in the order of their names.
inline constexpr std::array<std::string_view, 4> kAuthzenParts = {"action", "context", "resource", "subject"};

// The block of AuthZEN's questions, over the variables of kAuthzenParts and `result`. `variables` may be a block as
// well, with an attribute for each.
struct Authzen : ServiceBlock {
  struct Variable {
    std::string name;
    uint32_t chunk = 0;
    std::array<bool, kAuthzenParts.size()> reads = {};  // which parts it reads
  };

  std::optional<uint32_t> decision;
  std::optional<uint32_t> context;
  std::vector<Variable> made;    // by name; empty where there is no such block
  Arena arena;                   // of the shape
  const Shape* shape = nullptr;  // of a scope of `made`
  // Slots of the program's variables.
  std::array<uint32_t, kAuthzenParts.size()> parts = {};
  uint32_t result = 0;
};

// Such a file.
struct ServiceFile {
  std::shared_ptr<const Program> program;  // of both blocks; null where there is none
  std::shared_ptr<const Authz> authz;      // null: no such block
  std::shared_ptr<const Authzen> authzen;  // null: no such block
};

// Compiles the text of such a file. Empty on errors, which are in `diagnostics`. *sources get what diagnostics refer
// to. Thread-safe as far as the arguments are not shared.
ServiceFile CompileServiceFile(const std::string& name, const std::string& text, const CompileOptions& options,
                               Diagnostics* diagnostics, std::vector<std::shared_ptr<const Source>>* sources);

// Sets *scope to the value of an attribute `variables`; marks on the whole stand on each variable then, as a scope has
// none itself. False where the value is no object. Memory: that of the value, or `arena`.
bool ReadVariables(const Value& given, Arena* arena, Value* scope);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_AUTHZ_H_
