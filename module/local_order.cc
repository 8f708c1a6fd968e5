// The order of locals. Tested by module/module_test.cc.

#include "hclvm/module/local_order.h"

#include <algorithm>
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
  Sorter(const std::vector<DeclaredLocal>& locals, uint32_t max_depth, Diagnostics* diagnostics)
      : locals_(locals), max_depth_(max_depth), diagnostics_(diagnostics), nodes_(locals.size()) {
    HashMap<std::string, size_t> by_name;
    for (size_t n = 0; n < locals.size(); ++n) by_name.emplace(locals[n].name, n);
    for (size_t n = 0; n < locals.size(); ++n) {
      for (const StaticTraversal& read : Variables(ViewOf(*locals[n].value.expr, *locals[n].value.source))) {
        if (read.root != "local" || read.steps.empty()) continue;
        const auto found = by_name.find(ToNfc(read.steps[0].text));
        if (found != by_name.end()) nodes_[n].reads.push_back(found->second);
      }
    }
  }

  std::vector<size_t> Sort() {
    for (size_t n = 0; n < nodes_.size(); ++n) Visit(n);
    return order_;
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone, kWrong };
  struct Node {
    std::vector<size_t> reads;
    size_t next = 0;  // of reads
    uint32_t depth = 1;
    State state = State::kNew;
  };

  void Visit(size_t root) {
    if (nodes_[root].state != State::kNew) return;
    Open(root);
    while (!open_.empty()) {
      const size_t at = open_.back();
      Node& node = nodes_[at];
      if (node.next == node.reads.size()) {
        Close(at);
        continue;
      }
      const size_t read = node.reads[node.next++];
      if (nodes_[read].state == State::kNew) {
        Open(read);
      } else if (nodes_[read].state == State::kOpen) {
        ReportCircle(read);
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
    for (const size_t read : node.reads) {
      wrong = wrong || nodes_[read].state == State::kWrong;
      node.depth = std::max(node.depth, nodes_[read].depth + 1);
    }
    if (!wrong && node.depth > max_depth_) {
      wrong = true;
      Diagnostic diagnostic(DiagnosticCode::kLocalsTooDeep);
      diagnostic.detail = absl::StrCat("Locals that are made of each other must not form chains of more than ",
                                       max_depth_, " (limit max_nesting_depth).");
      diagnostic.subject = locals_[at].place.range;
      diagnostic.source = locals_[at].place.source;
      diagnostics_->Add(std::move(diagnostic));
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
      absl::StrAppend(&circle, "local.", locals_[*at].name, " (", TextOf(locals_[*at].place), ") -> ");
    }
    absl::StrAppend(&circle, "local.", locals_[first].name);
    AddModuleError(locals_[first].place, DiagnosticCode::kCycleOfLocals,
                   absl::StrCat("A local cannot be made of itself: ", circle, "."), diagnostics_);
    nodes_[open_.back()].state = State::kWrong;
  }

  static constexpr ptrdiff_t kMaxShown = 12;

  const std::vector<DeclaredLocal>& locals_;
  uint32_t max_depth_;
  Diagnostics* diagnostics_;
  std::vector<Node> nodes_;
  std::vector<size_t> open_;
  std::vector<size_t> order_;
};

}  // namespace

std::vector<size_t> OrderLocals(const std::vector<DeclaredLocal>& locals, uint32_t max_depth,
                                Diagnostics* diagnostics) {
  return Sorter(locals, max_depth, diagnostics).Sort();
}

}  // namespace hcl::internal
