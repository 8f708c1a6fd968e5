// TraceWays. Tested by workbench/explain_test.cc.

#include "hclvm/workbench/trace_item.h"

#include <algorithm>

#include "hclvm/base/hash_table.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::internal {
namespace {

// Names, elements and branches that one leads through at most: each is a level of the text, or a pass of a loop.
constexpr int kMaxWay = 1000;
// The parts of a loop.
constexpr size_t kCollection = 0, kCondition = 1, kKey = 2, kElement = 3;

bool IsLoop(PointKind kind) {
  return kind == PointKind::kFor || kind == PointKind::kSplat || kind == PointKind::kTemplateFor;
}

std::optional<size_t> PositionOf(const Value& key) {
  if (!key.is_int() || key.AsInt() < 0) return std::nullopt;
  return static_cast<size_t>(key.AsInt());
}

// Whether the key of a literal's item is `key`.
bool IsKey(const TraceItem& item, const Value& key) {
  if (!item.is_there() || !key.is_string()) return false;
  const Value& own = item.value().unmarked();
  return own.is_string() && own.AsString() == key.AsString();
}

void PushSteps(const std::vector<PathStep>& from, std::vector<Value>* steps) {
  for (auto step = from.rbegin(); step != from.rend(); ++step) steps->push_back(step->key);
}

// The node of the loop around `node` whose point is `loop`, and the pass in which `node` was evaluated.
const TraceNode* LoopAround(const TraceNode* node, uint32_t loop, uint32_t* pass) {
  for (; node->parent != nullptr; node = node->parent) {
    if (node->parent->table == node->table && node->parent->number == loop) {
      *pass = node->pass;
      return node->parent;
    }
  }
  return nullptr;
}

}  // namespace

TraceWays::TraceWays(const Program& program, const RunTrace& trace, bool hides_sensitive)
    : program_(program), trace_(trace), hides_sensitive_(hides_sensitive) {}

bool TraceWays::IsHidden(const Value& value) const {
  return hides_sensitive_ && !value.is_error() && (MarksIn(value) & kHiddenMarks) != 0;
}

TraceItem TraceWays::RootOf(uint32_t chunk) const {
  const RecordTable& table = *TablesOf(program_).records();
  const uint32_t root = table.RootOf(chunk);
  return {&table, root, trace_.Find(table, root)};
}

// Nodes of a loop stand in the order of its passes.
std::optional<TraceItem> TraceWays::PartOf(const TraceItem& item, size_t n, uint32_t pass) const {
  const RecordPoint& point = item.point();
  if (n >= point.parts.size() || point.parts[n] == RecordTable::kNoPoint) return std::nullopt;
  TraceItem part{item.table, point.parts[n], nullptr};
  if (item.node == nullptr || part.is_constant()) return part;
  const std::vector<const TraceNode*>& nodes = item.node->parts;
  auto node = nodes.begin();
  const bool is_repeated = IsLoop(point.kind) && n != kCollection;
  if (is_repeated) {
    node = std::partition_point(nodes.begin(), nodes.end(), [pass](const TraceNode* one) { return one->pass < pass; });
  }
  for (; node != nodes.end() && (!is_repeated || (*node)->pass == pass); ++node) {
    if ((*node)->table == item.table && (*node)->number == part.number) part.node = *node;
  }
  return part;
}

// A trace that is cut lacks parts, each of which would be looked for among all nodes: these are found by their numbers.
std::vector<TraceItem> TraceWays::EachPart(const TraceItem& item) const {
  HashMap<uint32_t, const TraceNode*> nodes;
  if (item.node != nullptr) {
    for (const TraceNode* node : item.node->parts) {
      if (node->table == item.table) nodes.emplace(node->number, node);
    }
  }
  std::vector<TraceItem> parts;
  for (const uint32_t number : item.point().parts) {
    TraceItem& part = parts.emplace_back(TraceItem{item.table, number, nullptr});
    const auto node = number == RecordTable::kNoPoint ? nodes.end() : nodes.find(number);
    if (node != nodes.end() && !part.is_constant()) part.node = node->second;
  }
  return parts;
}

std::vector<TraceItem> TraceWays::PartsOf(const TraceItem& item) const {
  std::vector<TraceItem> parts;
  if (IsLoop(item.kind())) {
    const std::optional<TraceItem> collection = PartOf(item, kCollection);
    if (collection && collection->is_there()) parts.push_back(*collection);
    return parts;
  }
  parts = EachPart(item);
  const auto is_missing = [](const TraceItem& part) {
    return part.number == RecordTable::kNoPoint || !part.is_there();
  };
  parts.erase(std::remove_if(parts.begin(), parts.end(), is_missing), parts.end());
  return parts;
}

uint32_t TraceWays::PassesOf(const TraceItem& loop) {
  uint32_t passes = 0;
  if (loop.node == nullptr) return 0;
  for (const TraceNode* node : loop.node->parts) {
    const bool is_collection = node->number == loop.point().parts[kCollection];
    if (node->table == loop.table && !is_collection) passes = std::max(passes, node->pass + 1);
  }
  return passes;
}

std::optional<TraceItem> TraceWays::LocalOf(const TraceItem& path) const {
  const ProgramTables& tables = TablesOf(program_);
  const ModuleTables* const module = tables.module();
  if (path.kind() != PointKind::kPath || module == nullptr || path.table != tables.records()) return std::nullopt;
  const uint32_t slot = path.point().slot;
  if (slot < module->variables.size()) return std::nullopt;
  return RootOf(module->locals[slot - module->variables.size()].chunk);
}

