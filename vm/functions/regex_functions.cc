// Functions of regular expressions. Tested by vm/functions/regex_functions_test.cc.

#include "hclvm/vm/functions/regex_functions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/regex_pattern.h"
#include "hclvm/vm/functions/regex_template.h"
#include "hclvm/vm/functions/replace_text.h"
#include "hclvm/vm/value/kept_states.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "re2/re2.h"

namespace hcl {

using internal::DecodeUtf8;
namespace {

using internal::CanMake;
using internal::Charging;
using internal::Checked;
using internal::Define;
using internal::Param;
using internal::RegexPattern;
using internal::RegexTemplate;
using internal::ToRe2;

// The pattern of a call, prepared for it. Null: there is none, and the body will say why.
Prepared Prepare(FunctionCall* call, std::string_view text) {
  auto pattern = std::make_shared<RegexPattern>();
  if (!pattern->Compile(call, text)) return {};
  const size_t bytes = pattern->MemoryBytes();
  const size_t held = pattern->HeldBytes();
  return {std::move(pattern), bytes, held};
}

// Function::prepare, of a function whose argument number kArgument is a pattern.
template <size_t kArgument>
Prepared PreparePattern(FunctionCall* call, absl::Span<const Value* const> constants) {
  return constants[kArgument] == nullptr ? Prepared() : Prepare(call, constants[kArgument]->AsString());
}

// What KeptStates knows them by.
constexpr char kPatterns = 0;

// The pattern of a call: the prepared one, or one that was made before, or one that is compiled for it. Its fuel is the
// same in each case but the first, so that what an evaluation takes does not depend on those before.
class CallPattern {
 public:
  // When the pattern is not sound, or too costly, the call has failed.
  CallPattern(FunctionCall* call, size_t argument, std::string_view text)
      : pattern_(static_cast<const RegexPattern*>(call->prepared())) {
    if (pattern_ != nullptr) return;
    internal::KeptStates* const kept = call->heap()->kept_states();
    pattern_ = static_cast<const RegexPattern*>(kept->Find(&kPatterns, text));
    if (pattern_ == nullptr) {
      pattern_ = Make(call, text, kept);
    } else {
      call->Charge(pattern_->cost());
    }
    if (!pattern_->ok()) call->ArgumentError(argument, pattern_->error());
  }

  const RegexPattern& operator*() const { return *pattern_; }

 private:
  // One for which there was not enough fuel is of no use to others.
  const RegexPattern* Make(FunctionCall* call, std::string_view text, internal::KeptStates* kept) {
    own_ = std::make_shared<RegexPattern>();
    const bool is_sound = own_->Compile(call, text);
    if (!call->failed()) kept->Keep(&kPatterns, text, own_, is_sound ? own_->MemoryBytes() : sizeof(RegexPattern));
    return own_.get();
  }

  std::shared_ptr<RegexPattern> own_;
  const RegexPattern* pattern_;
};

// Whether `pattern` names all of its groups or none; otherwise reports it. False when the call has failed.
bool CheckGroups(FunctionCall* call, const RegexPattern& pattern) {
  if (call->failed()) return false;
  if (pattern.mixes_groups()) {
    call->ArgumentError(0, "the pattern has named and unnamed groups, which cannot be mixed");
    return false;
  }
  return true;
}

// A string, or for a pattern with groups a tuple or object of strings. The type depends on the pattern's groups only,
// so that an unknown text with a known pattern has a known type.
Type MatchType(const RegexPattern& pattern, TypeTable* types, Arena* arena) {
  const size_t groups = pattern.group_count();
  if (groups == 0) return Type::String();
  const std::vector<Type> strings(groups, Type::String());
  const std::map<int, std::string>& names = pattern.re2().CapturingGroupNames();
  if (names.empty()) return types->Tuple(strings);
  std::vector<KeyValue> pairs;
  for (const auto& [index, name] : names) pairs.push_back({Value::String(name, arena), {}});
  // Several groups may have one name.
  const Value object = MakeObject(absl::MakeSpan(pairs), arena);
  const Shape& shape = object.shape();
  return types->Object(shape, absl::MakeConstSpan(strings).first(shape.size));
}

// For known arguments the value brings its type, and the pattern need not be compiled twice.
Type RegexType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[0].is_unknown()) return Type::Dynamic();
  if (!arguments[1].is_unknown()) return Type::Dynamic();  // the body checks the pattern
  const CallPattern pattern(call, 0, arguments[0].AsString());
  return CheckGroups(call, *pattern) ? MatchType(*pattern, call->types(), call->arena()) : Type::Dynamic();
}

