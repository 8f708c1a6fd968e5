// Joined texts. Tested by compiler/core_values_test.cc.

#include "hclvm/compiler/core_text_parts.h"

#include <cstddef>
#include <string_view>

#include "hclvm/compiler/facts.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// The verbs of a format, if each is a plain `%s`, `%d` or `%t`; none otherwise. Other verbs take values in ways of
// their own, `%v` also a null.
std::string ReadVerbs(std::string_view format) {
  std::string verbs;
  for (size_t n = format.find('%'); n != std::string_view::npos; n = format.find('%', n + 2)) {
    const char verb = n + 1 < format.size() ? format[n + 1] : '\0';
    if (verb != 's' && verb != 'd' && verb != 't' && verb != '%') return "";
    if (verb != '%') verbs.push_back(verb);
  }
  return verbs;
}

// The texts between the verbs of such a format.
std::vector<std::string> SplitFormat(std::string_view format) {
  std::vector<std::string> texts(1);
  for (size_t n = 0; n < format.size(); ++n) {
    const bool is_verb = format[n] == '%' && format[++n] != '%';
    is_verb ? void(texts.emplace_back()) : texts.back().push_back(format[n]);
  }
  return texts;
}

// The text that the first argument is, or null.
const Value* FirstText(const BoundCall& call) {
  const Value* const text = call.arguments.empty() ? nullptr : ScalarOf(*call.arguments[0]);
  return text != nullptr && text->is_string() ? text : nullptr;
}

}  // namespace

// Where there are more arguments than verbs, or fewer, the call fails.
absl::Span<const BoundExpr* const> JoinedParts(const BoundCall& call) {
  const bool is_join = call.is(Function::Special::kJoin);
  if ((!is_join && !call.is(Function::Special::kFormat)) || call.expand_last) return {};
  const Value* const text = FirstText(call);
  if (text == nullptr || call.arguments.size() < 2) return {};
  absl::Span<const BoundExpr* const> parts = call.arguments.subspan(1);
  if (is_join) {
    if (parts.size() != 1 || parts[0]->kind != BoundKind::kTuple) return {};
    parts = As<BoundTuple>(*parts[0]).elements;
  } else if (ReadVerbs(text->AsString()).size() != parts.size()) {
    return {};
  }
  return parts.size() <= kMaxInline ? parts : absl::Span<const BoundExpr* const>();
}

std::vector<std::string> TextsAround(const BoundCall& call) {
  const std::string_view text = FirstText(call)->AsString();
  if (call.is(Function::Special::kFormat)) return SplitFormat(text);
  std::vector<std::string> texts(JoinedParts(call).size() + 1, std::string(text));
  texts.front().clear();
  texts.back().clear();
  return texts;
}

std::string VerbsOf(const BoundCall& call) {
  if (call.is(Function::Special::kFormat)) return ReadVerbs(FirstText(call)->AsString());
  return std::string(JoinedParts(call).size(), 's');
}

}  // namespace hcl::internal