std::optional<TraceItem> TraceWays::BodyOf(const TraceItem& call) const {
  if (call.node == nullptr) return std::nullopt;
  std::optional<TraceItem> body;
  for (const TraceNode* node : call.node->parts) {
    if (node->is_done && IsHidden(node->value)) return std::nullopt;
    if (node->point().parent == RecordTable::kNoPoint) body = TraceItem{node->table, node->number, node};
  }
  return body;
}

bool TraceWays::IsHiddenLoop(const TraceItem& loop) const {
  const std::optional<TraceItem> collection = PartOf(loop, kCollection);
  return collection && collection->is_there() && IsHidden(collection->value());
}

std::optional<Value> TraceWays::KeyOf(const Value& collection, uint32_t pass) {
  const Value& value = collection.unmarked();
  if (value.is_mapping() && pass < value.shape().size) return value.shape().keys[pass];
  if (value.is_sequence() && pass < value.elements().size()) return Value::Int(pass);
  return std::nullopt;
}

std::optional<TraceItem> TraceWays::Step(const TraceItem& item, const Value& key) const {
  switch (item.kind()) {
    case PointKind::kTuple: {
      const std::optional<size_t> position = PositionOf(key);
      return position ? PartOf(item, *position) : std::nullopt;
    }
    case PointKind::kObject: {
      const std::vector<TraceItem> parts = EachPart(item);
      std::optional<TraceItem> found;
      for (size_t n = 0; n + 1 < parts.size(); n += 2) {
        if (parts[n].number != RecordTable::kNoPoint && IsKey(parts[n], key)) found = parts[n + 1];
      }
      return found;
    }
    case PointKind::kFor: {
      const bool is_object = item.point().parts[kKey] != RecordTable::kNoPoint;
      std::optional<size_t> left = is_object ? std::nullopt : PositionOf(key);
      const uint32_t passes = PassesOf(item);
      for (uint32_t pass = 0; pass < passes; ++pass) {
        const std::optional<TraceItem> condition = PartOf(item, kCondition, pass);
        if (condition && condition->is_there() && IsHidden(condition->value())) return std::nullopt;
        if (condition && (!condition->is_there() || TruthOf(condition->value()) != Truth::kTrue)) continue;
        if (is_object) {
          const std::optional<TraceItem> own = PartOf(item, kKey, pass);
          if (own && IsKey(*own, key)) return PartOf(item, kElement, pass);
        } else if (left && (*left)-- == 0) {
          return PartOf(item, kElement, pass);
        }
      }
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<TraceItem> TraceWays::ElementOf(const TraceItem& loop, uint32_t pass) const {
  const std::optional<TraceItem> collection = PartOf(loop, kCollection);
  if (!collection || !collection->is_there()) return std::nullopt;
  const std::optional<Value> key = KeyOf(collection->value(), pass);
  if (!key) return std::nullopt;
  Steps steps = {*key};
  return Follow(*collection, &steps);
}

std::optional<TraceItem> TraceWays::Origin(const TraceItem& item) const {
  Steps steps;
  return Follow(item, &steps);
}

std::optional<TraceItem> TraceWays::Follow(TraceItem item, Steps* steps) const {
  for (int way = 0; way < kMaxWay; ++way) {
    std::optional<TraceItem> next;
    switch (item.kind()) {
      case PointKind::kPath:
        next = LocalOf(item);
        if (!next) return steps->empty() ? std::make_optional(item) : std::nullopt;
        PushSteps(item.point().steps, steps);
        break;
      case PointKind::kLocal: {
        uint32_t pass = 0;
        if (item.node == nullptr || item.point().is_key || item.point().loop == RecordTable::kNoPoint) {
          return std::nullopt;
        }
        const TraceNode* const loop = LoopAround(item.node, item.point().loop, &pass);
        if (loop == nullptr) return std::nullopt;
        next = PartOf({item.table, item.point().loop, loop}, kCollection);
        if (!next || !next->is_there()) return std::nullopt;
        const std::optional<Value> key = KeyOf(next->value(), pass);
        if (!key) return std::nullopt;
        PushSteps(item.point().steps, steps);
        steps->push_back(*key);
        break;
      }
      case PointKind::kSteps:
        next = PartOf(item, 0);
        PushSteps(item.point().steps, steps);
        break;
      case PointKind::kIndex: {
        const std::optional<TraceItem> key = PartOf(item, 1);
        if (!key || !key->is_there()) return std::nullopt;
        next = PartOf(item, 0);
        steps->push_back(key->value().unmarked());
        break;
      }
      case PointKind::kConditional: {
        if (steps->empty()) return item;
        const std::optional<TraceItem> condition = PartOf(item, 0);
        if (!condition || !condition->is_there() || IsHidden(condition->value())) return std::nullopt;
        const Truth truth = TruthOf(condition->value());
        if (truth == Truth::kNeither) return std::nullopt;
        next = PartOf(item, truth == Truth::kTrue ? 1 : 2);
        break;
      }
      case PointKind::kCall:
        if (steps->empty()) return item;
        next = BodyOf(item);
        break;
      default:
        if (steps->empty()) return item;
        next = Step(item, steps->back());
        if (next) steps->pop_back();
        break;
    }
    if (!next || !next->is_there()) return std::nullopt;
    item = *next;
  }
  return std::nullopt;
}

}  // namespace hcl::internal
