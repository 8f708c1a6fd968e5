// Replay: what a bundle would have decided, of what a decision log holds.
//
// Tested by serve/replay_test.cc.

#ifndef HCLVM_SERVE_REPLAY_H_
#define HCLVM_SERVE_REPLAY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/data_set.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/scope_checks.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

struct ReplayOptions {
  Limits limits;
  bool partial = false;  // also decisions of whose inputs parts are not in the log
  ScopeChecks scopes;    // what the service was asked to look at
};

// Belongs to one thread.
class Replay {
 public:
  // Decisions that have changed, and in the same way.
  struct Group {
    uint64_t count = 0;
    std::string example;  // a decision_id
  };

  // `layers` is null without data.
  Replay(std::shared_ptr<const Bundle> bundle, const std::shared_ptr<const DataLayers>& layers,
         const ReplayOptions& options);

  // Decides again what a line of the log says, without its line end.
  void Add(std::string_view line);

  uint64_t same() const { return same_; }
  uint64_t changed() const { return changed_; }
  // Parts of the inputs are not in the log.
  uint64_t partial() const { return partial_; }
  // No decisions: lines that are broken, or of something else.
  uint64_t broken() const { return broken_; }
  // What has changed: entry, rule before and rule now. The rule of an object is its attribute "rule" or "id"; that of
  // another value is the value.
  const std::map<std::tuple<std::string, std::string, std::string>, Group>& groups() const { return groups_; }

  // All of that, for people.
  std::string Report() const;

 private:
  std::string Decide(const BundleEntry& entry, const Value& input, std::string* rule, std::vector<std::string>* hidden);

  const std::shared_ptr<const Bundle> bundle_;
  const ReplayOptions options_;
  Decider decider_;
  Heap heap_;
  JsonReader reader_;
  uint64_t same_ = 0;
  uint64_t changed_ = 0;
  uint64_t partial_ = 0;
  uint64_t broken_ = 0;
  std::map<std::tuple<std::string, std::string, std::string>, Group> groups_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_REPLAY_H_
