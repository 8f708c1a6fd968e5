// Decider: runs the entries of a bundle in one thread, within limits.
//
// Tested by serve/decide_api_test.cc.

#ifndef HCLVM_SERVE_DECIDER_H_
#define HCLVM_SERVE_DECIDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/data_set.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/scope_checks.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// What a run came to. Valid until the next run of its decider.
struct Decision {
  Outcome outcome = Outcome::kError;  // kValue, kBadScope, kError or kLimit
  Reason reason = Reason::kOther;     // of kLimit
  Value value;                        // of kValue
  Value marked_value;                 // the same with marks of what is declared as sensitive
  const Diagnostics* diagnostics = nullptr;
  const Diagnostics* warnings = nullptr;  // about the scope; null: none
  const Source* source = nullptr;         // for diagnostics that name none
  uint64_t fuel = 0;                      // that the run took
};

// What the diagnostics of a failed run say of it.
Outcome OutcomeOf(const Diagnostics& diagnostics);
Reason ReasonOf(const Diagnostics& diagnostics);

// Belongs to one thread. Keeps an evaluator for each module that it has come by, up to a number.
class Decider {
 public:
  // `scopes` says what is looked at.
  explicit Decider(const Limits& limits, const ScopeChecks& scopes = {}, size_t max_evaluators = 512);
  ~Decider();

  // Runs entries of this bundle from now on, over data that are made for it, or none. Costs next to nothing where they
  // are the ones before.
  void Use(const std::shared_ptr<const Bundle>& bundle, const std::shared_ptr<const DataLayers>& layers = nullptr);
  const std::shared_ptr<const Bundle>& bundle() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return bundle_; }

  // Binds the scope, an object, and runs the entry, which is one of bundle(). The scope has to live as long as the
  // result. `changed`, unless it is null, says that the last run was of the same module, over a scope of the same
  // names, and which of its values are others now, in their order. The rest is the same, and lives on: what was made of
  // it for that run is used again.
  Decision Run(const BundleEntry& entry, const Value& scope, const Interrupt& interrupt,
               const std::vector<bool>* changed = nullptr);

  // The same for a scope that is the text of a JSON object: what the entry does not read of it is skipped, and what it
  // reads becomes what is declared at once, in `heap`, which has to live as long as the result. False where the text
  // has to be read as a whole and Run() be asked: where anything is wrong with it or the run has failed, since messages
  // name what else there is, and for entries that are rarely asked for.
  bool RunText(const BundleEntry& entry, std::string_view text, Heap* heap, const Interrupt& interrupt,
               Decision* decision);

  // For the blocks of service.hcl, of which bundle() must have one: one evaluator for what comes before the entry is
  // run, and one for what comes behind, so that the variables that the first has made live on.
  Evaluator* before();
  Evaluator* behind();
  // One for each variable of the block `variables`, which bundle() must have, so that each lives on until it is made
  // anew.
  Evaluator* variable(size_t n);

 private:
  struct TextReader;

  Evaluator* EvaluatorFor(uint32_t module);
  TextReader* TextReaderFor(const BundleEntry& entry);
  const BaseLayer* LayerOf(uint32_t module) const;
  Decision Conclude(const Evaluator& evaluator, const Evaluation& evaluation) const;

  const Limits limits_;
  const ScopeChecks scopes_;
  const size_t max_evaluators_;
  size_t evaluator_count_ = 0;
  std::shared_ptr<const Bundle> bundle_;
  std::shared_ptr<const DataLayers> layers_;            // null: none
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // by module
  std::vector<uint8_t> uses_;                           // by entry: how often it was asked for, up to a few times
  internal::HashMap<uint32_t, std::unique_ptr<TextReader>> text_readers_;  // by entry
  std::unique_ptr<Evaluator> before_;
  std::unique_ptr<Evaluator> behind_;
  std::vector<std::unique_ptr<Evaluator>> made_;  // by variable
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DECIDER_H_
