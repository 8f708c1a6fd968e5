// The law of looking for the true one in a set of policies (SetEvaluator::FindTrue): it is the first, in the order of
// ids, whose run gives `true`, a failure, or a value that is not known, whatever was skipped to find it.
//
// Random policies of the forms that are looked up and of forms that are not, over scopes in which what they test is
// there, is of another kind, is null, unknown or marked, or is missing; with changes of the set between.
//
// The same ones every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kSets = 60;
constexpr int kScopes = 60;

const std::vector<std::string> kTexts = {
    "/",      "/a", "/a/b",   "/a/c",
    "/b",     "/c", "/d/e/f", "",
    "GET",    "1",  "true",   "/a-path-that-is-longer-than-what-a-value-holds-itself/0123456789-0123456789-x",
    "/\u00e9"};
const std::vector<std::string> kPaths = {"path", "r.path", "r.user.name", "r.user.team", "role"};

std::string Quoted(const std::string& text) { return absl::StrCat("\"", text, "\""); }

std::string Text(Dice* dice) { return Quoted(dice->Pick(kTexts)); }

std::string StringTest(Dice* dice, const std::string& path) {
  switch (dice->Roll(8)) {
    case 0:
      return absl::StrCat("startswith(", path, ", ", Text(dice), ")");
    case 1:
      return absl::StrCat("contains([", Text(dice), ", ", Text(dice), "], ", path, ")");
    case 2:
      return absl::StrCat(path, " == ", dice->Roll(6));
    case 3:
      return absl::StrCat("contains([", Text(dice), ", ", dice->Roll(6), "], ", path, ")");
    case 4:
      return absl::StrCat("(", path, " == ", Text(dice), " || startswith(", path, ", ", Text(dice), "))");
    default:
      return absl::StrCat(path, " == ", Text(dice));
  }
}

std::string Condition(Dice* dice) {
  switch (dice->Roll(13)) {
    case 0:
      return "level > 3";
    case 1:
      return "r.user.admin";
    case 2:
      return "!r.blocked";
    case 3:
      return absl::StrCat(dice->Pick(kPaths), " != ", Text(dice));
    case 4:
      return "role == r.user.name";
    case 5:
      return "level == 5";
    case 6:
      return "r.tags[0] == \"/a\"";
    case 7:
      return "try(r.user.team, \"/\") == \"/a\"";
    case 8:
      return "upper(role) == \"GET\"";
    case 9: {
      // Of which one branch may be no bool.
      const char* const kOthers[] = {"false", "true", "null", "3", "\"no\"", "r.user.admin"};
      return absl::StrCat("(", StringTest(dice, dice->Pick(kPaths)), " ? level > 2 : ", kOthers[dice->Roll(6)], ")");
    }
    default:
      return StringTest(dice, dice->Pick(kPaths));
  }
}

// Mostly tests under `&&`.
std::string Policy(Dice* dice) {
  std::string text = dice->Roll(4) == 0 ? Condition(dice) : StringTest(dice, dice->Pick(kPaths));
  for (uint32_t n = dice->Roll(4); n > 0; --n) absl::StrAppend(&text, " && ", Condition(dice));
  switch (dice->Roll(12)) {
    case 0:
      return absl::StrCat(text, " || ", Condition(dice));
    case 1:
      return absl::StrCat(text, " ? level > 2 : false");
    case 2:
      return absl::StrCat(text, " ? role : \"none\"");
    default:
      return text;
  }
}

class Scopes {
 public:
  Scopes(Heap* heap, Dice* dice) : heap_(heap), dice_(dice) {}

