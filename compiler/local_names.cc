// LocalNames. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/local_names.h"

#include <cstddef>

namespace hcl::internal {

LocalVariable* LocalNames::New(std::string_view name, bool is_key) {
  auto* const local = arena_.New<LocalVariable>();
  local->name = name;
  local->level = static_cast<uint32_t>(loops_.size());
  local->is_key = is_key;
  return local;
}

// The caller's variables become locals when they are first read.
LocalVariable* LocalNames::FindAmong(std::string_view name) {
  for (size_t n = loops_.size(); n-- > 0;) {
    if (loops_[n]->name == name) return loops_[n];
  }
  for (size_t n = host_.size(); n-- > 0;) {
    if (host_[n].name != name) continue;
    LocalVariable* const local = New(name, /*is_key=*/false);
    local->level = UINT32_MAX - static_cast<uint32_t>(n);
    local->reg = host_[n].reg;
    return local;
  }
  return nullptr;
}

void LocalNames::EnterLoop(std::string_view key, std::string_view value, LoopVariables* variables) {
  variables->key_name = key;
  variables->value_name = value;
  loops_.push_back(variables->key = New(key, /*is_key=*/true));
  loops_.push_back(variables->value = New(value, /*is_key=*/false));
}

void LocalNames::LeaveLoop(LoopVariables* variables) {
  loops_.pop_back();
  loops_.pop_back();
  if (!variables->key->is_read) variables->key = nullptr;
  if (!variables->value->is_read) variables->value = nullptr;
}

void LocalNames::EnterSplat(LoopVariables* variables) {
  EnterLoop("", "", variables);
  splat_items_.push_back(variables->value);
}

void LocalNames::LeaveSplat(LoopVariables* variables) {
  splat_items_.pop_back();
  LeaveLoop(variables);
}

}  // namespace hcl::internal
