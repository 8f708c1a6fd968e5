// RunCounter. Tested by workbench/run_counter_test.cc.

#include "hclvm/workbench/run_counter.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/path_text.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Further causes of one instruction are one.
constexpr size_t kMaxCauses = 20;

// What a value is, as far as fast code asks. Null: there is none.
std::string_view KindOf(const Value* value) {
  if (value == nullptr || TagOf(*value) == Tag::kInternal) return "missing";
  if (value->is_error()) return "an error";
  if (value->has_marks()) return "marked";
  if (value->is_null()) return "null";
  if (value->is_unknown() || !value->is_wholly_known()) return "unknown";
  if (value->is_bool()) return "a bool";
  if (value->is_number()) return value->is_int() ? "a number" : "a large or fractional number";
  if (value->is_string()) return "a string";
  if (value->is_mapping()) return "an object or map";
  return value->is_set() ? "a set" : "a list or tuple";
}

// What fast code is not for, whatever it does.
bool IsOdd(std::string_view kind) {
  return kind == "missing" || kind == "an error" || kind == "marked" || kind == "null" || kind == "unknown";
}

const Value* Follow(const Value* value, absl::Span<const PathStep> steps) {
  for (const PathStep& step : steps) {
    if (TagOf(*value) == Tag::kInternal || value->has_marks() || value->is_null() || value->is_unknown()) return value;
    if (value->is_mapping() && step.key.is_string()) {
      const int64_t at = value->shape().Find(step.key);
      if (at < 0) return nullptr;
      value = &value->values()[static_cast<size_t>(at)];
    } else if (value->is_sequence() && step.position < value->size()) {
      value = &value->elements()[step.position];
    } else {
      return nullptr;
    }
  }
  return value;
}

}  // namespace

RunCounter::RunCounter(const Program& program) : tables_(TablesOf(program)) {
  counts_.resize(tables_.code().size());
  slow_paths_.resize(counts_.size());
  for (const FastRegion& region : tables_.fast_regions()) {
    std::fill(slow_paths_.begin() + region.begin, slow_paths_.begin() + region.end, region.general);
  }
}

void RunCounter::BeginRun() {
  activations_.clear();
  is_repeated_ = false;
}

void RunCounter::EndRun(uint64_t fuel_left) {
  if (activations_.empty()) return;
  const Activation& last = activations_.back();
  const uint64_t used = fuel_left_ > fuel_left ? fuel_left_ - fuel_left : 0;
  Charge(last.pc, used > last.unpaid ? used - last.unpaid : 0);
  activations_.clear();
}

// Instructions are paid for later, at a jump: what one costs is the difference of what is paid and unpaid, before and
// after. Code of a local pays when it ends, and then the code around it goes on with what it had not paid before.
void RunCounter::Next(uint32_t pc, uint64_t fuel_left, uint64_t unpaid, const void* activation, const Value* frame) {
  // A run that has failed begins again, for its messages: that is the same once more.
  if (!activations_.empty() && fuel_left > fuel_left_) is_repeated_ = true;
  if (is_repeated_) return;
  const uint64_t paid = activations_.empty() ? 0 : fuel_left_ - fuel_left;
  const bool is_inner = std::none_of(activations_.begin(), activations_.end(),
                                     [&](const Activation& one) { return one.id == activation; });
  if (is_inner) {
    if (!activations_.empty()) Charge(activations_.back().pc, paid);
    activations_.push_back({activation, pc, unpaid});
  } else {
    uint64_t rest = paid;
    while (activations_.back().id != activation) {
      const Activation& ended = activations_.back();
      Charge(ended.pc, rest > ended.unpaid ? rest - ended.unpaid : 0);
      rest = 0;
      activations_.pop_back();
    }
    Activation& current = activations_.back();
    const uint64_t now = rest + unpaid;
    Charge(current.pc, now > current.unpaid ? now - current.unpaid : 0);
    const uint32_t slow_path = slow_paths_[current.pc];
    if (slow_path != 0 && slow_path == pc) NoteExit(current.pc, frame);
    current.pc = pc;
    current.unpaid = unpaid;
  }
  fuel_left_ = fuel_left;
  ++counts_[pc].runs;
}

void RunCounter::NoteExit(uint32_t pc, const Value* frame) {
  Causes& causes = exits_[pc];
  std::string cause = CauseOf(pc, frame);
  if (causes.size() >= kMaxCauses && causes.count(cause) == 0) cause = "(others)";
  ++causes[cause];
  ++exit_count_;
}

// The operand that is odd, or else all that there are: what they are together is what the instruction is not for.
std::string RunCounter::CauseOf(uint32_t pc, const Value* frame) const {
  const Instruction i = tables_.code()[pc];
  const OpcodeInfo& info = InfoOf(i.opcode());
  std::string all;
  const auto tell = [&](const std::string& name, const Value* value) {
    const std::string_view kind = KindOf(value);
    if (IsOdd(kind)) return absl::StrCat(name.empty() ? "a value" : name, " is ", ToAbsl(kind));
    absl::StrAppend(&all, all.empty() ? "" : ", ", name, name.empty() ? "" : " is ", ToAbsl(kind));
    return std::string();
  };
  const OperandKind kinds[] = {info.a, info.b, info.c};
  const uint32_t operands[] = {i.a(), info.c == OperandKind::kX ? i.x() : i.b(), i.c()};
  for (int n = 0; n < 3; ++n) {
    std::string odd;
    if (kinds[n] == OperandKind::kPath && operands[n] < tables_.paths().size()) {
      const Path& path = tables_.paths()[operands[n]];
      std::string name(tables_.slot_names()[path.slot]);
      for (const PathStep& step : tables_.steps(path)) {
        if (step.key.is_string()) {
          step.is_attribute ? AppendNameStep(step.key.AsString(), &name) : AppendKeyStep(step.key.AsString(), &name);
        } else {
          AppendIndexStep(step.position, &name);
        }
      }
      odd = tell(name, Follow(frame + tables_.layout().slots_begin() + path.slot, tables_.steps(path)));
    } else if (kinds[n] == OperandKind::kFast || kinds[n] == OperandKind::kUse || kinds[n] == OperandKind::kRk) {
      const uint32_t at = operands[n] / 2;
      const uint32_t slots = tables_.layout().slots_begin();
      if (at < tables_.layout().constants()) continue;
      odd = tell(at >= slots ? std::string(tables_.slot_names()[at - slots]) : "", frame + at);
    }
    if (!odd.empty()) return odd;
  }
  return all.empty() ? std::string(info.name) : all;
}

}  // namespace hcl::internal
