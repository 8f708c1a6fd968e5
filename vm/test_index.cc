// IndexTests. Tested by tests/test_index_test.cc.
//
// The code of a table of rules, or of a chain of conditionals, tests rule after rule: where a test does not hold, it
// jumps to the next one. As nothing is between the jump and the next test, whoever comes to one of them does what a
// look into a table of all that follow says, whatever the code was made of. So this is done to the code, and not where
// it is made: one place for all expressions. An instruction is replaced by one of its size, and nothing moves.
//
// A test can be several instructions: some that go to the body of the rule where they hold (`a || b`), and a last one
// that goes to the next rule where it does not. A constant that no operand reaches is loaded before; nobody reads its
// register but the test.

#include "hclvm/vm/test_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"

namespace hcl::internal {
namespace {

// As many tests take about as long as a look.
constexpr size_t kMinTests = 8;
// Instructions of one test.
constexpr size_t kMaxParts = 64;

enum class Kind : uint8_t { kEqual, kIn, kPrefix };

struct Form {
  Kind kind;
  bool is_path;
  bool jumps_if_true;
};

std::optional<Form> FormOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kIfEqual:
      return Form{Kind::kEqual, false, true};
    case Opcode::kIfNotEqual:
      return Form{Kind::kEqual, false, false};
    case Opcode::kIfIn:
      return Form{Kind::kIn, false, true};
    case Opcode::kIfNotIn:
      return Form{Kind::kIn, false, false};
    case Opcode::kIfPrefix:
      return Form{Kind::kPrefix, false, true};
    case Opcode::kIfNotPrefix:
      return Form{Kind::kPrefix, false, false};
    case Opcode::kIfPathEqual:
      return Form{Kind::kEqual, true, true};
    case Opcode::kIfPathNotEqual:
      return Form{Kind::kEqual, true, false};
    case Opcode::kIfPathIn:
      return Form{Kind::kIn, true, true};
    case Opcode::kIfPathNotIn:
      return Form{Kind::kIn, true, false};
    case Opcode::kIfPathPrefix:
      return Form{Kind::kPrefix, true, true};
    case Opcode::kIfPathNotPrefix:
      return Form{Kind::kPrefix, true, false};
    default:
      return std::nullopt;
  }
}

// One instruction of a test, and what it compares with.
struct Part {
  Kind kind;
  const Value* constant;  // a string; null: the lookup set
  uint32_t lookup;
};

struct Test {
  bool is_path = false;
  uint16_t subject = 0;
  uint32_t begin = 0;  // its first instruction
  uint32_t body = 0;   // where control goes where it holds
  uint32_t next = 0;   // and where it does not
  absl::InlinedVector<Part, 4> parts;

  bool HasSubjectOf(const Test& other) const { return is_path == other.is_path && subject == other.subject; }
};

class TestIndexer {
 public:
  TestIndexer(absl::Span<Instruction> code, absl::Span<const Value> constants, absl::Span<const LookupSet> lookups)
      : code_(code), constants_(constants), lookups_(lookups) {}

  // What is replaced is no test any more, so that each is in one table. Of a run that is too short, which are few
  // tests, the second one may still begin a longer one; of others, none is looked at again.
  TestTables Run() && {
    std::vector<Test> run;
    for (uint32_t pc = 0; pc < code_.size() && made_.places.size() <= UINT16_MAX; ++pc) {
      run.clear();
      for (uint32_t next = pc; !IsSeen(next);) {
        std::optional<Test> test = TestAt(next);
        if (!test || (!run.empty() && !test->HasSubjectOf(run[0]))) break;
        next = test->next;
        run.push_back(*std::move(test));
      }
      if (run.size() < kMinTests) continue;
      seen_.resize(code_.size());
      for (const Test& test : run) seen_[test.begin] = true;
      for (absl::Span<const Test> rest = run; rest.size() >= kMinTests;) rest.remove_prefix(Replace(rest));
    }
    return std::move(made_);
  }

