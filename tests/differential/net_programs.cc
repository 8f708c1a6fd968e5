#include "hclvm/tests/differential/net_programs.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hclvm/tests/json_tree.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/value.h"

namespace hcl::differential {
namespace {

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

// An object of the variables that are known: the reference's answers about others changed with each of its versions.
Value KnownVariables(const std::string& text, Heap* heap) {
  JsonTree tree;
  if (!ParseJsonTree(text, &tree) || !tree.is_object()) Die("no variables");
  JsonReader reader;
  std::vector<KeyValue> known;
  for (const auto& [name, value] : tree.members) {
    Value read;
    JsonError error;
    if (!reader.ReadTyped(value.raw, heap, &read, &error)) Die("no variable " + name);
    if (read.is_wholly_known()) known.push_back({Value::String(name, heap->arena()), read});
  }
  return MakeObject(known, heap->arena());
}

}  // namespace

NetPrograms::NetPrograms(const std::string& variables, uint64_t seed)
    : signatures_(corpus_),
      world_(corpus_.WorldOf({KnownVariables(variables, &heap_)})),
      dice_(seed),
      grammar_(&corpus_, signatures_, &dice_),
      mutator_(&corpus_, signatures_, &grammar_, &dice_),
      matrix_(corpus_.shapes(), &grammar_, &dice_) {}

Program NetPrograms::Next() {
  grammar_.Begin(world_);
  switch (dice_.Roll(3)) {
    case 0:
      return {ProgramKind::kExpr, grammar_.Program(2 + static_cast<int>(dice_.Roll(2)))};
    case 1:
      return {ProgramKind::kExpr, mutator_.Next(world_)};
    default:
      return {ProgramKind::kExpr, matrix_.Next(world_)};
  }
}

}  // namespace hcl::differential
