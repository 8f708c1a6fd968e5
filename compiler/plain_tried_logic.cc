// PlainGenerator: logical operators in what try and can are given. Tested by compiler/plain_attempts_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

namespace {

// Regions after whose failures nothing goes on but general code.
constexpr size_t kNowhere = 0;
// The place where the first operand, a read, is no bool: it may be null.
constexpr size_t kBehindFirst = SIZE_MAX;
// The same for one of the two sides of `&&`.
constexpr size_t kAtSides = SIZE_MAX - 1;
// Where an operand of a longer `&&`, a read, is no bool: less its number.
constexpr size_t kAtNull = SIZE_MAX - 2;

// A read that may lead to any value; other operands are sure to be bools.
bool IsAnyRead(const BoundExpr& inner) {
  return (inner.kind == BoundKind::kPath || inner.kind == BoundKind::kLocal) && !inner.sure_bool;
}

}  // namespace

// Constants are left to general code where something fails, as are many comparisons that are one search. Each operator
// in another one may double its code, as operands are tested once more behind failures.
bool PlainGenerator::IsTriedLogic(const BoundExpr& attempt, const StrictDepth& depth) const {
  if (session_ != nullptr || attempt.kind != BoundKind::kChain || IsGeneral(attempt) || depth.logics == 0) return false;
  const auto& chain = As<BoundChain>(attempt);
  if (!IsLogical(chain.op) || chain.tested.size() != chain.operands.size()) return false;
  for (size_t n = 0; n < chain.tested.size(); ++n) {
    const BoundExpr& inner = Inner(*chain.tested[n]);
    if (CountAlternatives(chain.op, chain.tested.subspan(n)) > 1) return false;
    const bool is_operator = inner.sure_bool && inner.never_null && !inner.is_constant() &&
                             FailsWithItsParts(inner, {depth.parts, depth.logics - 1});
    if (!IsAnyRead(inner) && !is_operator) return false;
  }
  return true;
}

// The code of one such operator. An operand that fails does not matter where one behind it decides, so that these are
// tested once more then: behind the code where nothing fails.
class PlainGenerator::TriedLogic {
 public:
  TriedLogic(PlainGenerator* plain, const BoundChain& chain)
      : plain_(plain), operands_(chain.tested), decides_(chain.op == BinaryOp::kOr), loaded_(operands_.size()) {}

  FailedRegions Yield(uint16_t dest, const AttemptLabels& labels) {
    EndPart(kNowhere);
    FindReads();
    TestAll();
    Load(!decides_, dest);
    labels.done->push_back(g().builder_->Emit(Opcode::kSkip));
    EndPart(LastPlace());
    TestBehindFailures(labels.failed);
    plain_->PatchToHere(decided_);
    Load(decides_, dest);
    EndPart(count());
    return RegionsOf(count());
  }

  // The same in what fails with it: goes to `target` where it is `when`, on behind the code where it is not, and where
  // the generator says where it fails.
  void Test(bool when, PlainLabel* target) {
    EndPart(kNowhere);
    const size_t first = plain_->regions_.size();
    FindReads();
    TestAll();
    PlainLabel done;
    (when == decides_ ? &done : target)->push_back(g().builder_->Emit(Opcode::kSkip));
    EndPart(LastPlace());
    TestBehindFailures(plain_->strict_failed_);
    (when == decides_ ? target : &done)->Append(decided_);
    plain_->PatchToHere(done);
    EndPart(count());
    LeaveElsewhere(first);
  }

 private:
  // What goes on behind the failure of its operand: with the test of operand `place`, or with what is tried next.
  struct Part {
    size_t region;
    size_t place;
  };
  // The same of jumps.
  struct Exit {
    uint32_t jump;
    size_t place;
  };

  CodeGenerator& g() { return plain_->g_; }
  size_t count() const { return operands_.size(); }
  bool IsRead(size_t n) const { return IsAnyRead(plain_->Inner(*operands_[n])); }
  // Whether the second operand is a read, and the last one: it is checked where the first is tested.
  bool checks_one() const { return count() == 2 && IsRead(1); }

  void Load(bool value, uint16_t dest) { plain_->Load(g().RkConstant(Value::Bool(value)), dest); }

  void EndPart(size_t place) {
    const size_t region = plain_->regions_.size();
    plain_->EndRegion();
    plain_->BeginRegion();
    if (place != kNowhere && plain_->regions_.size() > region) parts_.push_back({region, place});
  }

  // Regions from `first` on that do not go on anywhere, and are none that all fails with, leave.
  void LeaveElsewhere(size_t first) {
    for (size_t n = first; n < plain_->regions_.size(); ++n) {
      const bool fails = std::any_of(parts_.begin(), parts_.end(),
                                     [&](const Part& part) { return part.region == n && part.place == count(); });
      uint32_t& failed = plain_->regions_[n].failed;
      if (failed == 0 && !fails) failed = kFailsNowhere;
    }
  }