Type RegexAllType(FunctionCall* call, absl::Span<const Value> arguments) {
  return call->types()->List(RegexType(call, arguments));
}

// Function::check, of a function whose argument number kArgument is a pattern, with groups that it makes values of.
template <size_t kArgument, bool kMakesGroups>
void CheckPattern(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[kArgument].is_unknown()) return;
  const CallPattern pattern(call, kArgument, arguments[kArgument].AsString());
  if (kMakesGroups) CheckGroups(call, *pattern);
}

using Groups = absl::InlinedVector<re2::StringPiece, 8>;

// A group that took no part is null. Parts of a string in NFC are in NFC, so they share its memory.
Value GroupValue(const re2::StringPiece& group) {
  if (group.data() == nullptr) return Value::Null(Type::String());
  return Value::StringView({group.data(), group.size()});
}

// Names sort in an object, while groups are numbered. Of several groups of one name the last counts, as in the
// reference, also when it took no part.
Value MatchValue(FunctionCall* call, const RegexPattern& pattern, const Groups& groups) {
  if (groups.size() == 1) return GroupValue(groups[0]);
  if (pattern.re2().CapturingGroupNames().empty()) {
    absl::InlinedVector<Value, 8> values;
    for (size_t i = 1; i < groups.size(); ++i) values.push_back(GroupValue(groups[i]));
    return MakeTuple(values, call->arena());
  }
  std::vector<KeyValue> pairs;
  for (const auto& [index, name] : pattern.re2().CapturingGroupNames()) {
    pairs.push_back({Value::String(name, call->arena()), GroupValue(groups[static_cast<size_t>(index)])});
  }
  return MakeObject(absl::MakeSpan(pairs), call->arena());
}

// The matches of a pattern in a text, from left to right. As in the reference, an empty match right behind another
// match does not count.
class MatchFinder {
 public:
  // `groups` that are wanted, with the whole match.
  MatchFinder(FunctionCall* call, const RegexPattern& pattern, std::string_view text, size_t groups)
      : call_(call), pattern_(pattern), text_(text), groups_(groups) {
    const internal::RegexAutomaton* const automaton = pattern.automaton();
    if (groups == 1 && automaton != nullptr && automaton->finds_runs() && internal::IsAscii(text)) runs_ = automaton;
  }

  // Whether there is none at all, as far as a look at the text tells: for callers that need not find one. Pays as
  // Next() does.
  bool HasNone() {
    const internal::RegexAutomaton* const automaton = pattern_.automaton();
    if (runs_ != nullptr) return false;  // Next() tells as soon
    if (automaton == nullptr || !internal::IsAscii(text_) || automaton->Matches(text_)) return false;
    call_->Charge(pattern_.SearchCost(text_.size()));
    return true;
  }

  // Finds the next match; false at the end, or when the call has failed. An empty match moves on by a whole code point,
  // since a match inside of one would cut it. RE2 goes on by bytes all the same, and finds \B there.
  bool Next() {
    while (at_ <= text_.size()) {
      if (!CanSearch()) return false;
      if (!Find()) {
        call_->Charge(pattern_.SearchCost(rest()));
        return false;
      }
      begin_ = static_cast<size_t>(groups_[0].data() - text_.data());
      const size_t end = begin_ + groups_[0].size();
      if (!PayForMatch(end)) return false;
      if (IsInsideCharacter(begin_)) {
        at_ = begin_;
        while (IsInsideCharacter(at_)) ++at_;
        continue;
      }
      const bool counts = end > begin_ || begin_ != last_end_;
      last_end_ = end;
      at_ = end;
      if (end == begin_) at_ += end < text_.size() ? DecodeUtf8(text_, end).bytes : 1;
      if (counts) return true;
    }
    return false;
  }

  const Groups& groups() const { return groups_; }
  // Offsets of the match.
  size_t begin() const { return begin_; }
  size_t end() const { return last_end_; }

 private:
  // The next match, of which the groups are told.
  bool Find() {
    if (runs_ == nullptr) {
      return pattern_.re2().Match(ToRe2(text_), at_, text_.size(), RE2::UNANCHORED, groups_.data(),
                                  static_cast<int>(groups_.size()));
    }
    size_t begin, end;
    if (!runs_->FindRun(text_, at_, &begin, &end)) return false;
    groups_[0] = ToRe2(text_.substr(begin, end - begin));
    return true;
  }

  uint64_t rest() const { return text_.size() - at_; }
  bool IsInsideCharacter(size_t at) const {
    return at < text_.size() && (static_cast<uint8_t>(text_[at]) & 0xc0) == 0x80;
  }

