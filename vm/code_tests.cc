// CodeTestReader. Tested as vm/code_tests.h says.

#include "hclvm/vm/code_tests.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hcl::internal {
namespace {

// Instructions of one test.
constexpr size_t kMaxParts = 64;

struct Form {
  CodeTest::Kind kind;
  bool is_path;
  bool jumps_if_true;
};

std::optional<Form> FormOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kIfEqual:
      return Form{CodeTest::Kind::kEqual, false, true};
    case Opcode::kIfNotEqual:
      return Form{CodeTest::Kind::kEqual, false, false};
    case Opcode::kIfIn:
      return Form{CodeTest::Kind::kIn, false, true};
    case Opcode::kIfNotIn:
      return Form{CodeTest::Kind::kIn, false, false};
    case Opcode::kIfPrefix:
      return Form{CodeTest::Kind::kPrefix, false, true};
    case Opcode::kIfNotPrefix:
      return Form{CodeTest::Kind::kPrefix, false, false};
    case Opcode::kIfPathEqual:
      return Form{CodeTest::Kind::kEqual, true, true};
    case Opcode::kIfPathNotEqual:
      return Form{CodeTest::Kind::kEqual, true, false};
    case Opcode::kIfPathIn:
      return Form{CodeTest::Kind::kIn, true, true};
    case Opcode::kIfPathNotIn:
      return Form{CodeTest::Kind::kIn, true, false};
    case Opcode::kIfPathPrefix:
      return Form{CodeTest::Kind::kPrefix, true, true};
    case Opcode::kIfPathNotPrefix:
      return Form{CodeTest::Kind::kPrefix, true, false};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<CodeTest> CodeTestReader::At(uint32_t pc) {
  CodeTest test;
  test.begin = pc;
  std::optional<uint32_t> when_true;
  for (size_t n = 0; n < kMaxParts && pc < code_.size(); ++n, ++pc) {
    const Value* loaded = nullptr;
    uint16_t loaded_into = 0;
    if (code_[pc].opcode() == Opcode::kLoadConst) {
      loaded = ConstantAt(code_[pc].x());
      loaded_into = layout_.Emitted(code_[pc]).a();
      if (++pc == code_.size()) break;
    }
    const std::optional<Form> form = FormOf(code_[pc].opcode());
    if (!form) break;
    const Instruction i = layout_.Emitted(code_[pc]);
    const bool is_first = test.parts.empty();
    if (is_first) test.is_path = form->is_path, test.subject = i.a();
    if (form->is_path != test.is_path || i.a() != test.subject) break;
    const std::optional<CodeTest::Part> part = PartOf(form->kind, i.b(), loaded, loaded_into);
    // What is loaded is for the test alone.
    const bool is_apart =
        loaded == nullptr || (part && part->constant == loaded && (form->is_path || i.a() != loaded_into));
    if (!part || !is_apart) break;
    test.parts.push_back(*part);
    const uint32_t target = pc + 1 + i.c();
    if (!form->jumps_if_true) {
      test.body = pc + 1;
      test.next = target;
      return when_true.value_or(test.body) == test.body ? std::optional<CodeTest>(std::move(test)) : std::nullopt;
    }
    if (when_true.value_or(target) != target) break;
    when_true = target;
  }
  return std::nullopt;
}

// The part that compares with operand `b`, if that is a string, or a set of nothing else.
std::optional<CodeTest::Part> CodeTestReader::PartOf(CodeTest::Kind kind, uint16_t b, const Value* loaded,
                                                     uint16_t loaded_into) {
  if (kind == CodeTest::Kind::kIn) {
    return b < lookups_.size() && HasStringsOnly(b) ? std::optional<CodeTest::Part>({kind, nullptr, b}) : std::nullopt;
  }
  const Value* const constant = (b & kConstantBit) != 0                 ? ConstantAt(b & ~uint32_t{kConstantBit})
                                : loaded != nullptr && b == loaded_into ? loaded
                                                                        : nullptr;
  if (constant == nullptr || !constant->is_string()) return std::nullopt;
  return CodeTest::Part{kind, constant, 0};
}

// Sets can be large, and are asked often.
bool CodeTestReader::HasStringsOnly(uint32_t lookup) {
  sets_.resize(lookups_.size());
  if (!sets_[lookup]) {
    const absl::Span<const Value> members = lookups_[lookup].members();
    sets_[lookup] = std::all_of(members.begin(), members.end(), [](const Value& member) { return member.is_string(); });
  }
  return *sets_[lookup];
}

}  // namespace hcl::internal