  // Behind failures of the operand before it, code for operand `place` begins here.
  void BeginBehind(size_t place) {
    plain_->EndAttempt(RegionsOf(place));
    for (const Exit& exit : exits_) {
      if (exit.place == place) g().builder_->PatchToHere(exit.jump);
    }
  }

  FailedRegions RegionsOf(size_t place) const {
    FailedRegions regions;
    for (const Part& part : parts_) {
      if (part.place == place) regions.push_back(part.region);
    }
    return regions;
  }

  // What is no bool fails with its operator, whatever is on the other side, but for null; only behind that an operand
  // may still decide. Reads behind the first operand are checked before anything is tested.
  void FindReads() {
    for (size_t n = count(); n-- > 1;) {
      if (IsRead(n)) loaded_[n] = plain_->Find(*operands_[n]);
    }
    EndPart(kNowhere);
    for (size_t n = count(); n-- > 1 && !checks_one();) {
      if (!IsRead(n)) continue;
      g().builder_->Emit(Opcode::kPlainCheck, loaded_[n], static_cast<uint16_t>(PlainCheck::kSide));
      EndPart(n + 1);
    }
    if (checks_one() && !IsRead(0)) {
      g().builder_->Emit(Opcode::kPlainCheck, loaded_[1], static_cast<uint16_t>(PlainCheck::kSide));
      EndPart(2);
    }
  }

  void TestAll() {
    const Branch branch(plain_);
    IsRead(0) ? TestFirstRead() : TestOperand(0);
    for (size_t n = 1; n < count(); ++n) {
      TestOperand(n);
      if (n + 1 < count()) EndPart(PlaceBehind(n));
    }
  }

  // What goes on where operand `n`, behind the first one, fails as it is tested. The code behind the last test, which
  // cannot fail, is of one region with it.
  size_t PlaceBehind(size_t n) const { return decides_ || !IsRead(n) ? n + 1 : kAtNull - n; }
  size_t LastPlace() const { return decides_by_null() ? kAtSides : PlaceBehind(count() - 1); }

  void TestFirstRead() {
    const Opcode test = decides_ ? Opcode::kIfTrue : Opcode::kIfFalse;
    const Opcode checking_test = decides_ ? Opcode::kIfTrueChecking : Opcode::kIfFalseChecking;
    loaded_[0] = plain_->LeavingOperand(*operands_[0]);
    EndPart(1);
    if (checks_one()) {
      decided_.push_back(g().builder_->Emit(checking_test, loaded_[0], loaded_[1]));
      EndPart(decides_by_null() ? kAtSides : 2);
    } else {
      decided_.push_back(g().builder_->Emit(test, loaded_[0]));
      EndPart(kBehindFirst);
    }
  }

  // Where an operator fails, so do the calls and operators in it; a read is null then, or leads nowhere.
  void TestOperand(size_t n) {
    if (IsRead(n)) {
      decided_.push_back(g().builder_->Emit(decides_ ? Opcode::kIfTrue : Opcode::kIfFalse, loaded_[n]));
      return;
    }
    EndPart(kNowhere);
    const size_t first = plain_->regions_.size();
    PlainLabel failed;
    PlainLabel* const outer = std::exchange(plain_->strict_failed_, &failed);
    plain_->Test(*operands_[n], decides_, &decided_);
    plain_->strict_failed_ = outer;
    plain_->EndRegion();
    plain_->BeginRegion();
    for (size_t region = first; region < plain_->regions_.size(); ++region) {
      if (plain_->regions_[region].failed == 0) parts_.push_back({region, n + 1});
    }
    for (const uint32_t jump : failed) exits_.push_back({jump, n + 1});
  }

  // Goes to `failed` where none decides. An operand of a longer `&&` may be null.
  void TestBehindFailures(PlainLabel* failed) {
    PlainLabel unfit;
    if (IsRead(0) && !checks_one()) TestForNull(&unfit);
    for (size_t n = 1; n < count(); ++n) {
      BeginBehind(n);
      if (n == 2) plain_->PatchToHere(unfit);
      const Branch branch(plain_);
      if (decides_by_null()) TestLastForNull(failed);
      TestOperand(n);
      PlainLabel undecided;
      const bool is_last = n + 1 == count();
      const bool takes_null = !decides_ && IsRead(n) && !decides_by_null();
      if (takes_null || is_last) undecided.push_back(g().builder_->Emit(Opcode::kSkip));
      EndPart(decides_by_null() ? count() : PlaceBehind(n));
      if (takes_null) TestNull(n, &undecided);
      is_last ? failed->Append(undecided) : plain_->PatchToHere(undecided);
    }
    if (count() == 2) failed->Append(unfit);
    if (decides_by_null()) TestSides(failed);
    for (const Exit& exit : exits_) {
      if (exit.place == count()) failed->push_back(exit.jump);
    }
  }

