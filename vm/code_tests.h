// CodeTest: a test of one string by constants, as it stands in code.
//
// The code of a condition tests a string by one or more instructions: some that go to what is behind the condition
// where they hold (`a || b`), and a last one that goes elsewhere where it does not. A constant that no operand reaches
// is loaded before; nobody reads its register but the test.
//
// Internal to the machine. Tested by tests/test_index_test.cc and tests/first_tests_test.cc.

#ifndef HCLVM_VM_CODE_TESTS_H_
#define HCLVM_VM_CODE_TESTS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/vm/frame_layout.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

struct CodeTest {
  enum class Kind : uint8_t { kEqual, kIn, kPrefix };
  // One instruction of it, and what it compares with.
  struct Part {
    Kind kind;
    const Value* constant;  // a string; null: the lookup set
    uint32_t lookup;
  };

  bool is_path = false;
  uint16_t subject = 0;  // what is tested: a path, or an operand of fast code
  uint32_t begin = 0;    // its first instruction
  uint32_t body = 0;     // where control goes where it holds
  uint32_t next = 0;     // and where it does not
  absl::InlinedVector<Part, 4> parts;

  bool HasSubjectOf(const CodeTest& other) const { return is_path == other.is_path && subject == other.subject; }
};

// Finds tests in code, which need not be verified. What is given must outlive it.
class CodeTestReader {
 public:
  // `layout`: that of the code.
  CodeTestReader(absl::Span<const Instruction> code, const FrameLayout& layout, absl::Span<const Value> constants,
                 absl::Span<const LookupSet> lookups)
      : code_(code), layout_(layout), constants_(constants), lookups_(lookups) {}

  // Whether it is the opcode of a part of a test.
  static constexpr bool IsPart(Opcode opcode) {
    return opcode == Opcode::kIfEqual || opcode == Opcode::kIfNotEqual ||
           (opcode >= Opcode::kIfIn && opcode <= Opcode::kIfNotPrefix) ||
           (opcode >= Opcode::kIfPathEqual && opcode <= Opcode::kIfPathNotPrefix);
  }
  // The test whose first instruction is at `pc`; none where there is something else. Time: constant, but for the first
  // look at a lookup set.
  std::optional<CodeTest> At(uint32_t pc);

  // Whether the lookup set has nothing but strings.
  bool HasStringsOnly(uint32_t lookup);

  // The strings that a part compares with: calls `use(text)` for each.
  template <typename Use>
  void ForTexts(const CodeTest::Part& part, const Use& use) const {
    if (part.kind != CodeTest::Kind::kIn) return use(part.constant->AsString());
    for (const Value& member : lookups_[part.lookup].members()) use(member.AsString());
  }

 private:
  // Null where there is none.
  const Value* ConstantAt(uint32_t index) const { return index < constants_.size() ? &constants_[index] : nullptr; }
  std::optional<CodeTest::Part> PartOf(CodeTest::Kind kind, uint16_t b, const Value* loaded, uint16_t loaded_into);
  absl::Span<const Instruction> code_;
  FrameLayout layout_;
  absl::Span<const Value> constants_;
  absl::Span<const LookupSet> lookups_;
  std::vector<std::optional<bool>> sets_;  // by lookup set
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_CODE_TESTS_H_
