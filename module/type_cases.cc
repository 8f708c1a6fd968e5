// Examples of types. Recursion follows the depth of types, and stops at kMaxDepth. Tested by
// module/type_checker_test.cc and tests/slow/check_types_law_test.cc.
//
// Rules for types look at kinds, at lengths, at names and at what parts unify to. So the examples of a loop's result
// are a list, and tuples of no, one and two elements and of as many as an operand beside it has.

#include "hclvm/module/type_cases.h"

#include <algorithm>
#include <utility>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

constexpr int kMaxDepth = 6;
constexpr uint32_t kMaxSize = 200;  // of a type of which there are several examples
constexpr size_t kMaxCases = 24;    // of one type
constexpr size_t kMaxParts = 8;     // of a tuple or an object, beside those of all parts
constexpr size_t kMaxTries = 100;   // of one operation
constexpr size_t kMaxLengths = 3;   // of interest, beside the shortest
constexpr size_t kMaxLength = 100;  // of interest
constexpr size_t kMaxNames = 3;
constexpr size_t kMaxElements = 3;  // types of elements, of one tuple or object that a loop makes

// The name of an attribute that an open object may have.
constexpr std::string_view kOther = "other";

}  // namespace

void TypeCases::NoteParts(const StaticType& type, int depth) {
  if (depth == kMaxDepth || type.size > kMaxSize) return;
  if (type.kind == StaticKind::kTuple) {
    const size_t length = type.parts.size();
    const bool is_new = std::find(lengths_.begin(), lengths_.end(), length) == lengths_.end();
    if (is_new && length > 2 && length <= kMaxLength && lengths_.size() < kMaxLengths) lengths_.push_back(length);
  }
  for (const std::string_view name : type.names) {
    const bool is_new = std::find(names_.begin(), names_.end(), name) == names_.end();
    if (is_new && names_.size() < kMaxNames) names_.push_back(name);
  }
  const bool is_new = std::find(names_.begin(), names_.end(), kOther) == names_.end();
  if (type.is_open && is_new) names_.push_back(kOther);
  if (type.element != nullptr) NoteParts(*type.element, depth + 1);
  constexpr size_t kMaxNoted = 8;
  for (const StaticType* part : type.parts.subspan(0, kMaxNoted)) NoteParts(*part, depth + 1);
}

void TypeCases::Begin(absl::Span<const StaticType* const> operands) {
  lengths_.clear();
  names_.clear();
  operands_.clear();
  for (const StaticType* operand : operands) NoteParts(*operand, 0);
  for (const StaticType* operand : operands) operands_.push_back(CasesOf(*operand, 0));
}

Type TypeCases::ObjectOf(absl::Span<const std::string_view> names, absl::Span<const Type> parts) {
  std::vector<Value> keys;
  for (const std::string_view name : names) keys.push_back(Value::StringView(name));
  return table_.Object(*table_.InternShape(keys), parts);
}

// Tuples that a loop makes: their elements are of one type, or of several.
void TypeCases::AddTuples(const Types& elements, Types* cases) {
  cases->push_back(table_.Tuple({}));
  std::vector<size_t> lengths = lengths_;
  lengths.insert(lengths.begin(), {1, 2});
  for (const Type& element : absl::MakeSpan(elements).subspan(0, kMaxElements)) {
    for (const size_t length : lengths) cases->push_back(table_.Tuple(Types(length, element)));
  }
  if (elements.size() > 1) cases->push_back(table_.Tuple({elements[0], elements[1]}));
  if (elements.size() > 2) cases->push_back(table_.Tuple({elements[1], elements.back()}));
}

void TypeCases::AddObjects(const Types& elements, Types* cases) {
  cases->push_back(ObjectOf({}, {}));
  std::vector<std::string_view> names = names_;
  if (names.empty()) names = {"a"};
  std::sort(names.begin(), names.end());
  for (const Type& element : absl::MakeSpan(elements).subspan(0, kMaxElements)) {
    for (size_t count = 1; count <= names.size(); ++count) {
      cases->push_back(ObjectOf(absl::MakeSpan(names).first(count), Types(count, element)));
    }
  }
}

// Where a collection is wanted, values decide what parts of several types become: both that it may be.
void TypeCases::AddUnified(const Types& parts, const StaticType& type, Types* cases) {
  Unification unified;
  if (parts.size() < 2 || !Unification::Of(parts, &heap_, &unified) || unified.is_settled()) return;
  for (const Type part : {unified.preferred(), unified.collections()}) {
    const Types of_parts(parts.size(), part);
    cases->push_back(type.kind == StaticKind::kTuple ? table_.Tuple(of_parts) : ObjectOf(type.names, of_parts));
  }
}

