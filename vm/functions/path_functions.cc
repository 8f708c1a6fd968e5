// Functions of paths. Results are those of Go's path.Base and path.Dir, which Terraform's functions call, on every
// system: a config means the same on all of them. Tested by vm/functions/path_functions_test.cc.

#include "hclvm/vm/functions/path_functions.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/find_text.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

constexpr char kSlash = '/';

// Takes the last part off a clean path, with the slash before it. What stands before `floor` stays.
void DropLastPart(size_t floor, std::string* path) {
  const size_t slash = path->rfind(kSlash);
  path->resize(slash == std::string::npos || slash < floor ? floor : slash);
}

// `path` without empty parts and ".", and without ".." and the part before it, where there is one. Parts are put behind
// the result one by one, and ".." takes one off: each byte is written once and taken off once, so that time is linear.
// Parts below `floor` are ".." that lead out of where the path begins, or the root. An empty text when the call has
// failed.
std::string Clean(std::string_view path, FunctionCall* call) {
  Pace pace(call);
  const bool is_rooted = !path.empty() && path.front() == kSlash;
  std::string out;
  if (is_rooted) out.push_back(kSlash);
  size_t floor = out.size();
  for (size_t at = 0; at < path.size();) {
    const size_t slash = FindByte(path, kSlash, at);
    const std::string_view part = path.substr(at, slash == std::string_view::npos ? slash : slash - at);
    at += part.size() + 1;
    if (!pace.Step(part.size() + 8)) return "";
    if (part.empty() || part == ".") continue;
    if (part == ".." && out.size() > floor) {
      DropLastPart(floor, &out);
      continue;
    }
    // Nothing is above the root.
    if (part == ".." && is_rooted) continue;
    if (!out.empty() && out.back() != kSlash) out.push_back(kSlash);
    out.append(part);
    if (part == "..") floor = out.size();
  }
  return out.empty() ? "." : out;
}

// Only slashes at the end are taken off: the last part stays as it is, also "." and "..".
Value BaseName(FunctionCall* call, absl::Span<const Value> arguments) {
  std::string_view path = arguments[0].AsString();
  if (!call->Charge(path.size() / 16)) return Value();
  if (path.empty()) return Value::StringView(".");
  const size_t last = path.find_last_not_of(kSlash);
  if (last == std::string_view::npos) return Value::StringView("/");
  path = path.substr(0, last + 1);
  // Without a slash npos becomes 0.
  path.remove_prefix(path.rfind(kSlash) + 1);
  return path.size() == arguments[0].AsString().size() ? arguments[0] : Value::StringView(path);
}

Value DirName(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view path = arguments[0].AsString();
  if (!CanMake(call, path.size() + 1, 1) || !call->Charge(path.size() / 4)) return Value();
  const std::string folder = Clean(path.substr(0, path.rfind(kSlash) + 1), call);
  return call->failed() ? Value() : Value::String(folder, call->arena());
}

}  // namespace

void RegisterPathFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  builder->Add(Total(Define("basename", {Param("path", string)}, string, BaseName)));
  builder->Add(Total(Define("dirname", {Param("path", string)}, string, DirName)));
}

}  // namespace hcl::internal
