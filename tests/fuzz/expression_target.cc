// Expressions and configs over scopes of all kinds.

#include <string_view>

#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/tests/fuzz/ways.h"

namespace hcl::fuzz {

void FuzzExpression(std::string_view input) {
  const size_t line = input.find('\n');
  const std::string_view scope = input.substr(0, line);
  const std::string_view text = line == std::string_view::npos ? std::string_view() : input.substr(line + 1);
  RunInAllWays(Form::kExpression, scope, text);
  RunInAllWays(Form::kConfig, scope, text);
}

}  // namespace hcl::fuzz
