// Reads. Tested by tests/reads_test.cc.
//
// Program::paths() is about the program as a whole, and of a module it has the variables as wholes. Here the code is
// gone through instead: every reading of a variable is an operand.

#include "hclvm/vm/reads.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/chunk_walk.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/read_types.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using internal::ModuleTables;
using internal::ProgramTables;
using internal::ReadTypes;

// Steps of a path, and levels of a type, that are told apart. Whatever is deeper is read whole.
constexpr uint32_t kMaxDepth = 32;

const JsonProjection& NeedsAll() {
  static const JsonProjection& all = *[] {
    auto* const made = new JsonProjection();
    made->NeedAll();
    return made;
  }();
  return all;
}

// The reads of some chunks, and of those that they run.
class ReadFinder {
 public:
  explicit ReadFinder(const ProgramTables& program) : program_(program), walk_(program) {}

  // The reads that were found: what is needed of each variable, by its name.
  const JsonProjection& reads() const { return reads_; }

  void Find(uint32_t chunk) {
    walk_.Go(
        chunk, [this](const Path& path) { AddPath(path); }, [](const internal::CallSite&) {});
  }

 private:
  // Up to a step that is no name: an array is read whole, and of an object, a number can be the name of a property.
  void AddPath(const Path& path) {
    JsonProjection* read = reads_.Need(program_.slot_names()[path.slot]);
    uint32_t depth = 0;
    for (const PathStep& step : program_.steps(path)) {
      if (read->needs_all() || !step.key.is_string() || depth++ == kMaxDepth) break;
      read = read->Need(step.key.AsString());
    }
    read->NeedAll();
  }

  const ProgramTables& program_;
  internal::ChunkWalk walk_;
  JsonProjection reads_;
};

// What is needed of a value that becomes one of `type`, of which `reads` is read, and the type that this part of it
// has: objects have the attributes only that are read. Of a map, keys that are not named are left out, unless the types
// of its elements depend on each other.
Type AddTyped(Type type, const JsonProjection& reads, uint32_t depth, TypeTable* types, JsonProjection* needed) {
  if (depth == kMaxDepth) return needed->NeedAll(), type;
  switch (type.kind()) {
    case TypeKind::kDynamic:
      needed->Add(reads);
      return type;
    case TypeKind::kObject: {
      std::vector<Value> keys;
      std::vector<Type> parts;
      for (size_t n = 0; n < type.size(); ++n) {
        const Value& key = type.shape().keys[n];
        const JsonProjection* const read = reads.needs_all() ? &reads : reads.Find(key.AsString());
        if (read == nullptr) continue;
        keys.push_back(key);
        parts.push_back(AddTyped(type.element(n), *read, depth + 1, types, needed->Need(key.AsString())));
      }
      return keys.size() == type.size() && reads.needs_all() ? type : types->Object(*types->InternShape(keys), parts);
    }
    case TypeKind::kMap:
      if (!reads.needs_all() && !type.element().has_dynamic()) {
        reads.ForEach([&](std::string_view name, const JsonProjection&) {
          AddTyped(type.element(), NeedsAll(), depth + 1, types, needed->Need(name));
        });
        return type;
      }
      [[fallthrough]];
    case TypeKind::kList:
    case TypeKind::kSet:
      AddTyped(type.element(), NeedsAll(), depth + 1, types, needed->NeedItems());
      if (needed->items()->needs_all()) needed->NeedAll();
      return type;
    default:
      needed->NeedAll();
      return type;
  }
}

// Validations run before a chunk, and conversions before that, of all variables that it may read.
void AddVariables(const ModuleTables& module, absl::Span<const uint32_t> chunks, ReadFinder* finder, ReadTypes* types) {
  std::set<uint32_t> slots;
  for (const uint32_t chunk : chunks) slots.insert(module.needs[chunk].begin(), module.needs[chunk].end());
  for (const uint32_t slot : slots) {
    for (const internal::ModuleValidation& validation : module.variables[slot].validations) {
      finder->Find(validation.condition);
      finder->Find(validation.message);
    }
  }
  types->variables.resize(module.variables.size());
  const JsonProjection nothing;
  for (const uint32_t slot : slots) {
    const internal::ModuleVariable& variable = module.variables[slot];
    const JsonProjection* const read = finder->reads().Find(variable.name);
    ReadTypes::Variable& part = types->variables[slot];
    part.type = AddTyped(variable.type, read == nullptr ? nothing : *read, 0, types->heap.types(),
                         types->needed.Need(variable.name));
    part.plan = std::make_unique<const internal::BindingPlan>(part.type, variable.defaults.get(), &types->heap);
  }
}

}  // namespace

Reads::Reads(std::shared_ptr<const Program> program, absl::Span<const uint32_t> chunks) {
  auto types = std::make_unique<ReadTypes>(std::move(program));
  const ProgramTables& tables = internal::TablesOf(*types->program);
  ReadFinder finder(tables);
  for (const uint32_t chunk : chunks) {
    HCL_DCHECK(chunk < tables.chunks().size());
    finder.Find(chunk);
  }
  if (tables.module() == nullptr) {
    types->needed.Add(finder.reads());
  } else {
    AddVariables(*tables.module(), chunks, &finder, types.get());
  }
  types_ = std::move(types);
}

Reads::Reads(std::shared_ptr<const Program> program, uint32_t chunk)
    : Reads(std::move(program), absl::MakeConstSpan(&chunk, 1)) {}

Reads::Reads(Reads&&) noexcept = default;
Reads& Reads::operator=(Reads&&) noexcept = default;
Reads::~Reads() = default;
const JsonProjection& Reads::needed() const { return types_->needed; }

}  // namespace hcl