 private:
  // The test whose first instruction is at `pc`.
  std::optional<Test> TestAt(uint32_t pc) {
    Test test;
    test.begin = pc;
    std::optional<uint32_t> when_true;
    for (size_t n = 0; n < kMaxParts && pc < code_.size(); ++n, ++pc) {
      const Value* loaded = nullptr;
      uint16_t loaded_into = 0;
      if (code_[pc].opcode() == Opcode::kLoadConst) {
        loaded = ConstantAt(code_[pc].x());
        loaded_into = code_[pc].a();
        if (++pc == code_.size()) break;
      }
      const Instruction& i = code_[pc];
      const std::optional<Form> form = FormOf(i.opcode());
      if (!form) break;
      const bool is_first = test.parts.empty();
      if (is_first) test.is_path = form->is_path, test.subject = i.a();
      if (form->is_path != test.is_path || i.a() != test.subject) break;
      const std::optional<Part> part = PartOf(form->kind, i.b(), loaded, loaded_into);
      // What is loaded is for the test alone.
      const bool is_apart =
          loaded == nullptr || (part && part->constant == loaded && (form->is_path || i.a() != loaded_into));
      if (!part || !is_apart) break;
      test.parts.push_back(*part);
      const uint32_t target = pc + 1 + i.c();
      if (!form->jumps_if_true) {
        test.body = pc + 1;
        test.next = target;
        return when_true.value_or(test.body) == test.body ? std::optional<Test>(std::move(test)) : std::nullopt;
      }
      if (when_true.value_or(target) != target) break;
      when_true = target;
    }
    return std::nullopt;
  }

  // Null where there is none: the code is not verified yet.
  const Value* ConstantAt(uint32_t index) const { return index < constants_.size() ? &constants_[index] : nullptr; }

  // The part that compares with operand `b`, if that is a string, or a set of nothing else.
  std::optional<Part> PartOf(Kind kind, uint16_t b, const Value* loaded, uint16_t loaded_into) {
    if (kind == Kind::kIn) {
      return b < lookups_.size() && HasStringsOnly(b) ? std::optional<Part>({kind, nullptr, b}) : std::nullopt;
    }
    const Value* const constant = (b & kConstantBit) != 0                 ? ConstantAt(b & ~uint32_t{kConstantBit})
                                  : loaded != nullptr && b == loaded_into ? loaded
                                                                          : nullptr;
    if (constant == nullptr || !constant->is_string()) return std::nullopt;
    return Part{kind, constant, 0};
  }

  // Makes a table of the first tests, as far as operands reach, and prefixes of not too many lengths. Returns how many
  // these are, at least one: there are no tables of few.
  size_t Replace(absl::Span<const Test> run) {
    TestTable table;
    const size_t room = UINT16_MAX + size_t{1} - made_.places.size();
    if (room < kMinTests) return run.size();
    size_t size = 0;
    while (size < run.size() && size < room && Add(run[size], &table)) ++size;
    if (size < kMinTests) return size + 1;
    table.Finish(run[size - 1].next);
    const auto index = static_cast<uint32_t>(made_.tables.size());
    for (uint32_t n = 0; n < size; ++n) {
      const Test& test = run[n];
      const auto place = static_cast<uint16_t>(made_.places.size());
      made_.places.push_back({index, n});
      code_[test.begin] = Instruction(test.is_path ? Opcode::kFindPathTest : Opcode::kFindTest, test.subject, place,
                                      static_cast<uint16_t>(test.body - test.begin - 1));
    }
    made_.tables.push_back(std::move(table));
    return size;
  }

  // False where the prefixes have too many lengths.
  bool Add(const Test& test, TestTable* table) const {
    std::vector<std::string_view> prefixes;
    for (const Part& part : test.parts) {
      if (part.kind == Kind::kPrefix) prefixes.push_back(part.constant->AsString());
    }
    if (!table->TakesPrefixes(prefixes)) return false;
    table->BeginTest(test.body);
    for (const std::string_view prefix : prefixes) table->AddPrefix(prefix);
    for (const Part& part : test.parts) {
      if (part.kind == Kind::kEqual) table->AddText(part.constant->AsString());
      if (part.kind != Kind::kIn) continue;
      for (const Value& member : lookups_[part.lookup].members()) table->AddText(member.AsString());
    }
    return true;
  }

  bool IsSeen(uint32_t pc) const { return pc < seen_.size() && seen_[pc]; }

  // Whether the set has nothing but strings. Sets can be large, and are asked often.
  bool HasStringsOnly(uint32_t lookup) {
    sets_.resize(lookups_.size());
    if (!sets_[lookup]) {
      const absl::Span<const Value> members = lookups_[lookup].members();
      sets_[lookup] =
          std::all_of(members.begin(), members.end(), [](const Value& member) { return member.is_string(); });
    }
    return *sets_[lookup];
  }

  absl::Span<Instruction> code_;
  absl::Span<const Value> constants_;
  absl::Span<const LookupSet> lookups_;
  TestTables made_;
  std::vector<bool> seen_;                 // by code offset: first instructions of tests
  std::vector<std::optional<bool>> sets_;  // by lookup set
};

}  // namespace

TestTables IndexTests(absl::Span<Instruction> code, absl::Span<const Value> constants,
                      absl::Span<const LookupSet> lookups) {
  return TestIndexer(code, constants, lookups).Run();
}

}  // namespace hcl::internal
