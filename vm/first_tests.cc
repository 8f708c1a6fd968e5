// FindFirstTests. Tested by tests/first_tests_test.cc.
//
// The chunk's code is run without values: registers hold paths. Fast code is made to be left wherever something is not
// as usual, and each instruction that could leave it adds a demand that keeps it from that. A test or a condition is
// gone through only where its jump leads to the end of the chunk with a constant that is not true: then whoever does
// not come to the next test has that value. So nothing is known here of what expressions mean; what code has to look at
// before it may end, such as the type of an operand behind `&&`, stands before the test, and is demanded.

#include "hclvm/vm/first_tests.h"

#include <optional>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/code_tests.h"
#include "hclvm/vm/guard_tags.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr uint32_t kAnyTags = ~(uint32_t{1} << static_cast<int>(Tag::kInternal));

bool HasTag(const Value& value, uint32_t tags) { return (tags >> static_cast<int>(TagOf(value)) & 1) != 0; }

class FirstTestFinder {
 public:
  FirstTestFinder(const ProgramTables& program, uint32_t chunk)
      : program_(program),
        pc_(program.chunks()[chunk].begin),
        reader_(program.code(), program.layout(), program.constants(), program.lookups()) {}

  FirstTests Run() && {
    for (size_t n = 0; n < kMaxFirstInstructions && (GoThroughTest() || GoThrough()); ++n) {
    }
    return std::move(found_);
  }

 private:
  // A test of a string. False, and nothing is done, where there is none.
  bool GoThroughTest() {
    const std::optional<CodeTest> test = reader_.At(pc_);
    if (!test || !EndsUntrue(test->next)) return false;
    const std::optional<TestedPath> subject = test->is_path ? PathOf(test->subject) : PathOfOperand(test->subject);
    if (!subject) return false;
    Add(*subject, test->parts);
    Demand(*subject, kStringTags);
    for (; pc_ < test->body; ++pc_) {
      const Instruction i = program_.InstructionAt(pc_);
      if (i.opcode() == Opcode::kLoadConst) registers_.erase(i.a());
    }
    pc_ = test->body;
    return true;
  }

  void Add(const TestedPath& subject, absl::Span<const CodeTest::Part> parts) {
    FirstTests::Test first{subject, {}, {}, found_.demands.size()};
    for (const CodeTest::Part& part : parts) {
      if (part.kind == CodeTest::Kind::kPrefix) {
        first.prefixes.push_back(part.constant->AsString());
      } else {
        const absl::Span<const Value> values = part.kind == CodeTest::Kind::kIn
                                                   ? program_.lookups()[part.lookup].members()
                                                   : absl::MakeSpan(part.constant, 1);
        first.values.insert(first.values.end(), values.begin(), values.end());
      }
    }
    found_.tests.push_back(std::move(first));
  }

  // A test by numbers and bools, or by these and strings.
  bool AddTest(const std::optional<TestedPath>& subject, const CodeTest::Part& part, uint32_t next) {
    if (!subject || !EndsUntrue(next)) return false;
    Add(*subject, {&part, 1});
    Demand(*subject, kScalarTags);
    return true;
  }

  // Null where the operand is no constant that is known: a path, or null.
  const Value* ScalarOf(uint16_t operand) const {
    if ((operand & kConstantBit) == 0) return nullptr;
    const Value& value = program_.constants()[operand & ~uint32_t{kConstantBit}];
    return HasTag(value, kScalarTags) ? &value : nullptr;
  }

  // `contains([...], path)` alone, for which there is no fast code.
  void AddContains(const Instruction& contains) {
    const Instruction end = program_.InstructionAt(pc_);
    const std::optional<TestedPath> subject = PathOfOperand(contains.b());
    if (!subject || end.opcode() != Opcode::kReturn || end.b() != contains.a()) return;
    Add(*subject, {{CodeTest::Kind::kIn, nullptr, contains.c()}});
  }

