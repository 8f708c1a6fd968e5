// Decider: runs the entries of a bundle in one thread, within limits.
//
// Tested by serve/decide_api_test.cc.

#ifndef HCLVM_SERVE_DECIDER_H_
#define HCLVM_SERVE_DECIDER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// What a run came to. Valid until the next run of its decider.
struct Decision {
  Outcome outcome = Outcome::kError;  // kValue, kBadScope, kError or kLimit
  Reason reason = Reason::kOther;     // of kLimit
  Value value;                        // of kValue
  const Diagnostics* diagnostics = nullptr;
  const Source* source = nullptr;  // for diagnostics that name none
  uint64_t fuel = 0;               // that the run took
};

// What the diagnostics of a failed run say of it.
Outcome OutcomeOf(const Diagnostics& diagnostics);
Reason ReasonOf(const Diagnostics& diagnostics);

// Belongs to one thread. Keeps an evaluator for each module that it has come by, up to a number.
class Decider {
 public:
  explicit Decider(const Limits& limits, size_t max_evaluators = 512)
      : limits_(limits), max_evaluators_(max_evaluators) {}

  // Runs entries of this bundle from now on. Costs next to nothing where it is the one before.
  void Use(const std::shared_ptr<const Bundle>& bundle);
  const std::shared_ptr<const Bundle>& bundle() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return bundle_; }

  // Binds the scope, an object, and runs the entry, which is one of bundle(). The scope has to live as long as the
  // result.
  Decision Run(const BundleEntry& entry, const Value& scope, const Interrupt& interrupt);

  // For the authz block, which bundle() must have: one evaluator for what comes before the entry is run, and one for
  // what comes behind, so that the variables that the first has made live on.
  Evaluator* before();
  Evaluator* behind();

 private:
  Evaluator* EvaluatorFor(uint32_t module);

  const Limits limits_;
  const size_t max_evaluators_;
  size_t evaluator_count_ = 0;
  std::shared_ptr<const Bundle> bundle_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // by module
  std::unique_ptr<Evaluator> before_;
  std::unique_ptr<Evaluator> behind_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DECIDER_H_
