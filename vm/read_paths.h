// ReadPaths: the paths by which a module reads its variables, as numbers.
//
// A path goes by attributes of objects and by keys of maps that the text names. It ends where the type has none of that
// name, at elements of collections, and after kMaxSteps: what it ends at is read whole.
//
// Internal to the machine. Tested by tests/reads_test.cc.

#ifndef HCLVM_VM_READ_PATHS_H_
#define HCLVM_VM_READ_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_part.h"

namespace hcl::internal {

// Not thread-safe while paths are added; thread-safe and immutable from then on.
class ReadPaths {
 public:
  static constexpr uint32_t kMaxSteps = 32;

  // The path of the next variable, without steps. Variables come first, so that paths and slots have the same numbers.
  uint32_t AddVariable(Type type);
  // The path one step further; none where it ends.
  std::optional<uint32_t> Step(uint32_t from, std::string_view name);
  // `path`, where the value must exist and nothing in it is read.
  uint32_t WithoutParts(uint32_t path);

  uint32_t VariableOf(uint32_t path) const { return nodes_[path].variable; }
  // The names of the steps, and whether nothing is read of what they lead to.
  struct Steps {
    std::vector<std::string_view> names;
    bool is_without_parts = false;
  };
  Steps StepsOf(uint32_t path) const;

  // What the paths, which are of one variable, read of its value.
  TypePart PartOf(absl::Span<const uint32_t> paths) const;

 private:
  enum class Kind : uint8_t { kPlain, kKey, kWithoutParts };
  struct Node {
    uint32_t before;  // the path without the last step
    uint32_t variable;
    uint32_t steps;
    Kind kind;
    Type type;
    std::string name;
  };

  std::optional<std::pair<Type, Kind>> StepInto(const Node& from, std::string_view name) const;
  uint32_t Add(uint32_t from, Kind kind, Type type, std::string_view name);

  std::vector<Node> nodes_;
  HashMap<std::pair<uint32_t, std::string>, uint32_t> found_;  // by path and step
};

// Adds what is needed of a JSON text that becomes a value of `type`, of which `part` is read. Recursion follows the
// type.
void AddNeeded(Type type, const TypePart& part, JsonProjection* needed);

}  // namespace hcl::internal

#endif  // HCLVM_VM_READ_PATHS_H_