  // Whether the call could pay for a search that finds nothing before the end: how far RE2 reads shows afterwards.
  bool CanSearch() {
    uint64_t cost = pattern_.SearchCost(rest());
    if (groups_.size() > 1) {
      cost += pattern_.GroupsCost(rest(), rest(), groups_.size());
      if (!CanMake(call_, pattern_.GroupsBytes(groups_.size()), 1)) return false;
    }
    return cost <= call_->fuel_left() || call_->Charge(cost);
  }

  // For what was read up to the match's end, and what may have been read behind it: for some patterns that may be all
  // the rest, each time.
  bool PayForMatch(size_t end) {
    uint64_t read = end - at_;
    if (pattern_.is_local()) {
      read += std::min<uint64_t>(4 * pattern_.lookahead(), text_.size() - end);
    } else {
      read = rest();
    }
    uint64_t cost = pattern_.SearchCost(read);
    if (groups_.size() > 1) cost += pattern_.GroupsCost(end - begin_, read, groups_.size());
    return call_->Charge(cost);
  }

  FunctionCall* call_;
  const RegexPattern& pattern_;
  std::string_view text_;
  Groups groups_;
  const internal::RegexAutomaton* runs_ = nullptr;  // where it tells all matches
  size_t at_ = 0;
  size_t begin_ = 0;
  size_t last_end_ = std::string_view::npos;
};

size_t GroupCount(const RegexPattern& pattern) { return pattern.group_count() + 1; }

Value Regex(FunctionCall* call, absl::Span<const Value> arguments) {
  const CallPattern pattern(call, 0, arguments[0].AsString());
  if (!CheckGroups(call, *pattern)) return Value();
  MatchFinder finder(call, *pattern, arguments[1].AsString(), GroupCount(*pattern));
  if (!finder.Next()) return call->Error("the pattern does not match any part of the string");
  if (!CanMake(call, finder.groups().size(), 2 * sizeof(Value))) return Value();
  return MatchValue(call, *pattern, finder.groups());
}

