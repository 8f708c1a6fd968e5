// ReadPaths. Tested by tests/reads_test.cc.

#include "hclvm/vm/read_paths.h"

#include <algorithm>

#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

const TypePart& WholePart() {
  static const TypePart& whole = *new TypePart{/*is_whole=*/true, {}};
  return whole;
}

// No name is like this: it is not UTF-8.
constexpr std::string_view kNoParts = "\xff";

}  // namespace

uint32_t ReadPaths::AddVariable(Type type) {
  const auto path = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({path, path, 0, Kind::kPlain, type, {}});
  return path;
}

std::optional<uint32_t> ReadPaths::Step(uint32_t from, std::string_view name) {
  HCL_DCHECK(from < nodes_.size());
  const auto step = StepInto(nodes_[from], name);
  if (!step) return std::nullopt;
  return Add(from, step->second, step->first, name);
}

// Elements of a map are of one type, so that those which are read are read whole.
std::optional<std::pair<Type, ReadPaths::Kind>> ReadPaths::StepInto(const Node& from, std::string_view name) const {
  if (from.steps == kMaxSteps || from.kind != Kind::kPlain) return std::nullopt;
  switch (from.type.kind()) {
    case TypeKind::kDynamic:
      return std::make_pair(from.type, Kind::kPlain);
    case TypeKind::kObject: {
      const TypeNode* const attribute = from.type.FindAttribute(name);
      if (attribute == nullptr) return std::nullopt;
      return std::make_pair(Type(attribute), Kind::kPlain);
    }
    case TypeKind::kMap:
      if (from.type.element().has_dynamic()) return std::nullopt;
      return std::make_pair(from.type.element(), Kind::kKey);
    default:
      return std::nullopt;
  }
}

uint32_t ReadPaths::WithoutParts(uint32_t path) {
  HCL_DCHECK(path < nodes_.size());
  const Node& node = nodes_[path];
  const bool has_parts = node.type.kind() == TypeKind::kObject || node.type.is_dynamic();
  return has_parts && node.kind == Kind::kPlain ? Add(path, Kind::kWithoutParts, node.type, kNoParts) : path;
}

uint32_t ReadPaths::Add(uint32_t from, Kind kind, Type type, std::string_view name) {
  const auto [it, is_new] =
      found_.try_emplace(std::make_pair(from, std::string(name)), static_cast<uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({from, nodes_[from].variable, nodes_[from].steps + 1, kind, type, std::string(name)});
  return it->second;
}

ReadPaths::Steps ReadPaths::StepsOf(uint32_t path) const {
  Steps steps;
  for (; nodes_[path].steps > 0; path = nodes_[path].before) {
    const Node& node = nodes_[path];
    node.kind == Kind::kWithoutParts ? void(steps.is_without_parts = true) : steps.names.push_back(node.name);
  }
  std::reverse(steps.names.begin(), steps.names.end());
  return steps;
}

// In the order of their steps, a path is followed by those that begin with it, and each new part is the last one.
TypePart ReadPaths::PartOf(absl::Span<const uint32_t> paths) const {
  std::vector<Steps> sorted;
  sorted.reserve(paths.size());
  for (const uint32_t path : paths) sorted.push_back(StepsOf(path));
  std::sort(sorted.begin(), sorted.end(), [](const Steps& a, const Steps& b) { return a.names < b.names; });
  TypePart all;
  for (const Steps& steps : sorted) {
    TypePart* part = &all;
    for (const std::string_view name : steps.names) {
      if (part->is_whole) break;
      if (part->parts.empty() || part->parts.back().name != name) part->parts.push_back({std::string(name), {}});
      part = &part->parts.back().part;
    }
    if (steps.is_without_parts) continue;
    part->is_whole = true;
    part->parts.clear();
  }
  return all;
}

void AddNeeded(Type type, const TypePart& part, JsonProjection* needed) {
  switch (type.kind()) {
    case TypeKind::kDynamic:
      if (part.is_whole) return needed->NeedAll();
      for (const TypePart::Named& named : part.parts) AddNeeded(type, named.part, needed->Need(named.name));
      return;
    case TypeKind::kObject:
      for (size_t n = 0; n < type.size(); ++n) {
        const std::string_view name = type.shape().keys[n].AsString();
        const TypePart* const read = part.is_whole ? &part : part.Find(name);
        if (read != nullptr) AddNeeded(type.element(n), *read, needed->Need(name));
      }
      return;
    case TypeKind::kMap:
      if (!part.is_whole && !type.element().has_dynamic()) {
        for (const TypePart::Named& named : part.parts)
          AddNeeded(type.element(), WholePart(), needed->Need(named.name));
        return;
      }
      [[fallthrough]];
    case TypeKind::kList:
    case TypeKind::kSet:
      AddNeeded(type.element(), WholePart(), needed->NeedItems());
      if (needed->items()->needs_all()) needed->NeedAll();
      return;
    default:
      return needed->NeedAll();
  }
}

}  // namespace hcl::internal
