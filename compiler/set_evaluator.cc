// SetEvaluator: the readers' side of a ProgramSet. Each segment has an Evaluator, made when one of its programs is
// first run; variables are bound to it when it runs next after a change, so that who asks for one program pays for the
// variables of its segment only.
//
// Tested by compiler/program_set_test.cc and tests/slow/program_set_law_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/compiler/set_index.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::InternalValue;
using internal::PageIds;
using internal::ScopeValue;
using internal::SetIndex;
using internal::SetPath;
using internal::SetPlace;
using internal::SetSegment;
using internal::SetSnapshot;

struct SetEvaluator::State {
  // A segment's evaluator. It has the programs that there were when it was made, and is made anew for one that came
  // later.
  struct Runner {
    Runner(const SetSegment& of, std::shared_ptr<const Program> has, const Limits& limits)
        : segment(of.weak_from_this()),
          serial(of.serial()),
          chunks(internal::TablesOf(*has).chunks().size()),
          program(has.get()),
          evaluator(std::move(has), limits) {}
    std::weak_ptr<const SetSegment> segment;
    uint64_t serial;  // of the segment, as numbers are given anew
    size_t chunks;
    const Program* program;
    bool is_finished = false;
    Evaluator evaluator;
    std::vector<uint32_t> variables;  // by slot: index in State::values
    uint64_t bound_at = 0;            // the count of changes when variables were bound
  };

  // What runs the last program, and can run other ones as it is: those of the segment, below `chunks`. Nothing where
  // there is none, or variables have changed.
  struct Ready {
    const SetSegment* segment = nullptr;
    size_t chunks = 0;
    Runner* runner = nullptr;
    const SetPlace* last = nullptr;
  };

  // What the index of a page asks, as indexes in State::asked.
  struct Page {
    const SetIndex* index = nullptr;
    std::vector<uint32_t> paths;
  };
  struct Asked {
    SetPath path;
    uint32_t variable;       // index in State::values
    uint64_t looked_at = 0;  // the count of changes at that time
    ScopeValue value;
  };

  State(std::shared_ptr<const ProgramSet> of, const Limits& with)
      : set(std::move(of)), limits(with), snapshot(set->snapshot()) {}

  const SetPlace& At(Id id) const { return snapshot->At(id); }
  uint32_t IndexOf(std::string_view name);
  Runner* RunnerOf(const SetPlace& place);
  Runner* MakeRunner(const SetSegment& segment);
  void Bind(Runner* runner, bool with_scope);
  const Evaluation& Run(Id id);
  const Evaluation& RunReady(const SetPlace& place);
  const Evaluation& RunAnew(const SetPlace& place);
  const Evaluation& AfterFailure(const Evaluation& evaluation);
  const Evaluation& RunWithNames(Runner* runner, uint32_t chunk);
  void NoteChange() { ++changes, ready = {}; }
  PageIds Candidates(size_t page);
  const Page& PageAt(size_t number);
  ScopeValue& Look(Asked* asked);
  void Forget(const SetSnapshot& before);
  void DropRunners();
  static bool IsOutdated(const Runner& runner);

  std::shared_ptr<const ProgramSet> set;
  Limits limits;
  std::shared_ptr<const SetSnapshot> snapshot;
  Ready ready;                                   // for programs of the snapshot
  std::vector<std::unique_ptr<Runner>> runners;  // by number of the segment
  std::vector<Page> pages;                       // of the snapshot, as far as somebody has asked for true ones
  std::vector<Asked> asked;                      // what their indexes ask, each path once
  internal::HashMap<SetPath, uint32_t> asked_index;
  internal::HashMap<std::string, uint32_t> indexes;
  std::vector<Value> values;  // of variables that programs read, or that were bound by name
  Value scope;                // what was bound as a whole last; null: nothing
  uint64_t changes = 1;
};

// A variable that is new here has the value that it has in the scope.
uint32_t SetEvaluator::State::IndexOf(std::string_view name) {
  const auto [found, is_new] = indexes.try_emplace(std::string(name), static_cast<uint32_t>(values.size()));
  if (is_new) {
    const int64_t at = scope.is_mapping() ? scope.shape().Find(name) : -1;
    values.push_back(at < 0 ? InternalValue(nullptr) : scope.values()[static_cast<size_t>(at)]);
  }
  return found->second;
}

SetEvaluator::State::Runner* SetEvaluator::State::MakeRunner(const SetSegment& segment) {
  if (segment.number() >= runners.size()) runners.resize(segment.number() + 1);
  const bool is_finished = segment.is_finished();
  auto made = std::make_unique<Runner>(segment, segment.program(), limits);
  made->is_finished = is_finished;
  for (const std::string_view name : made->program->variables()) made->variables.push_back(IndexOf(name));
  return (runners[segment.number()] = std::move(made)).get();
}

