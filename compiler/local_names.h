// LocalNames: the variables of loops, and those of the caller, by their names. Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_LOCAL_NAMES_H_
#define HCLVM_COMPILER_LOCAL_NAMES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/bound_tree.h"

namespace hcl::internal {

// A variable that the caller keeps in a register; an inner one hides an outer one.
struct HostLocal {
  std::string_view name;
  uint16_t reg;
};

// Not thread-safe.
class LocalNames {
 public:
  // Both must outlive this.
  LocalNames(const std::vector<HostLocal>* host, Arena* arena) : host_(*host), arena_(*arena) {}

  // Another expression begins, which is in no loop.
  void Clear() { loops_.clear(), splat_items_.clear(); }
  // The innermost variable of that name, or null.
  LocalVariable* Find(std::string_view name) { return loops_.empty() && host_.empty() ? nullptr : FindAmong(name); }
  // A loop's variables are visible from here to LeaveLoop(), which forgets those that nothing has read.
  void EnterLoop(std::string_view key, std::string_view value, LoopVariables* variables);
  void LeaveLoop(LoopVariables* variables);
  // The same for a splat, whose element has no name.
  void EnterSplat(LoopVariables* variables);
  void LeaveSplat(LoopVariables* variables);
  // The element of the innermost splat, in which the expression has to be.
  LocalVariable* splat_item() const { return splat_items_.back(); }

 private:
  ABSL_ATTRIBUTE_NOINLINE LocalVariable* FindAmong(std::string_view name);
  LocalVariable* New(std::string_view name, bool is_key);

  const std::vector<HostLocal>& host_;
  Arena& arena_;
  PlainList<LocalVariable*, 8> loops_;  // the innermost last
  PlainList<LocalVariable*, 8> splat_items_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_LOCAL_NAMES_H_
