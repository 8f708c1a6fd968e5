// hclvm.SourceTree and hclvm.format_config. Tested by bindings/python/tests/test_source_tree.py.

#include "hclvm/bindings/python/source_tree.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/program.h"
#include "hclvm/hcl/format.h"
#include "hclvm/hcl/source_tree.h"

namespace hcl::python {
namespace {

void RaiseUnlessOk(const absl::Status& status) {
  if (!status.ok()) Raise(PyExc_ValueError, std::string(status.message()));
}

SourceTree ReadTree(const py::object& text) {
  absl::StatusOr<SourceTree> tree = SourceTree::Read(std::string(Bytes(text, "the text").view()));
  RaiseUnlessOk(tree.status());
  return *std::move(tree);
}

uint32_t Checked(const SourceTree& tree, uint32_t node) {
  if (node >= tree.nodes().size()) Raise(PyExc_IndexError, "the tree has no such node");
  return node;
}

std::optional<uint32_t> Found(uint32_t node) { return node == kNoSource ? std::nullopt : std::optional(node); }

std::vector<std::string_view> Views(const std::vector<std::string>& labels) { return {labels.begin(), labels.end()}; }

const char* KindOf(const SourceTree& tree, uint32_t node) {
  switch (tree.nodes()[Checked(tree, node)].kind) {
    case SourceNodeKind::kFile:
      return "file";
    case SourceNodeKind::kAttribute:
      return "attribute";
    case SourceNodeKind::kBlock:
      return "block";
    case SourceNodeKind::kBroken:
      break;
  }
  return "broken";
}

std::vector<uint32_t> Items(const SourceTree& tree, uint32_t body) {
  std::vector<uint32_t> items;
  for (uint32_t node = tree.nodes()[Checked(tree, body)].first_child; node != kNoSource;
       node = tree.nodes()[node].next) {
    items.push_back(node);
  }
  return items;
}

}  // namespace

void DefineSourceTree(py::module_* module) {
  using namespace pybind11::literals;  // NOLINT(google-build-using-namespace)
  using Labels = std::vector<std::string>;
  const Labels none;
  py::class_<SourceTree>(*module, "SourceTree",
                         "A config with its blanks and comments: any text has a tree, also a wrong one.\n\nNodes are "
                         "numbers; 0 is the file. Edits keep the comments around them, and number nodes anew.")
      .def(py::init(&ReadTree), "text"_a)
      .def_property_readonly(
          "text", [](const SourceTree& tree) { return ToStr(tree.text()); }, "The text, byte for byte.")
      .def("items", &Items, "body"_a = 0, "The items of `body`, the file or a block, in their order.")
      .def("kind", &KindOf, "node"_a, "What `node` is: \"file\", \"attribute\", \"block\" or \"broken\".")
      .def(
          "name", [](const SourceTree& tree, uint32_t node) { return ToStr(tree.NameOf(Checked(tree, node))); },
          "node"_a, "The name of an attribute or the type of a block that `node` is.")
      .def(
          "labels", [](const SourceTree& tree, uint32_t node) { return tree.LabelsOf(Checked(tree, node)); }, "node"_a,
          "The labels of the block that `node` is, without quotes.")
      .def(
          "value", [](const SourceTree& tree, uint32_t node) { return ToStr(tree.ValueOf(Checked(tree, node))); },
          "node"_a, "The value of the attribute that `node` is, as it is written.")
      .def(
          "range",
          [](const SourceTree& tree, uint32_t node) {
            const SourceRange range = tree.RangeOf(Checked(tree, node));
            return std::make_pair(range.begin, range.end);
          },
          "node"_a, "Where `node` begins and ends, in bytes of UTF-8.")
      .def("node_at", &SourceTree::NodeAt, "offset"_a, "The innermost node at the byte `offset`.")
      .def(
          "find_attribute",
          [](const SourceTree& tree, const std::string& name, uint32_t body) {
            return Found(tree.FindAttribute(Checked(tree, body), name));
          },
          "name"_a, "body"_a = 0, "The attribute `name` of `body`, or None.")
      .def(
          "find_block",
          [](const SourceTree& tree, const std::string& type, const Labels& labels, uint32_t body) {
            return Found(tree.FindBlock(Checked(tree, body), type, Views(labels)));
          },
          "type"_a, "labels"_a = none, "body"_a = 0, "The first block `type` with these `labels` in `body`, or None.")
      .def(
          "set_attribute",
          [](SourceTree& tree, const std::string& name, const std::string& expression, uint32_t body) {
            RaiseUnlessOk(tree.SetAttribute(Checked(tree, body), name, expression));
          },
          "name"_a, "expression"_a, "body"_a = 0,
          "Gives the attribute `name` of `body` the value `expression`, as it is written, or adds it.\n\nRaises "
          "ValueError where the text would not parse, as all edits do.")
      .def(
          "add_block",
          [](SourceTree& tree, const std::string& type, const Labels& labels, uint32_t body) {
            const absl::StatusOr<uint32_t> block = tree.AddBlock(Checked(tree, body), type, Views(labels));
            RaiseUnlessOk(block.status());
            return *block;
          },
          "type"_a, "labels"_a = none, "body"_a = 0,
          "Adds an empty block `type` with `labels` at the end of `body`, and returns it.")
      .def(
          "remove", [](SourceTree& tree, uint32_t node) { RaiseUnlessOk(tree.Remove(Checked(tree, node))); }, "node"_a,
          "Removes the item `node`, with the comments on its line and right above it.")
      .def(
          "rename",
          [](SourceTree& tree, uint32_t node, const std::string& name) {
            RaiseUnlessOk(tree.Rename(Checked(tree, node), name));
          },
          "node"_a, "name"_a, "Gives the attribute `node` another `name`, or the block another type.")
      .def(
          "set_label",
          [](SourceTree& tree, uint32_t node, uint32_t number, const std::string& label) {
            RaiseUnlessOk(tree.SetLabel(Checked(tree, node), number, label));
          },
          "node"_a, "number"_a, "label"_a, "Gives the block `node` another `label`; the first has the `number` 0.");
}

py::str FormatText(const py::object& text, const std::string& name, const py::object& limits) {
  const Limits bounds = LimitsOf(limits);
  const Source source(name, std::string(Bytes(text, "the text").view()));
  Diagnostics diagnostics(bounds.max_diagnostics);
  std::string formatted;
  {
    const py::gil_scoped_release released;
    formatted = FormatConfig(source, bounds, &diagnostics);
  }
  if (diagnostics.has_errors()) Raise(ErrorOf(Phase::kCompile, diagnostics, &source, /*cancelled=*/false));
  return ToStr(formatted);
}

}  // namespace hcl::python