SetEvaluator::State::Runner* SetEvaluator::State::RunnerOf(const SetPlace& place) {
  const SetSegment& segment = *place.segment;
  const uint32_t number = segment.number();
  Runner* runner = number < runners.size() ? runners[number].get() : nullptr;
  if (ABSL_PREDICT_FALSE(runner == nullptr || runner->serial != segment.serial() || place.chunk >= runner->chunks)) {
    runner = MakeRunner(segment);
  }
  // What is not pure is not run again for its messages, and so has the names of the scope from the beginning.
  if (ABSL_PREDICT_FALSE(runner->bound_at != changes)) Bind(runner, /*with_scope=*/!runner->program->is_pure());
  return runner;
}

// The scope as a whole is for suggestions only.
void SetEvaluator::State::Bind(Runner* runner, bool with_scope) {
  if (with_scope) scope.is_mapping() ? runner->evaluator.BindAll(scope) : runner->evaluator.UnbindAll();
  for (uint32_t slot = 0; slot < runner->variables.size(); ++slot) {
    runner->evaluator.Bind(slot, values[runner->variables[slot]]);
  }
  runner->bound_at = changes;
}

// A failure is rare, and its message may suggest a name of the scope, which a run that succeeds does not need.
const Evaluation& SetEvaluator::State::RunWithNames(Runner* runner, uint32_t chunk) {
  Bind(runner, /*with_scope=*/true);
  const Evaluation& evaluation = runner->evaluator.RunChunk(chunk);
  runner->evaluator.UnbindAll();
  runner->bound_at = 0;
  ready = {};
  return evaluation;
}

// Most programs share a segment with the one before. Nothing is kept in registers for what comes behind the run.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline const Evaluation& SetEvaluator::State::Run(Id id) {
  const SetPlace& place = At(id);
  if (ABSL_PREDICT_FALSE(place.segment != ready.segment || place.chunk >= ready.chunks)) return RunAnew(place);
  return RunReady(place);
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline const Evaluation& SetEvaluator::State::RunReady(const SetPlace& place) {
  ready.last = &place;
  const Evaluation& evaluation = ready.runner->evaluator.RunChunk(place.chunk);
  return ABSL_PREDICT_TRUE(evaluation.ok()) ? evaluation : AfterFailure(evaluation);
}

ABSL_ATTRIBUTE_NOINLINE const Evaluation& SetEvaluator::State::RunAnew(const SetPlace& place) {
  ready = {};  // where memory is refused
  Runner* const runner = RunnerOf(place);
  ready = {place.segment, runner->chunks, runner, &place};
  return RunReady(place);
}

ABSL_ATTRIBUTE_NOINLINE const Evaluation& SetEvaluator::State::AfterFailure(const Evaluation& evaluation) {
  const bool is_final = !ready.runner->program->is_pure() || !scope.is_mapping();
  return is_final ? evaluation : RunWithNames(ready.runner, ready.last->chunk);
}

const SetEvaluator::State::Page& SetEvaluator::State::PageAt(size_t number) {
  if (number >= pages.size()) pages.resize(snapshot->page_count);
  Page& page = pages[number];
  if (ABSL_PREDICT_TRUE(page.index != nullptr)) return page;
  const SetIndex& index = snapshot->PageAt(number)->Index();
  for (const SetPath& path : index.paths()) {
    const auto [found, is_new] = asked_index.try_emplace(path, static_cast<uint32_t>(asked.size()));
    if (is_new) asked.push_back({path, IndexOf(path[0]), 0, {}});
    page.paths.push_back(found->second);
  }
  page.index = &index;
  return page;
}

// The values of variables stay where they are until the next change.
ScopeValue& SetEvaluator::State::Look(Asked* one) {
  if (one->looked_at != changes) {
    one->value = ScopeValue(values[one->variable], one->path);
    one->looked_at = changes;
  }
  return one->value;
}

PageIds SetEvaluator::State::Candidates(size_t number) {
  const Page& page = PageAt(number);
  return page.index->Candidates([&](uint32_t path) -> ScopeValue& { return Look(&asked[page.paths[path]]); });
}

// Lets go of the indexes of pages that are others now. The paths that nobody asks any more stay until all is forgotten.
void SetEvaluator::State::Forget(const SetSnapshot& before) {
  constexpr size_t kMaxAsked = 4096;
  if (asked.size() > kMaxAsked) return pages.clear(), asked.clear(), asked_index.clear();
  pages.resize(std::min(pages.size(), snapshot->page_count));
  for (size_t n = 0; n < pages.size(); ++n) {
    if (n >= before.page_count || before.PageAt(n) != snapshot->PageAt(n)) pages[n] = {};
  }
}

