// KnownBodies. Tested by lsp/features/completion_test.cc.

#include "hclvm/lsp/features/known_bodies.h"

#include <cstddef>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/vm/type_text.h"
#include "hclvm/vm/value/type.h"

namespace hcl::lsp {
namespace {

using Kind = DecodeSpec::Kind;

// A row of the tables below.
struct Row {
  std::string_view in;  // types of the blocks around, with "/" between them
  std::string_view name;
  bool is_block;
  std::string_view detail;
  std::string_view snippet;
};

constexpr Row kModuleRows[] = {
    {"", "variable", true, "declares a variable", "variable \"${1:name}\" {\n  type = ${2:string}\n}"},
    {"", "locals", true, "names values", "locals {\n  ${1:name} = $0\n}"},
    {"", "function", true, "defines a function", "function \"${1:name}\" {\n  params = [${2:value}]\n  result = $0\n}"},
    {"variable", "type", false, "the type of its values; any without it", "type = ${1:string}"},
    {"variable", "default", false, "the value where none is given", "default = $0"},
    {"variable", "nullable", false, "its value may be null", "nullable = true"},
    {"variable", "sensitive", false, "its value is hidden in outputs", "sensitive = true"},
    {"variable", "ephemeral", false, "its value is hidden in outputs, and ephemeralasnull leaves it out",
     "ephemeral = true"},
    {"variable", "deprecated", false, "what who gives a value is told", "deprecated = \"$0\""},
    {"variable", "const", false, "for Terraform and OpenTofu; changes nothing", "const = true"},
    {"variable", "description", false, "a text for people", "description = \"$0\""},
    {"variable", "validation", true, "what must hold of the value",
     "validation {\n  condition     = $1\n  error_message = \"$0\"\n}"},
    {"variable/validation", "condition", false, "must be true", "condition = $0"},
    {"variable/validation", "error_message", false, "what is said where it is not", "error_message = \"$0\""},
    {"function", "params", false, "the names of its parameters", "params = [$0]"},
    {"function", "variadic_param", false, "the name of a list of further arguments", "variadic_param = $0"},
    {"function", "result", false, "what it gives", "result = $0"},
};

constexpr Row kTestRows[] = {
    {"", "test", true, "a request, and what is expected of it",
     "test \"${1:name}\" {\n  with   = { $2 }\n  expect = { $0 }\n}"},
    {"", "variables", true, "the usual request", "variables {\n  $0\n}"},
    {"", "locals", true, "names values", "locals {\n  ${1:name} = $0\n}"},
    {"", "function", true, "stands in for a function of the host",
     "function \"${1:name}\" {\n  params = [${2:value}]\n  result = $0\n}"},
    {"test", "with", false, "variables, laid over the usual request", "with = { $0 }"},
    {"test", "without", false, "paths that the request lacks", "without = [\"$0\"]"},
    {"test", "expect", false, "entries and their values", "expect = { $0 }"},
    {"test", "expect_part", false, "entries and parts of their values", "expect_part = { $0 }"},
    {"test", "fails", false, "entries that fail, and the code", "fails = { $1 = \"HCL$0\" }"},
    {"test", "cases", false, "a table of requests", "cases = {\n  ${1:name} = { with = { $0 } }\n}"},
    {"test", "requests", false, "a file of recorded requests", "requests = \"$0\""},
    {"test", "answers", false, "a file of their answers", "answers = \"$0\""},
    {"test", "assert", true, "a condition that must hold", "assert {\n  condition = $0\n}"},
    {"test/assert", "condition", false, "must be true", "condition = $0"},
    {"test/assert", "error_message", false, "what is said where it is not", "error_message = \"$0\""},
    {"function", "params", false, "the names of its parameters", "params = [$0]"},
    {"function", "variadic_param", false, "the name of a list of further arguments", "variadic_param = $0"},
    {"function", "result", false, "what it gives", "result = $0"},
};

// Blocks of a spec file stand in one another as they like.
constexpr Row kSpecRows[] = {
    {"", "object", true, "an object of what is in it", "object {\n  $0\n}"},
    {"", "array", true, "a tuple of what is in it", "array {\n  $0\n}"},
    {"", "attr", true, "an attribute", "attr {\n  name = \"${1:name}\"\n  type = ${2:string}\n}"},
    {"", "block", true, "one block", "block {\n  block_type = \"${1:name}\"\n  $0\n}"},
    {"", "block_list", true, "a list of blocks", "block_list {\n  block_type = \"${1:name}\"\n  $0\n}"},
    {"", "block_tuple", true, "a tuple of blocks", "block_tuple {\n  block_type = \"${1:name}\"\n  $0\n}"},
    {"", "block_set", true, "a set of blocks", "block_set {\n  block_type = \"${1:name}\"\n  $0\n}"},
    {"", "block_map", true, "blocks by their labels",
     "block_map {\n  block_type = \"${1:name}\"\n  labels = [\"${2:key}\"]\n  $0\n}"},
    {"", "block_attrs", true, "the attributes of a block",
     "block_attrs {\n  block_type = \"${1:name}\"\n  element_type = ${2:string}\n}"},
    {"", "default", true, "one value where another is null", "default {\n  $0\n}"},
    {"", "literal", true, "a fixed value", "literal {\n  value = $0\n}"},
    {"", "transform", true, "what an expression makes of a value", "transform {\n  result = $0\n}"},
    {"attr", "name", false, "the attribute's name", "name = \"$0\""},
    {"attr", "type", false, "its type", "type = ${1:string}"},
    {"attr", "required", false, "it must be there", "required = true"},
};

std::vector<KnownItem> RowsIn(absl::Span<const Row> rows, std::string_view in) {
  std::vector<KnownItem> items;
  for (const Row& row : rows) {
    if (row.in == in) {
      items.push_back({std::string(row.name), row.is_block, std::string(row.detail), std::string(row.snippet)});
    }
  }
  return items;
}

// Labels of blocks that a spec wants, as a snippet asks for them.
std::string BlockSnippet(const DecodeSpec& spec) {
  std::string snippet = spec.name();
  std::vector<std::string> labels;
  if (spec.kind() == Kind::kBlockMap || spec.kind() == Kind::kBlockObject) labels = spec.names();
  if (spec.content() != nullptr) {
    for (std::string& label : ImpliedLabels(*spec.content())) labels.push_back(std::move(label));
  }
  for (size_t n = 0; n < labels.size(); ++n) absl::StrAppend(&snippet, " \"${", n + 1, ":", labels[n], "}\"");
  return snippet + " {\n  $0\n}";
}

// Recursion follows the spec, which its file's limit of nesting has bounded.
void AddItems(const DecodeSpec& spec, absl::Span<const std::string_view> types, std::set<std::string>* names,
              std::vector<KnownItem>* items) {
  if (spec.is_block()) {
    if (types.empty()) {
      if (names->insert(spec.name()).second) {
        items->push_back({spec.name(), /*is_block=*/true, "block", BlockSnippet(spec)});
      }
    } else if (types[0] == spec.name() && spec.content() != nullptr) {
      AddItems(*spec.content(), types.subspan(1), names, items);
    }
    return;
  }
  if (spec.kind() == Kind::kAttribute && types.empty() && names->insert(spec.name()).second) {
    items->push_back({spec.name(), /*is_block=*/false,
                      absl::StrCat(ToTypeSyntax(spec.type()), spec.required() ? ", required" : ""),
                      spec.name() + " = $0"});
  }
  for (const DecodeSpecPtr& child : spec.children()) AddItems(*child, types, names, items);
}

}  // namespace

std::vector<KnownItem> ItemsIn(const Project& project, absl::Span<const std::string_view> types) {
  const std::string in = absl::StrJoin(types, "/", [](std::string* out, std::string_view type) { out->append(type); });
  switch (project.kind) {
    case ProjectKind::kModule:
    case ProjectKind::kPlain:
      return RowsIn(kModuleRows, in);
    case ProjectKind::kTests:
      return RowsIn(kTestRows, in);
    case ProjectKind::kSpec: {
      std::vector<KnownItem> items = RowsIn(kSpecRows, "");
      if (types.empty()) return items;
      std::vector<KnownItem> own = RowsIn(kSpecRows, types.back());
      return own.empty() ? items : own;
    }
    case ProjectKind::kDecoded:
      break;
  }
  return {};
}

std::vector<KnownItem> ItemsBySpec(const DecodeSpec& spec, absl::Span<const std::string_view> types) {
  std::set<std::string> names;
  std::vector<KnownItem> items;
  AddItems(spec, types, &names, &items);
  return items;
}

}  // namespace hcl::lsp
