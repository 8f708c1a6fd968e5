// AuthZEN's questions. Tested by serve/authzen_question_test.cc.
//
// Values are those that were read; an object is made anew only where it lacks something that has a default.

#include "hclvm/serve/authzen_question.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/serve/fixed_names.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr std::string_view kProperties = "properties";
constexpr std::string_view kSemantic = "evaluations_semantic";

// The members that a part must have, which are texts. Only the context has none, and no properties either.
struct Members {
  std::array<std::string_view, 2> names;
  size_t count;
};
constexpr std::array<Members, kAuthzenParts.size()> kRequired = {{
    {{"name"}, 1},
    {{}, 0},
    {{"id", "type"}, 2},
    {{"id", "type"}, 2},
}};

bool IsContext(size_t part) { return kRequired[part].count == 0; }

// A member, if it is there; null is as good as none.
const Value* Member(const Value& object, std::string_view name) {
  const int64_t at = object.shape().Find(name);
  if (at < 0) return nullptr;
  const Value& value = object.values()[static_cast<size_t>(at)];
  return value.is_null() ? nullptr : &value;
}

Value EmptyObject(Arena* arena) { return MakeObject(absl::Span<const KeyValue>(), arena); }

// The object with these members besides; they replace those of the same names.
Value With(const Value& object, absl::Span<const KeyValue> members, Arena* arena) {
  std::vector<KeyValue> pairs;
  pairs.reserve(object.size() + members.size());
  for (size_t n = 0; n < object.size(); ++n) pairs.push_back({object.shape().keys[n], object.values()[n]});
  pairs.insert(pairs.end(), members.begin(), members.end());
  return MakeObject(pairs, arena);
}

}  // namespace

Value AuthzenScope(const AuthzenParts& parts, Arena* arena) {
  std::array<KeyValue, kAuthzenParts.size()> pairs;
  for (size_t n = 0; n < pairs.size(); ++n) pairs[n] = {Value::StringView(kAuthzenParts[n]), parts[n]};
  static const FixedNames<kAuthzenParts.size()>& names = *new FixedNames<kAuthzenParts.size()>(pairs);
  return names.Object(pairs, arena);
}

std::string ExpectedAuthzen(std::string_view what, const Value& found) {
  const std::string kind = found.is_null() ? "null" : found.is_tuple() ? "array" : FriendlyName(found);
  return absl::StrCat("expected ", ToAbsl(what), ", found ", kind);
}

std::string AuthzenRequest::ReadBatch() {
  if (const Value* const options = Member(body_, "options")) {
    if (!options->is_object()) return absl::StrCat("options: ", ExpectedAuthzen("object", *options));
    if (const Value* const semantic = Member(*options, kSemantic)) {
      if (!semantic->is_string())
        return absl::StrCat("options.", ToAbsl(kSemantic), ": ", ExpectedAuthzen("string", *semantic));
      const std::string_view name = semantic->AsString();
      if (name == "deny_on_first_deny") {
        semantic_ = AuthzenSemantic::kDenyOnFirstDeny;
      } else if (name == "permit_on_first_permit") {
        semantic_ = AuthzenSemantic::kPermitOnFirstPermit;
      } else if (name != "execute_all") {
        return absl::StrCat("options.", ToAbsl(kSemantic),
                            ": expected execute_all, deny_on_first_deny or permit_on_first_permit, found \"",
                            ToAbsl(name.substr(0, 100)), "\"");
      }
    }
  }
  const Value* const evaluations = Member(body_, "evaluations");
  if (evaluations == nullptr) return "";
  if (!evaluations->is_tuple()) return absl::StrCat("evaluations: ", ExpectedAuthzen("array", *evaluations));
  evaluations_ = evaluations->elements();
  // A default that is no object is a fault of the whole request, also where no evaluation needs it.
  for (const std::string_view name : kAuthzenParts) {
    const Value* const given = Member(body_, name);
    if (given != nullptr && !given->is_object())
      return absl::StrCat(ToAbsl(name), ": ", ExpectedAuthzen("object", *given));
  }
  return "";
}

std::string AuthzenRequest::Question(const Value* evaluation, AuthzenParts* parts) {
  if (evaluation != nullptr && !evaluation->is_object()) return ExpectedAuthzen("object", *evaluation);
  for (size_t n = 0; n < parts->size(); ++n) {
    const Value* const given = evaluation == nullptr ? nullptr : Member(*evaluation, kAuthzenParts[n]);
    if (given == nullptr) {
      const Default& made = DefaultOf(n);
      if (!made.fault.empty()) return made.fault;
      (*parts)[n] = made.part;
      continue;
    }
    std::string fault = Complete(n, *given, Member(body_, kAuthzenParts[n]), &(*parts)[n]);
    if (!fault.empty()) return fault;
  }
  return "";
}

const AuthzenRequest::Default& AuthzenRequest::DefaultOf(size_t part) {
  Default& made = defaults_[part];
  if (made.is_made) return made;
  made.is_made = true;
  const Value* const given = Member(body_, kAuthzenParts[part]);
  if (given != nullptr) {
    made.fault = Complete(part, *given, nullptr, &made.part);
  } else if (IsContext(part)) {
    made.part = EmptyObject(arena_);
  } else {
    made.fault = absl::StrCat(ToAbsl(kAuthzenParts[part]), " is missing");
  }
  return made;
}

// An evaluation's part takes the place of the request's as a whole, but for required members that it lacks: without
// them there would be no question.
std::string AuthzenRequest::Complete(size_t part, const Value& given, const Value* otherwise, Value* made) {
  const std::string_view name = kAuthzenParts[part];
  if (!given.is_object()) return absl::StrCat(ToAbsl(name), ": ", ExpectedAuthzen("object", given));
  *made = given;
  if (IsContext(part)) return "";
  std::array<KeyValue, 3> added;
  size_t count = 0;
  const Members& required = kRequired[part];
  for (size_t n = 0; n < required.count; ++n) {
    const std::string_view member = required.names[n];
    const Value* value = Member(given, member);
    if (value == nullptr && otherwise != nullptr) {
      value = Member(*otherwise, member);
      if (value != nullptr) added[count++] = {Value::StringView(member), *value};
    }
    if (value == nullptr) return absl::StrCat(ToAbsl(name), ".", ToAbsl(member), " is missing");
    if (!value->is_string()) {
      return absl::StrCat(ToAbsl(name), ".", ToAbsl(member), ": ", ExpectedAuthzen("string", *value));
    }
  }
  const Value* const properties = Member(given, kProperties);
  if (properties == nullptr) {
    added[count++] = {Value::StringView(kProperties), EmptyObject(arena_)};
  } else if (!properties->is_object()) {
    return absl::StrCat(ToAbsl(name), ".properties: ", ExpectedAuthzen("object", *properties));
  }
  if (count > 0) *made = With(given, absl::MakeConstSpan(added).first(count), arena_);
  return "";
}

}  // namespace hcl::serve