// Those of segments that are gone, and those of programs that share tables with room to spare, of which there is one
// without by now.
void SetEvaluator::State::DropRunners() {
  for (std::unique_ptr<Runner>& runner : runners) {
    if (runner == nullptr) continue;
    if (runner->is_finished ? runner->segment.expired() : IsOutdated(*runner)) runner.reset();
  }
}

bool SetEvaluator::State::IsOutdated(const Runner& runner) {
  const std::shared_ptr<const SetSegment> segment = runner.segment.lock();
  return segment == nullptr || segment->is_finished();
}

SetEvaluator::SetEvaluator(std::shared_ptr<const ProgramSet> set, const Limits& limits)
    : state_(std::make_unique<State>(std::move(set), limits)) {}
SetEvaluator::~SetEvaluator() = default;

void SetEvaluator::Update() {
  std::shared_ptr<const SetSnapshot> now = state_->set->snapshot();
  if (now == state_->snapshot) return;
  std::shared_ptr<const SetSnapshot> before = std::exchange(state_->snapshot, std::move(now));
  state_->ready = {};
  state_->Forget(*before);
  before.reset();
  state_->DropRunners();
}

void SetEvaluator::Bind(std::string_view name, const Value& value) {
  state_->values[state_->IndexOf(name)] = value;
  state_->NoteChange();
}

void SetEvaluator::BindAll(const Value& object) {
  HCL_DCHECK(object.is_mapping());
  state_->scope = object;
  for (const auto& [name, index] : state_->indexes) {
    const int64_t at = object.shape().Find(name);
    state_->values[index] = at < 0 ? InternalValue(nullptr) : object.values()[static_cast<size_t>(at)];
  }
  state_->NoteChange();
}

void SetEvaluator::UnbindAll() {
  state_->scope = Value();
  for (Value& value : state_->values) value = InternalValue(nullptr);
  state_->NoteChange();
}

void SetEvaluator::set_interrupt(const Interrupt& interrupt) {
  state_->limits.interrupt = interrupt;
  for (std::unique_ptr<State::Runner>& runner : state_->runners) {
    if (runner != nullptr) runner->evaluator.set_interrupt(interrupt);
  }
}

// Each further round is behind a change of that name by another thread.
std::optional<SetEvaluator::Id> SetEvaluator::Find(std::string_view name) {
  const auto is_here = [&](Id id) {
    if (!Has(id)) return false;
    const SetPlace& place = state_->At(id);
    return place.segment->texts().NameOf(place.chunk) == name;
  };
  for (;;) {
    const std::optional<Id> id = state_->set->Find(name);
    if (!id || is_here(*id)) return id;
    Update();
    if (is_here(*id)) return id;
  }
}

size_t SetEvaluator::id_limit() const { return state_->snapshot->id_limit(); }
bool SetEvaluator::Has(Id id) const { return id < id_limit() && state_->At(id).segment != nullptr; }

const Evaluation& SetEvaluator::Run(Id id) {
  HCL_DCHECK(Has(id));
  return state_->Run(id);
}

void SetEvaluator::RunAll(const std::function<bool(Id, const Evaluation&)>& use) {
  for (Id id = 0; id < id_limit(); ++id) {
    if (state_->At(id).segment != nullptr && !use(id, Run(id))) return;
  }
}

SetEvaluator::Match SetEvaluator::FindTrue() {
  Match match;
  const auto is_match = [&](Id id) {
    const Evaluation& evaluation = Run(id);
    const Value& bare = evaluation.value().unmarked();
    const bool is_true = evaluation.ok() && bare.is_true();
    if (is_true || !evaluation.ok() || bare.is_unknown()) match = {id, &evaluation, is_true};
    return match.id.has_value();
  };
  for (size_t page = 0; page < state_->snapshot->page_count; ++page) {
    const Id first = static_cast<Id>(page * internal::kSetPageSize);
    if (state_->Candidates(page).Any([&](size_t n) { return is_match(first + static_cast<Id>(n)); })) break;
  }
  return match;
}

std::shared_ptr<const Source> SetEvaluator::SourceOf(Id id) const {
  HCL_DCHECK(Has(id));
  const SetPlace& place = state_->At(id);
  return std::make_shared<const Source>(std::string(place.segment->texts().NameOf(place.chunk)),
                                        std::string(place.segment->texts().TextOf(place.chunk)));
}

}  // namespace hcl
