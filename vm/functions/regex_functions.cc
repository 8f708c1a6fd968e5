// Functions of regular expressions. Tested by vm/functions/regex_functions_test.cc.

#include "vm/functions/regex_functions.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "base/unicode.h"
#include "re2/re2.h"
#include "vm/functions/function_support.h"

namespace hcl {
namespace {

using internal::CanMake;
using internal::Define;
using internal::Param;

re2::StringPiece ToRe2(std::string_view text) { return {text.data(), text.size()}; }

// Whether `pattern` is sound, and names all of its groups or none; otherwise reports it.
bool CheckPattern(FunctionCall* call, const RE2& pattern) {
  if (!pattern.ok()) {
    call->ArgumentError(0, absl::StrCat("the pattern is invalid: ", pattern.error()));
    return false;
  }
  const size_t named = pattern.CapturingGroupNames().size();
  if (named != 0 && named != static_cast<size_t>(pattern.NumberOfCapturingGroups())) {
    call->ArgumentError(0, "the pattern has named and unnamed groups, which cannot be mixed");
    return false;
  }
  return true;
}

// A string, or for a pattern with groups a tuple or object of strings.
Type MatchType(const RE2& pattern, TypeTable* types, Arena* arena) {
  const size_t groups = static_cast<size_t>(pattern.NumberOfCapturingGroups());
  if (groups == 0) return Type::String();
  const std::vector<Type> strings(groups, Type::String());
  if (pattern.CapturingGroupNames().empty()) return types->Tuple(strings);
  std::vector<KeyValue> pairs;
  for (const auto& [name, index] : pattern.NamedCapturingGroups()) pairs.push_back({Value::String(name, arena), {}});
  return types->Object(MakeObject(absl::MakeSpan(pairs), arena).shape(), strings);
}

Type RegexType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[0].is_unknown()) return Type::Dynamic();
  if (!arguments[1].is_unknown()) return Type::Dynamic();  // the body checks the pattern
  const RE2 pattern(ToRe2(arguments[0].AsString()), RE2::Quiet);
  return CheckPattern(call, pattern) ? MatchType(pattern, call->types(), call->arena()) : Type::Dynamic();
}

Type RegexAllType(FunctionCall* call, absl::Span<const Value> arguments) {
  return call->types()->List(RegexType(call, arguments));
}

using Groups = absl::InlinedVector<re2::StringPiece, 8>;

// A group that took no part is null. Parts of a string in NFC are in NFC, so they share its memory.
Value GroupValue(const re2::StringPiece& group) {
  if (group.data() == nullptr) return Value::Null(Type::String());
  return Value::StringView({group.data(), group.size()});
}

Value MatchValue(FunctionCall* call, const RE2& pattern, const Groups& groups) {
  if (groups.size() == 1) return GroupValue(groups[0]);
  if (pattern.CapturingGroupNames().empty()) {
    absl::InlinedVector<Value, 8> values;
    for (size_t i = 1; i < groups.size(); ++i) values.push_back(GroupValue(groups[i]));
    return MakeTuple(values, call->arena());
  }
  std::vector<KeyValue> pairs;
  for (const auto& [name, index] : pattern.NamedCapturingGroups()) {
    pairs.push_back({Value::String(name, call->arena()), GroupValue(groups[static_cast<size_t>(index)])});
  }
  return MakeObject(absl::MakeSpan(pairs), call->arena());
}

bool MatchAt(const RE2& pattern, std::string_view text, size_t begin, Groups* groups) {
  return pattern.Match(ToRe2(text), begin, text.size(), RE2::UNANCHORED, groups->data(),
                       static_cast<int>(groups->size()));
}

Value Regex(FunctionCall* call, absl::Span<const Value> arguments) {
  const RE2 pattern(ToRe2(arguments[0].AsString()), RE2::Quiet);
  if (!CheckPattern(call, pattern)) return Value();
  Groups groups(static_cast<size_t>(pattern.NumberOfCapturingGroups()) + 1);
  if (!MatchAt(pattern, arguments[1].AsString(), 0, &groups)) {
    return call->Error("the pattern does not match any part of the string");
  }
  if (!CanMake(call, groups.size(), 2 * sizeof(Value))) return Value();
  return MatchValue(call, pattern, groups);
}

Value RegexAll(FunctionCall* call, absl::Span<const Value> arguments) {
  const RE2 pattern(ToRe2(arguments[0].AsString()), RE2::Quiet);
  if (!CheckPattern(call, pattern)) return Value();
  const std::string_view text = arguments[1].AsString();
  Groups groups(static_cast<size_t>(pattern.NumberOfCapturingGroups()) + 1);
  std::vector<Value> matches;
  size_t at = 0;
  size_t last_end = std::string_view::npos;
  while (at <= text.size() && MatchAt(pattern, text, at, &groups)) {
    const size_t begin = static_cast<size_t>(groups[0].data() - text.data());
    const size_t end = begin + groups[0].size();
    // As in the reference, an empty match right behind another match does not count.
    if (end > begin || begin != last_end) {
      if (!CanMake(call, matches.size() + 1, (groups.size() + 4) * sizeof(Value))) return Value();
      matches.push_back(MatchValue(call, pattern, groups));
    }
    last_end = end;
    at = end;
    if (end == begin) at += end < text.size() ? DecodeUtf8(text, end).bytes : 1;
  }
  return MakeList(MatchType(pattern, call->types(), call->arena()), matches, call->arena());
}

}  // namespace

void RegisterRegexFunctions(FunctionRegistryBuilder* builder) {
  const std::vector<Parameter> parameters = {Param("pattern", Type::String()), Param("string", Type::String())};
  builder->Add(Define("regex", parameters, RegexType, Regex));
  builder->Add(Define("regexall", parameters, RegexAllType, RegexAll));
}

}  // namespace hcl
