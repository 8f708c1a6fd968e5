// Names of a config in place of variables. Tested by tests/golden.

#include "hclvm/vm/config_names.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/excerpt.h"

namespace hcl::internal {
namespace {

absl::Span<const Entry> FirstEntries(const Program& program) {
  constexpr size_t kMostEntries = 10'000;
  return program.entries().first(std::min(program.entries().size(), kMostEntries));
}

// Whether the config has an attribute of that name, at any place.
bool IsAttribute(const Program& program, std::string_view name) {
  const absl::Span<const Entry> entries = FirstEntries(program);
  return std::any_of(entries.begin(), entries.end(), [name](const Entry& entry) {
    const std::string_view path = entry.path;
    if (path.size() < name.size() || path.substr(path.size() - name.size()) != name) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '.';
  });
}

// Whether a block of that type, which is in no other block, has attributes.
bool IsBlock(const Program& program, std::string_view name) {
  const absl::Span<const Entry> entries = FirstEntries(program);
  return std::any_of(entries.begin(), entries.end(), [name](const Entry& entry) {
    const std::string_view path = entry.path;
    return path.size() > name.size() && path[name.size()] == '.' && path.substr(0, name.size()) == name;
  });
}

}  // namespace

std::string HintAtConfig(const Program& program, std::string_view name) {
  if (name == "var" || name == "local") {
    const char* const block = name == "var" ? "variable" : "locals";
    if (IsBlock(program, block)) {
      return absl::StrCat(" A \"", block,
                          "\" block declares names in a module, and this config is not compiled as one: hclvm takes a "
                          "folder, or --module FILE, as a module.");
    }
    const std::string prefix(name);
    return absl::StrCat(" A variable is read by its name alone: region, and not ", prefix, ".region.");
  }
  const std::string quoted = absl::StrCat("\"", Excerpt(name), "\"");
  if (IsAttribute(program, name)) {
    return absl::StrCat(" There is an attribute ", quoted,
                        " in this config, but attributes do not read each other: an expression sees the variables of "
                        "the scope. Repeat its expression here, have the host bind it as a variable, or make the "
                        "config a module, which can name its value in a locals block.");
  }
  if (IsBlock(program, name)) {
    return absl::StrCat(
        " There is a block ", quoted,
        " in this config, but expressions do not read blocks: they see the variables of the scope. Have "
        "the host bind it as a variable, or make the config a module, which can name the value in a "
        "locals block.");
  }
  return "";
}

}  // namespace hcl::internal
