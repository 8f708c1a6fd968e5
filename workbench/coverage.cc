// Coverage: decisions, and counting their outcomes. Tested by workbench/coverage_test.cc.

#include "hclvm/workbench/coverage.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "hclvm/base/excerpt.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_run.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/workbench/source_line.h"

namespace hcl::internal {
namespace {

using Kind = CoveredDecision::Kind;

constexpr size_t kMaxTextBytes = 100;
// The parts of a loop.
constexpr size_t kCollection = 0, kCondition = 1;

bool IsFirst(const Value& key) { return key.is_int() && key.AsInt() == 0; }

// Whether only the first element of the list at `point` is asked.
bool IsFirstAsked(const RecordTable& table, uint32_t point) {
  const uint32_t parent = table.at(point).parent;
  if (parent == RecordTable::kNoPoint) return false;
  const RecordPoint& whole = table.at(parent);
  if (whole.kind == PointKind::kSteps) return IsFirst(whole.steps[0].key);
  if (whole.kind != PointKind::kCall || whole.name != "element" || whole.parts.size() != 2) return false;
  return whole.parts[0] == point && IsFirst(table.at(whole.parts[1]).value);
}

// The literal that the collection of a loop is; null where it is none.
const RecordPoint* LiteralOf(const Program& program, const RecordTable& table, uint32_t point) {
  const RecordPoint* at = &table.at(point);
  const ModuleTables* const module = TablesOf(program).module();
  while (at->kind == PointKind::kPath && at->steps.empty() && module != nullptr &&
         at->slot >= module->variables.size()) {
    const uint32_t root = table.RootOf(module->locals[at->slot - module->variables.size()].chunk);
    if (root == RecordTable::kNoPoint) return nullptr;
    at = &table.at(root);
  }
  return at->kind == PointKind::kTuple || at->kind == PointKind::kObject ? at : nullptr;
}

// The elements of a literal in the order in which a loop takes them; none where the text does not tell.
std::vector<uint32_t> ElementsOf(const RecordTable& table, const RecordPoint& literal) {
  if (literal.kind == PointKind::kTuple) return literal.parts;
  std::vector<std::pair<std::string_view, uint32_t>> items;
  for (size_t n = 0; n + 1 < literal.parts.size(); n += 2) {
    const RecordPoint& key = table.at(literal.parts[n]);
    if (key.kind != PointKind::kConstant || !key.value.is_string()) return {};
    items.emplace_back(key.value.AsString(), literal.parts[n + 1]);
  }
  std::sort(items.begin(), items.end());
  std::vector<uint32_t> elements;
  for (const auto& [key, value] : items) elements.push_back(value);
  return elements;
}

}  // namespace

void CoverageIndex::Add(const Program& program, const std::function<bool(const Source&)>& is_covered) {
  AddTable(program, is_covered);
  for (const CallSite& site : TablesOf(program).call_sites()) {
    if (!site.function->is_program) continue;
    const Program& body = *static_cast<const ProgramFunction*>(site.function->state.get())->program;
    const RecordTable* const table = TablesOf(body).records();
    if (table != nullptr && places_.count(table) == 0) Add(body, is_covered);
  }
}

void CoverageIndex::AddTable(const Program& program, const std::function<bool(const Source&)>& is_covered) {
  const RecordTable* const table = TablesOf(program).records();
  if (table == nullptr) return;
  const auto [found, is_new] = places_.try_emplace(table);
  if (!is_new) return;
  Places& places = found->second;
  places.resize(table->points().size());
  const Source* last = nullptr;
  bool is_last_covered = false;
  for (uint32_t point = 0; point < places.size(); ++point) {
    const Source* const source = table->at(point).source;
    if (source != last) {
      last = source;
      is_last_covered = is_covered(*source);
      if (is_last_covered) sources_.try_emplace(source->name(), source);
    }
    if (!is_last_covered) continue;
    AddParts(*table, point, &places);
    if (table->at(point).kind == PointKind::kFor) AddRules(program, *table, point, &places);
  }
}

uint32_t CoverageIndex::AddDecision(Kind kind, const RecordPoint& point) {
  const auto [found, is_new] = known_.try_emplace({point.source->name(), point.range.begin, point.range.end, kind},
                                                  static_cast<uint32_t>(decisions_.size()));
  if (is_new) decisions_.push_back({kind, point.source, point.range});
  return found->second;
}

// Operands of `a && (b && c)` are three, as those of `(a && b) && c` are.
void CoverageIndex::AddParts(const RecordTable& table, uint32_t point, Places* places) {
  const RecordPoint& whole = table.at(point);
  const auto add = [&](uint32_t part, Kind kind) {
    if (part == RecordTable::kNoPoint || table.at(part).kind == PointKind::kConstant) return kNone;
    return (*places)[part].decision = AddDecision(kind, table.at(part));
  };
  if (whole.kind == PointKind::kConditional) {
    add(whole.parts[0], Kind::kCondition);
  } else if (whole.kind == PointKind::kFor) {
    add(whole.parts[kCondition], Kind::kFilter);
  } else if (whole.kind == PointKind::kAnd || whole.kind == PointKind::kOr) {
    for (const uint32_t part : whole.parts) {
      if (table.at(part).kind != whole.kind) add(part, Kind::kOperand);
    }
  } else if (whole.kind == PointKind::kCall && whole.name == "try" && whole.parts.size() > 1) {
    for (const uint32_t part : whole.parts) {
      const uint32_t decision = add(part, Kind::kAttempt);
      if (decision != kNone) decisions_[decision].is_last_attempt = part == whole.parts.back();
    }
  }
}

void CoverageIndex::AddRules(const Program& program, const RecordTable& table, uint32_t loop, Places* places) {
  const RecordPoint& whole = table.at(loop);
  const uint32_t condition = whole.parts[kCondition];
  if (condition == RecordTable::kNoPoint || table.at(condition).kind == PointKind::kConstant) return;
  const RecordPoint* const literal = LiteralOf(program, table, whole.parts[kCollection]);
  if (literal == nullptr) return;
  const std::vector<uint32_t> elements = ElementsOf(table, *literal);
  Place& place = (*places)[condition];
  place.first_rule = static_cast<uint32_t>(rules_.size());
  place.rule_count = static_cast<uint32_t>(elements.size());
  place.only_first = IsFirstAsked(table, loop);
  for (const uint32_t element : elements) rules_.push_back(AddDecision(Kind::kRule, table.at(element)));
}

CoverageReport CoverageIndex::Report(absl::Span<const CoverageCounter* const> counters) const {
  CoverageReport report;
  std::map<std::string, size_t> places;
  for (const auto& [name, source] : sources_) {
    places[name] = report.files.size();
    report.files.push_back({name, std::string(source->text()), {}});
  }
  for (size_t n = 0; n < decisions_.size(); ++n) {
    const Decision& decision = decisions_[n];
    CoveredDecision one;
    one.kind = decision.kind;
    one.text = Excerpt(OneLine(decision.source->Slice(decision.range)), kMaxTextBytes);
    one.begin = decision.range.begin;
    one.end = decision.range.end;
    const SourcePosition at = decision.source->PositionAt(decision.range.begin);
    one.line = at.line;
    one.column = at.column;
    one.has_second = decision.kind != Kind::kRule && !decision.is_last_attempt;
    for (const CoverageCounter* counter : counters) {
      for (size_t outcome = 0; outcome < 2; ++outcome) one.counts[outcome] += counter->counts()[2 * n + outcome];
    }
    report.files[places[decision.source->name()]].decisions.push_back(std::move(one));
  }
  for (CoveredFile& file : report.files) {
    std::sort(file.decisions.begin(), file.decisions.end(), [](const CoveredDecision& a, const CoveredDecision& b) {
      return std::tie(a.begin, b.end, a.kind) < std::tie(b.begin, a.end, b.kind);
    });
  }
  return report;
}

void CoverageCounter::Commit() {
  for (const uint32_t outcome : pending_) ++counts_[outcome];
  pending_.clear();
  ClearFrames();
}

void CoverageCounter::End(const Frame& frame, Frame* parent, const Value& value) {
  if (frame.table != last_table_) {
    const auto found = index_.places_.find(frame.table);
    if (found == index_.places_.end()) return;
    last_table_ = frame.table;
    last_places_ = &found->second;
  }
  const CoverageIndex::Place& place = (*last_places_)[frame.point];
  if (place.decision == CoverageIndex::kNone) return;
  const CoverageIndex::Decision& decision = index_.decisions_[place.decision];
  if (decision.kind == Kind::kAttempt) {
    pending_.push_back(2 * place.decision + (value.is_error() ? 1 : 0));
    return;
  }
  const Truth truth = TruthOf(value);
  if (truth == Truth::kNeither) return;
  pending_.push_back(2 * place.decision + (truth == Truth::kFalse ? 1 : 0));
  if (truth == Truth::kFalse || place.rule_count == 0 || parent->passes > place.rule_count) return;
  if (place.only_first && std::exchange(parent->is_chosen, true)) return;
  pending_.push_back(2 * index_.rules_[place.first_rule + parent->passes - 1]);
}

}  // namespace hcl::internal