// One part after the other is varied, and the others stay as in the first example. In the last one nothing is known of
// what is varied, so that what fails for it fails for all combinations.
TypeCases::Types TypeCases::CasesOfParts(const StaticType& type, int depth) {
  std::vector<Types> parts;
  Types first;
  size_t varied = 0;
  for (const StaticType* part : type.parts) {
    parts.push_back(CasesOf(*part, depth + 1));
    first.push_back(parts.back()[0]);
    varied += parts.back().size() > 1 ? 1 : 0;
  }
  const auto make = [&](const Types& of_parts) {
    return type.kind == StaticKind::kTuple ? table_.Tuple(of_parts) : ObjectOf(type.names, of_parts);
  };
  Types cases = {make(first)};
  for (size_t n = 0; n < parts.size() && cases.size() < kMaxParts; ++n) {
    Types other = first;
    for (size_t at = 1; at < parts[n].size() && cases.size() < kMaxParts; ++at) {
      other[n] = parts[n][at];
      cases.push_back(make(other));
    }
  }
  if (varied > 1) {
    Types open = first;
    for (size_t n = 0; n < parts.size(); ++n) open[n] = parts[n].size() > 1 ? Type::Dynamic() : first[n];
    cases.push_back(make(open));
  }
  AddUnified(first, type, &cases);
  if (type.is_open) {
    // An attribute that only one of two joined objects has; an operand beside it may have one of the same name.
    for (const std::string_view extra : names_) {
      if (type.Find(extra) != nullptr) continue;
      std::vector<std::string_view> names(type.names.begin(), type.names.end());
      const auto place = std::upper_bound(names.begin(), names.end(), extra) - names.begin();
      names.insert(names.begin() + place, extra);
      for (const Type other : {Type::Dynamic(), Type::Bool(), table_.Tuple({})}) {
        Types others = first;
        others.insert(others.begin() + place, other);
        cases.push_back(ObjectOf(names, others));
      }
    }
    // The reference makes a map of two objects with different attributes.
    if (heap_.dialect() == Dialect::kHashiCorp) {
      cases.push_back(table_.Map(first.empty() ? Type::Dynamic() : first[0]));
      cases.push_back(table_.Map(Type::String()));
    }
  }
  return cases;
}

TypeCases::Types TypeCases::CasesOf(const StaticType& type, int depth) {
  if (depth == kMaxDepth) return {Type::Dynamic()};
  // One of many parts has been made a type before.
  if (type.size > kMaxSize) return {types_.ToType(type), Type::Dynamic()};
  Types cases;
  switch (type.kind) {
    case StaticKind::kAny:
      return {Type::Dynamic(), Type::Bool(), Type::String(), table_.Tuple({}), ObjectOf({}, {})};
    case StaticKind::kSilent:
    case StaticKind::kNull:
    case StaticKind::kCapsule:
      return {Type::Dynamic()};
    case StaticKind::kBool:
      cases = {Type::Bool()};
      break;
    case StaticKind::kNumber:
      cases = {Type::Number()};
      break;
    case StaticKind::kString:
      cases = {Type::String()};
      if (type.may_be_number) cases.push_back(Type::Number());
      if (type.may_be_bool) cases.push_back(Type::Bool());
      break;
    case StaticKind::kList:
    case StaticKind::kSet:
    case StaticKind::kMap: {
      // What has no elements of a type that is known has none.
      const bool is_empty = type.element->kind == StaticKind::kSilent;
      const Types elements = CasesOf(*type.element, depth + 1);
      const TypeKind kind = type.kind == StaticKind::kList  ? TypeKind::kList
                            : type.kind == StaticKind::kSet ? TypeKind::kSet
                                                            : TypeKind::kMap;
      cases.push_back(table_.Collection(kind, elements[0]));
      if (type.kind == StaticKind::kList && !type.is_exact) AddTuples(is_empty ? Types() : elements, &cases);
      if (type.kind == StaticKind::kMap && !type.is_exact) AddObjects(is_empty ? Types() : elements, &cases);
      for (size_t n = 1; n < elements.size(); ++n) cases.push_back(table_.Collection(kind, elements[n]));
      break;
    }
    case StaticKind::kTuple:
    case StaticKind::kObject:
      cases = CasesOfParts(type, depth);
      break;
  }
  // A null in something else becomes one of any type.
  if (depth > 0 && type.nullable) cases.push_back(Type::Dynamic());
  if (cases.size() > kMaxCases) {
    cases.resize(kMaxCases);
    cases.push_back(Type::Dynamic());
  }
  return cases;
}

// All combinations where these are few; otherwise each operand is varied by itself.
Outcome TypeCases::Try(bool asks_all, absl::FunctionRef<bool(absl::Span<const Type>)> try_types) const {
  size_t combinations = 1;
  for (const Types& cases : operands_) {
    combinations = combinations > kMaxTries ? combinations : combinations * cases.size();
  }
  bool has_failed = false, has_succeeded = false;
  const auto is_decided = [&](const Types& types) {
    (try_types(types) ? has_succeeded : has_failed) = true;
    return has_succeeded && (has_failed || !asks_all);
  };
  Types types;
  for (const Types& cases : operands_) types.push_back(cases[0]);
  if (combinations <= kMaxTries) {
    for (size_t n = 0; n < combinations; ++n) {
      size_t rest = n;
      for (size_t at = 0; at < operands_.size(); ++at) {
        types[at] = operands_[at][rest % operands_[at].size()];
        rest /= operands_[at].size();
      }
      if (is_decided(types)) break;
    }
  } else if (!is_decided(types)) {
    size_t left = kMaxTries;
    for (size_t at = 0; at < operands_.size() && left > 0; ++at) {
      for (size_t n = 1; n < operands_[at].size() && left > 0; ++n, --left) {
        types[at] = operands_[at][n];
        if (is_decided(types)) left = 1;
      }
      types[at] = operands_[at][0];
    }
  }
  if (!has_failed || (has_succeeded && !asks_all)) return Outcome::kFits;
  if (!has_succeeded && combinations <= kMaxTries) return Outcome::kFails;
  return asks_all ? Outcome::kMayFail : Outcome::kFits;
}

}  // namespace hcl::internal