  // One instruction. False where what is behind it may not be reached, or nobody knows.
  bool GoThrough() {
    const Instruction i = program_.InstructionAt(pc_++);
    switch (i.opcode()) {
      case Opcode::kLoadPath:
      case Opcode::kFastLoad:
        return Put(i.a(), PathOf(i.x()), /*is_there=*/true);
      case Opcode::kFastFind:
        return Put(i.a(), PathOf(i.x()), /*is_there=*/false);
      case Opcode::kFastVarAttr:
        return Put(i.a(), Step(PathIn(i.b()), i.c()), /*is_there=*/true);
      case Opcode::kFastSeekVarAttr:
        return Put(i.a(), Step(PathIn(i.b()), i.c()), /*is_there=*/false);
      case Opcode::kFastAttr:
        return Put(i.a(), Step(PathOfOperand(i.b()), i.c()), /*is_there=*/true);
      case Opcode::kGuard:
        return DemandOf(i.a(), kPassingTags[i.b()], NothingPasses(i.b()));
      case Opcode::kIfTrue:
      case Opcode::kIfFalse:
        return DemandOf(i.a(), kBoolTags) && EndsUntrue(pc_ + i.c());
      case Opcode::kIfLess:
      case Opcode::kIfLessEqual:
        return DemandOf(i.a(), kNumberTags) && DemandOf(i.b(), kNumberTags) && EndsUntrue(pc_ + i.c());
      case Opcode::kIfNotIn:
        return AddTest(PathOfOperand(i.a()), {CodeTest::Kind::kIn, nullptr, i.b()}, pc_ + i.c());
      case Opcode::kIfPathNotIn:
        return AddTest(PathOf(i.a()), {CodeTest::Kind::kIn, nullptr, i.b()}, pc_ + i.c());
      case Opcode::kIfPathNotEqual:
        return ScalarOf(i.b()) != nullptr &&
               AddTest(PathOf(i.a()), {CodeTest::Kind::kEqual, ScalarOf(i.b()), 0}, pc_ + i.c());
      case Opcode::kIfNotEqual:
        if (ScalarOf(i.b()) != nullptr) {
          return AddTest(PathOfOperand(i.a()), {CodeTest::Kind::kEqual, ScalarOf(i.b()), 0}, pc_ + i.c());
        }
        ABSL_FALLTHROUGH_INTENDED;
      case Opcode::kIfEqual:
        return DemandOf(i.a(), kScalarTags) && DemandOf(i.b(), kScalarTags) && EndsUntrue(pc_ + i.c());
      case Opcode::kContains:
        AddContains(i);
        return false;
      default:
        return false;
    }
  }

  // Whether control ends there with a value that is known and not true.
  bool EndsUntrue(uint32_t pc) const {
    const Instruction i = program_.InstructionAt(pc);
    if (i.opcode() != Opcode::kReturn || (i.b() & kConstantBit) == 0) return false;
    const Value& value = program_.constants()[i.b() & ~uint32_t{kConstantBit}];
    return !value.is_true() && !value.is_unknown() && !value.is_marked();
  }

  // Of what is to be in a register. Where it must be there, that is demanded.
  bool Put(uint16_t reg, const std::optional<TestedPath>& path, bool is_there) {
    if (!path) return false;
    Demand(*path, kAnyTags, /*or_nothing=*/!is_there);
    registers_[reg] = *path;
    return true;
  }

  std::optional<TestedPath> PathOf(uint32_t index) const {
    const Path& path = program_.paths()[index];
    std::optional<TestedPath> found = PathIn(path.slot);
    for (const PathStep& step : program_.steps(path)) {
      if (!found || !step.key.is_string()) return std::nullopt;
      found->steps.push_back(step.key.AsString());
    }
    return found;
  }

  // None of a slot that no host knows.
  std::optional<TestedPath> PathIn(uint32_t slot) const {
    return slot < program_.variables().size() ? std::optional<TestedPath>({slot, {}}) : std::nullopt;
  }

  std::optional<TestedPath> Step(std::optional<TestedPath> path, uint16_t name) const {
    if (path) path->steps.push_back(program_.names()[name].AsString());
    return path;
  }

  std::optional<TestedPath> PathOfOperand(uint16_t operand) const {
    if ((operand & kConstantBit) != 0) return std::nullopt;
    if ((operand & kSlotBit) != 0) return PathIn(operand & ~uint32_t{kSlotBit});
    const auto found = registers_.find(operand);
    return found == registers_.end() ? std::nullopt : std::optional<TestedPath>(found->second);
  }

  void Demand(const TestedPath& path, uint32_t tags, bool or_nothing = false) {
    found_.demands.push_back({path, tags, or_nothing});
  }

  // A constant has its tag already.
  bool DemandOf(uint16_t operand, uint32_t tags, bool or_nothing = false) {
    if ((operand & kConstantBit) != 0) {
      return HasTag(program_.constants()[operand & ~uint32_t{kConstantBit}], tags);
    }
    const std::optional<TestedPath> path = PathOfOperand(operand);
    if (path) Demand(*path, tags, or_nothing);
    return path.has_value();
  }

  const ProgramTables& program_;
  uint32_t pc_;
  CodeTestReader reader_;
  HashMap<uint16_t, TestedPath> registers_;
  FirstTests found_;
};

}  // namespace

FirstTests FindFirstTests(const ProgramTables& program, uint32_t chunk) {
  return FirstTestFinder(program, chunk).Run();
}

}  // namespace hcl::internal
