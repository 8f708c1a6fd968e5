// The order of locals and functions. Tested by module/module_test.cc.

#include "hclvm/module/dependency_order.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/module/variable_reader.h"

namespace hcl::internal {
namespace {

// Depth first, with a stack of its own: a chain may be as long as a file.
class Sorter {
 public:
  Sorter(const std::vector<Dependent>& all, uint32_t max_depth, const DependencyMessages& messages,
         Diagnostics* diagnostics)
      : all_(all), max_depth_(max_depth), messages_(messages), diagnostics_(diagnostics), nodes_(all.size()) {}

  std::vector<size_t> Sort() {
    for (size_t n = 0; n < nodes_.size(); ++n) Visit(n);
    return order_;
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone, kWrong };
  struct Node {
    size_t next = 0;  // of what it needs
    uint32_t depth = 1;
    State state = State::kNew;
  };

  void Visit(size_t root) {
    if (nodes_[root].state != State::kNew) return;
    Open(root);
    while (!open_.empty()) {
      const size_t at = open_.back();
      Node& node = nodes_[at];
      if (node.next == all_[at].needs.size()) {
        Close(at);
        continue;
      }
      const size_t need = all_[at].needs[node.next++];
      if (nodes_[need].state == State::kNew) {
        Open(need);
      } else if (nodes_[need].state == State::kOpen) {
        ReportCircle(need);
      }
    }
  }

  void Open(size_t n) {
    nodes_[n].state = State::kOpen;
    open_.push_back(n);
  }

  void Close(size_t at) {
    Node& node = nodes_[at];
    open_.pop_back();
    bool wrong = node.state == State::kWrong;
    for (const size_t need : all_[at].needs) {
      wrong = wrong || nodes_[need].state == State::kWrong;
      node.depth = std::max(node.depth, nodes_[need].depth + 1);
    }
    if (!wrong && node.depth > max_depth_) {
      wrong = true;
      AddModuleError(all_[at].place, messages_.depth_code,
                     absl::StrCat(messages_.depth, " must not form chains of more than ", max_depth_,
                                  " (limit max_nesting_depth)."),
                     diagnostics_);
    }
    node.state = wrong ? State::kWrong : State::kDone;
    if (!wrong) order_.push_back(at);
  }

  // From the one that was met again on, all that are open form the circle.
  void ReportCircle(size_t first) {
    const auto begin = std::find(open_.begin(), open_.end(), first);
    std::string circle;
    for (auto at = begin; at != open_.end(); ++at) {
      if (at - begin == kMaxShown) {
        circle += "... -> ";
        break;
      }
      absl::StrAppend(&circle, all_[*at].name, " (", TextOf(all_[*at].place), ") -> ");
    }
    circle += all_[first].name;
    AddModuleError(all_[first].place, messages_.circle_code, absl::StrCat(messages_.circle, ": ", circle, "."),
                   diagnostics_);
    nodes_[open_.back()].state = State::kWrong;
  }

  static constexpr ptrdiff_t kMaxShown = 12;

  const std::vector<Dependent>& all_;
  uint32_t max_depth_;
  const DependencyMessages& messages_;
  Diagnostics* diagnostics_;
  std::vector<Node> nodes_;
  std::vector<size_t> open_;
  std::vector<size_t> order_;
};

}  // namespace

std::vector<size_t> OrderByNeed(const std::vector<Dependent>& all, uint32_t max_depth,
                                const DependencyMessages& messages, Diagnostics* diagnostics) {
  return Sorter(all, max_depth, messages, diagnostics).Sort();
}

namespace {

// The name of the local that is read, in normal form, or nothing.
std::optional<std::string> LocalOf(const StaticTraversal& read) {
  if (read.root != "local" || read.steps.empty()) return std::nullopt;
  return ToNfc(read.steps[0].text);
}

}  // namespace

HashMap<std::string, uint32_t> CountReads(const std::vector<DeclaredLocal>& locals, const Body& rest) {
  HashMap<std::string, uint32_t> reads;
  if (locals.empty()) return reads;
  const auto count = [&](const std::vector<StaticTraversal>& all) {
    for (const StaticTraversal& read : all) {
      if (std::optional<std::string> name = LocalOf(read)) ++reads[*std::move(name)];
    }
  };
  for (const DeclaredLocal& local : locals) count(Variables(ViewOf(*local.value.expr, *local.value.source)));
  // Whose text it is does not matter.
  count(Variables(rest, *locals[0].value.source));
  return reads;
}

std::vector<size_t> OrderLocals(const std::vector<DeclaredLocal>& locals, uint32_t max_depth,
                                Diagnostics* diagnostics) {
  static constexpr DependencyMessages kMessages = {
      DiagnosticCode::kCycleOfLocals, "A local cannot be made of itself",  //
      DiagnosticCode::kLocalsTooDeep, "Locals that are made of each other"};
  HashMap<std::string, size_t> by_name;
  for (size_t n = 0; n < locals.size(); ++n) by_name.emplace(locals[n].name, n);
  std::vector<Dependent> all;
  all.reserve(locals.size());
  for (const DeclaredLocal& local : locals) {
    Dependent& one = all.emplace_back();
    one.name = absl::StrCat("local.", local.name);
    one.place = local.place;
    for (const StaticTraversal& read : Variables(ViewOf(*local.value.expr, *local.value.source))) {
      const std::optional<std::string> name = LocalOf(read);
      const auto found = name ? by_name.find(*name) : by_name.end();
      if (found != by_name.end()) one.needs.push_back(found->second);
    }
  }
  return OrderByNeed(all, max_depth, kMessages, diagnostics);
}

}  // namespace hcl::internal