  // The operand is no bool, all in front of it being true or failures: null decides then.
  void TestNull(size_t n, PlainLabel* undecided) {
    plain_->EndAttempt(RegionsOf(kAtNull - n));
    undecided->push_back(g().builder_->Emit(Opcode::kIfNotThere, loaded_[n]));
    LookFrom(n + 1);
    decided_.push_back(g().builder_->Emit(Opcode::kSkip));
  }

  // Where a null decides, marks of the operands from `begin` on come to the result, so that these are looked at, as
  // reads were before; general code is left to what is more than one test, or fails.
  void LookFrom(size_t begin) {
    const Branch branch(plain_);
    for (size_t n = begin; n < count(); ++n) {
      const BoundExpr& inner = plain_->Inner(*operands_[n]);
      if (IsRead(n)) continue;
      if (inner.kind == BoundKind::kChain && IsLogical(As<BoundChain>(inner).op)) return plain_->Leave();
      EndPart(kNowhere);
      const size_t first = plain_->regions_.size();
      PlainLabel* const outer = std::exchange(plain_->strict_failed_, nullptr);
      PlainLabel either;
      plain_->Test(inner, decides_, &either);
      plain_->PatchToHere(either);
      plain_->strict_failed_ = outer;
      EndPart(kNowhere);
      for (size_t region = first; region < plain_->regions_.size(); ++region) {
        if (plain_->regions_[region].failed == 0) plain_->regions_[region].failed = kFailsNowhere;
      }
    }
  }

  // Whether a null decides, and is the second operand.
  bool decides_by_null() const { return checks_one() && !decides_; }

  void TestLastForNull(PlainLabel* failed) {
    failed->push_back(g().builder_->Emit(Opcode::kIfNotThere, loaded_[1]));
    const uint32_t is_set = g().builder_->Emit(Opcode::kIfNotNull, loaded_[1]);
    DecideByNull(loaded_[1]);
    g().builder_->PatchToHere(is_set);
  }

  // A null that has the type of a number or text is left to general code: it may decide nothing.
  void DecideByNull(uint16_t operand) {
    g().builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(PlainCheck::kSide));
    decided_.push_back(g().builder_->Emit(Opcode::kSkip));
  }

  // One of the two sides is no bool. A null decides beside what is none either, but not beside what cannot become one.
  void TestSides(PlainLabel* failed) {
    plain_->EndAttempt(RegionsOf(kAtSides));
    PlainLabel is_null;
    const uint32_t is_missing = g().builder_->Emit(Opcode::kIfNotThere, loaded_[1]);
    is_null.push_back(g().builder_->Emit(Opcode::kIfNull, loaded_[1]));
    g().builder_->PatchToHere(is_missing);
    if (IsRead(0)) is_null.push_back(g().builder_->Emit(Opcode::kIfNull, loaded_[0]));
    failed->push_back(g().builder_->Emit(Opcode::kSkip));
    plain_->PatchToHere(is_null);
    for (size_t n = IsRead(0) ? 2 : 0; n-- > 0;) {
      g().builder_->Emit(Opcode::kPlainCheck, loaded_[n], static_cast<uint16_t>(PlainCheck::kSide));
    }
    decided_.push_back(g().builder_->Emit(Opcode::kSkip));
  }

  // The first operand is a read, and no bool. A null decides `&&`, and fails in `||` unless the other side decides:
  // where it is the second one, general code tells.
  void TestForNull(PlainLabel* unfit) {
    plain_->EndAttempt(RegionsOf(kBehindFirst));
    const uint32_t is_null = g().builder_->Emit(Opcode::kIfNull, loaded_[0]);
    unfit->push_back(g().builder_->Emit(Opcode::kSkip));
    g().builder_->PatchToHere(is_null);
    if (decides_) {
      g().builder_->Emit(Opcode::kPlainCheck, loaded_[0], static_cast<uint16_t>(PlainCheck::kSide));
    } else {
      LookFrom(1);
      DecideByNull(loaded_[0]);
    }
  }

  PlainGenerator* const plain_;
  const absl::Span<const BoundExpr* const> operands_;
  const bool decides_;          // the value of an operand that decides
  ShortList<uint16_t> loaded_;  // registers or operands of reads, by operand
  ShortList<Part> parts_;
  ShortList<Exit> exits_;
  PlainLabel decided_;
};

PlainGenerator::FailedRegions PlainGenerator::YieldTriedLogic(const BoundChain& chain, uint16_t dest,
                                                              const AttemptLabels& labels) {
  const uint16_t mark = g_.next();
  FailedRegions regions = TriedLogic(this, chain).Yield(dest, labels);
  g_.FreeTo(mark);
  return regions;
}

void PlainGenerator::TestTriedLogic(const BoundChain& chain, bool when, PlainLabel* target) {
  const uint16_t mark = g_.next();
  TriedLogic(this, chain).Test(when, target);
  g_.FreeTo(mark);
}

}  // namespace hcl::internal
