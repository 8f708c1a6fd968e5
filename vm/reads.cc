// Reads. Tested by tests/reads_test.cc.
//
// Of a module, the text says what is read. Of other programs, the code does: every reading of a variable is an operand.

#include "hclvm/vm/reads.h"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/vm/chunk_walk.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/read_paths.h"
#include "hclvm/vm/read_types.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/type_part.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using internal::ModuleTables;
using internal::ProgramTables;
using internal::ReadTypes;

// Steps of a path that are told apart. What is deeper is read whole.
constexpr uint32_t kMaxDepth = 32;

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

// What the text of the chunks reads, and the values that become of it.
void AddVariables(const ModuleTables& module, absl::Span<const uint32_t> chunks, ReadTypes* types) {
  std::map<uint32_t, std::vector<uint32_t>> paths;  // by slot
  std::set<uint32_t> all;
  for (const uint32_t chunk : chunks) all.insert(module.reads[chunk].begin(), module.reads[chunk].end());
  for (const uint32_t path : all) paths[module.read_paths.VariableOf(path)].push_back(path);
  types->plans.resize(module.variables.size());
  for (const auto& [slot, reads] : paths) {
    const internal::ModuleVariable& variable = module.variables[slot];
    const internal::TypePart part = module.read_paths.PartOf(reads);
    internal::AddNeeded(variable.type, part, types->needed.Need(variable.name));
    types->plans[slot] =
        std::make_unique<const internal::BindingPlan>(variable.type, part, variable.defaults.get(), &types->heap);
  }
}

}  // namespace

Reads::Reads(std::shared_ptr<const Program> program, absl::Span<const uint32_t> chunks) {
  auto types = std::make_unique<ReadTypes>(std::move(program));
  const ProgramTables& tables = internal::TablesOf(*types->program);
  if (tables.module() != nullptr) {
    AddVariables(*tables.module(), chunks, types.get());
  } else {
    ReadFinder finder(tables);
    for (const uint32_t chunk : chunks) finder.Find(chunk);
    types->needed.Add(finder.reads());
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
