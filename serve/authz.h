// Authz: how requests become variables, and values become answers: the block `authz` in the file service.hcl at the top
// of a bundle (docs/service.md, "Mapping").
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

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"

namespace hcl::serve {

inline constexpr char kAuthzFileName[] = "service.hcl";
// The entry that decides where there is no such block: true allows, everything else denies.
inline constexpr char kDefaultAuthzEntry[] = "authz/allow";

// Immutable and thread-safe. Each attribute is a chunk of one program over the variables `http`, `envoy`, `input` and
// `result`; none where it was not written.
struct Authz {
  std::shared_ptr<const Program> program;
  std::optional<uint32_t> variables;
  std::optional<uint32_t> entry;
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
  // Whether one of those that say what to answer is there: all but the first two.
  bool answers = false;
  // What all of these read of the variables.
  std::optional<Reads> reads;
  // What `entry` is for every request, if that is so, and where it is written.
  std::optional<std::string> constant_entry;
  SourceRange entry_range;
};

// Compiles the text of such a file. Null on errors, which are in `diagnostics`, and where it has no authz block.
// *sources get what diagnostics refer to. Thread-safe as far as the arguments are not shared.
std::shared_ptr<const Authz> CompileAuthz(const std::string& name, const std::string& text,
                                          const CompileOptions& options, Diagnostics* diagnostics,
                                          std::vector<std::shared_ptr<const Source>>* sources);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_AUTHZ_H_