  // Texts for the most part, and all else that may be there.
  Value Any() {
    switch (dice_->Roll(24)) {
      case 7:
      case 0:
        return Value::Int(dice_->Roll(8));
      case 1:
        return Value::Null(Type::String());
      case 2:
        return Value::Null();
      case 3:
        return Value::Unknown(Type::String());
      case 4:
        return Value::Dynamic();
      case 5:
        return Mark(Value::String(dice_->Pick(kTexts), heap_->arena()), 1, heap_->arena());
      case 6:
        return Value::Bool(true);
      default:
        return Value::String(dice_->Pick(kTexts), heap_->arena());
    }
  }
  Value Flag() { return dice_->Roll(8) == 0 ? Any() : Value::Bool(dice_->Roll(2) == 0); }
  // Names in order; each may be missing, and the whole may be something else.
  Value Object(const std::vector<std::pair<std::string, Value>>& items, uint32_t odd) {
    if (dice_->Roll(odd) == 0) return Any();
    std::vector<Value> keys, values;
    for (const auto& [name, value] : items) {
      if (dice_->Roll(odd) == 0) continue;
      keys.push_back(Value::String(name, heap_->arena()));
      values.push_back(value);
    }
    return MakeObject(MakeShape(keys, heap_->arena()), values, heap_->arena());
  }
  Value Tags() {
    const Value items[] = {Any(), Any()};
    return MakeTuple(items, heap_->arena());
  }
  Value Next() {
    const Value user = Object({{"admin", Flag()}, {"name", Any()}, {"team", Any()}}, 12);
    const Value r = Object({{"blocked", Flag()}, {"path", Any()}, {"tags", Tags()}, {"user", user}}, 12);
    const Value level = dice_->Roll(8) == 0 ? Any() : Value::Int(dice_->Roll(8));
    Value scope;
    do scope = Object({{"level", level}, {"path", Any()}, {"r", r}, {"role", Any()}}, 20);
    while (!scope.is_mapping());
    return scope;
  }

 private:
  Heap* heap_;
  Dice* dice_;
};

// What FindTrue() is, by its definition.
std::optional<ProgramSet::Id> FirstOf(SetEvaluator* evaluator, bool* is_true) {
  std::optional<ProgramSet::Id> first;
  *is_true = false;
  evaluator->RunAll([&](ProgramSet::Id id, const Evaluation& evaluation) {
    const Value& bare = evaluation.value().unmarked();
    *is_true = evaluation.ok() && bare.is_true();
    if (*is_true || !evaluation.ok() || bare.is_unknown()) first = id;
    return !first.has_value();
  });
  return first;
}

void Change(ProgramSet* set, Dice* dice, uint32_t names) {
  Diagnostics diagnostics;
  const std::string name = absl::StrCat("p", dice->Roll(names));
  if (dice->Roll(4) == 0) {
    set->Remove(name);
  } else {
    set->Put(name, Policy(dice), &diagnostics);
  }
}

class SetSearchLawTest : public ::testing::TestWithParam<Dialect> {};

TEST_P(SetSearchLawTest, TheFirstThatMightBeTrueIsFound) {
  const uint64_t sets = TestPrograms(kSets);
  CompileOptions options;
  options.functions = StandardFunctions();
  options.dialect = GetParam();
  uint64_t found = 0, late = 0, none = 0;
  for (uint64_t n = 0; n < sets; ++n) {
    Dice dice(TestSeed() * 1'000'003 + n);
    const auto set = std::make_shared<ProgramSet>(options);
    const uint32_t names = 20 + dice.Roll(500);
    for (uint32_t put = 0; put < names; ++put) Change(set.get(), &dice, names);
    SetEvaluator searching(set);
    SetEvaluator running(set);
    Heap heap(nullptr, GetParam());
    for (int round = 0; round < kScopes; ++round) {
      heap.Reset();
      const Value scope = Scopes(&heap, &dice).Next();
      searching.Update(), running.Update();
      searching.BindAll(scope), running.BindAll(scope);
      const SetEvaluator::Match match = searching.FindTrue();
      bool is_true = false;
      const std::optional<ProgramSet::Id> want = FirstOf(&running, &is_true);
      ASSERT_EQ(match.id, want) << "set " << n << ", scope " << round << ": "
                                << (want ? running.SourceOf(*want)->text() : "none");
      ASSERT_EQ(match.is_true, is_true);
      ++(want ? found : none);
      if (want && *want > 10) ++late;
      for (uint32_t change = dice.Roll(3); change > 0; --change) Change(set.get(), &dice, names);
    }
  }
  EXPECT_GT(found, sets);
  EXPECT_GT(late, sets);
}

INSTANTIATE_TEST_SUITE_P(Dialects, SetSearchLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
