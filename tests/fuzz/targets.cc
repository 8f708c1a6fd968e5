// The table of targets.

#include "hclvm/tests/fuzz/targets.h"

namespace hcl::fuzz {
namespace {

constexpr Target kTargets[] = {
    {"syntax", FuzzSyntax},
    {"template", FuzzTemplate},
    {"json_syntax", FuzzJsonSyntax},
    {"expression", FuzzExpression, true},
    {"scope", FuzzScope},
    {"decode", FuzzDecode},
    {"check", FuzzCheck},
    {"function", FuzzFunction},
    {"type", FuzzType},
    {"number", FuzzNumber},
};

}  // namespace

absl::Span<const Target> Targets() { return kTargets; }

const Target* FindTarget(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace hcl::fuzz