// No group is asked for, so that the search stops at the first end of a match. In a text of ASCII, every match counts.
bool HasMatch(FunctionCall* call, const RegexPattern& pattern, std::string_view text) {
  if (!internal::IsAscii(text)) return MatchFinder(call, pattern, text, 1).Next();
  if (!call->Charge(pattern.SearchCost(text.size()))) return false;
  if (pattern.automaton() != nullptr) return pattern.automaton()->Matches(text);
  return pattern.re2().Match(ToRe2(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

bool RegexSucceeds(FunctionCall* call, absl::Span<const Value> arguments) {
  const CallPattern pattern(call, 0, arguments[0].AsString());
  return CheckGroups(call, *pattern) && HasMatch(call, *pattern, arguments[1].AsString());
}

Value RegexMatch(FunctionCall* call, absl::Span<const Value> arguments) {
  const CallPattern pattern(call, 1, arguments[1].AsString());
  if (call->failed()) return Value();
  const bool matches = HasMatch(call, *pattern, arguments[0].AsString());
  return call->failed() ? Value() : Value::Bool(matches);
}

// Memory is asked for at each match: an empty pattern matches once more than there are code points.
Value RegexAll(FunctionCall* call, absl::Span<const Value> arguments) {
  const CallPattern pattern(call, 0, arguments[0].AsString());
  if (!CheckGroups(call, *pattern)) return Value();
  MatchFinder finder(call, *pattern, arguments[1].AsString(), GroupCount(*pattern));
  std::vector<Value> matches;
  const bool has_none = finder.HasNone();
  while (!has_none && finder.Next()) {
    if (!CanMake(call, matches.size() + 1, (finder.groups().size() + 4) * sizeof(Value))) return Value();
    matches.push_back(MatchValue(call, *pattern, finder.groups()));
  }
  if (call->failed()) return Value();
  return MakeList(MatchType(*pattern, call->types(), call->arena()), matches, call->arena());
}

// What each group stands for by its name: where it took no part, the next group of that name that did. One pass for
// each match, and none for each part, of which there may be very many.
void ChooseGroups(const RegexTemplate& parts, Groups* groups) {
  const std::vector<int>& next = parts.next_of_name();
  for (size_t n = next.size(); n-- > 1;) {
    re2::StringPiece& group = (*groups)[n];
    if (group.data() == nullptr && next[n] != 0) group = (*groups)[static_cast<size_t>(next[n])];
  }
}

// `value` with the template `replacement` for each match. The size of the result is tested after each part, because a
// short text with many matches and a long template grows by their product. Joined parts may compose, so that the result
// is normalized again; without a match the argument is returned as it is.
Value ReplaceMatches(FunctionCall* call, const Value& value, const RegexPattern& pattern,
                     std::string_view replacement) {
  const std::string_view text = value.AsString();
  if (!call->Charge(replacement.size()) || !CanMake(call, replacement.size() / 2, 2 * sizeof(RegexTemplate::Part))) {
    return Value();
  }
  const RegexTemplate parts(replacement, pattern.re2());
  MatchFinder finder(call, pattern, text, parts.has_groups() ? GroupCount(pattern) : 1);
  if (finder.HasNone()) return call->failed() ? Value() : value;
  Groups by_name;
  std::string out;
  size_t done = 0;
  while (finder.Next()) {
    const size_t before = out.size();
    out.append(text.substr(done, finder.begin() - done));
    done = finder.end();
    if (parts.has_groups() && !parts.next_of_name().empty()) {
      by_name = finder.groups();
      ChooseGroups(parts, &by_name);
    }
    for (const RegexTemplate::Part& part : parts.parts()) {
      const Groups& groups = part.by_name && !by_name.empty() ? by_name : finder.groups();
      if (part.group < 0) {
        out.append(part.text);
      } else if (const re2::StringPiece& group = groups[static_cast<size_t>(part.group)]; !group.empty()) {
        out.append(group.data(), group.size());
      }
      if (!CanMake(call, out.size(), 1)) return Value();
    }
    if (!call->Charge(1 + parts.parts().size() / 4 + (out.size() - before) / 16)) return Value();
  }
  if (call->failed()) return Value();
  if (done == 0 && out.empty()) return value;
  out.append(text.substr(done));
  return CanMake(call, out.size(), 1) ? internal::NormalizedCopy(out, call) : Value();
}

Value RegexReplace(FunctionCall* call, absl::Span<const Value> arguments) {
  const CallPattern pattern(call, 1, arguments[1].AsString());
  if (call->failed()) return Value();
  return ReplaceMatches(call, arguments[0], *pattern, arguments[2].AsString());
}

// The pattern in `/pattern/`, or nothing for any other text. As `//` is more often meant as text, it is no pattern.
std::optional<std::string_view> BetweenSlashes(std::string_view text) {
  if (text.size() < 3 || text.front() != '/' || text.back() != '/') return std::nullopt;
  return text.substr(1, text.size() - 2);
}

Prepared PrepareReplace(FunctionCall* call, absl::Span<const Value* const> constants) {
  if (constants[1] == nullptr) return {};
  const std::optional<std::string_view> pattern = BetweenSlashes(constants[1]->AsString());
  return pattern ? Prepare(call, *pattern) : Prepared();
}

void CheckReplace(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[1].is_unknown()) return;
  const std::optional<std::string_view> text = BetweenSlashes(arguments[1].AsString());
  if (text) const CallPattern pattern(call, 1, *text);
}

Value Replace(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::optional<std::string_view> text = BetweenSlashes(arguments[1].AsString());
  if (!text) return internal::ReplaceText(call, arguments[0], arguments[1].AsString(), arguments[2].AsString());
  const CallPattern pattern(call, 1, *text);
  if (call->failed()) return Value();
  return ReplaceMatches(call, arguments[0], *pattern, arguments[2].AsString());
}

Function WithPrepare(Function function, PrepareArguments prepare) {
  function.prepare = prepare;
  return function;
}

}  // namespace

void RegisterRegexFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  const Parameter pattern = Param("pattern", string);
  const std::vector<Parameter> find = {pattern, Param("string", string)};
  const std::vector<Parameter> replace = {Param("str", string), pattern, Param("replace", string)};
  const std::vector<Parameter> replace_text = {Param("str", string), Param("substr", string), Param("replace", string)};
  Function regex = Charging(WithPrepare(Define("regex", find, RegexType, Regex), PreparePattern<0>));
  regex.succeeds = RegexSucceeds;
  regex.check = CheckPattern<0, true>;
  builder->Add(internal::KnownAs(Function::Special::kRegex, std::move(regex)));
  builder->Add(Checked(
      CheckPattern<0, true>,
      internal::KnownAs(Function::Special::kRegexAll,
                        Charging(WithPrepare(Define("regexall", find, RegexAllType, RegexAll), PreparePattern<0>)))));
  builder->Add(
      Checked(CheckPattern<1, false>,
              Charging(WithPrepare(Define("regex_match", {Param("str", string), pattern}, Type::Bool(), RegexMatch),
                                   PreparePattern<1>))));
  builder->Add(Checked(CheckPattern<1, false>,
                       WithPrepare(Define("regexreplace", replace, string, RegexReplace), PreparePattern<1>)));
  builder->Add(Checked(CheckReplace, WithPrepare(Define("replace", replace_text, string, Replace), PrepareReplace)));
}

}  // namespace hcl
