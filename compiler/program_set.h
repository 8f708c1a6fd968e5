// ProgramSet: many small programs, such as one policy for each of thousands of tenants, that are evaluated over the
// same scope.
//
//   auto set = std::make_shared<hcl::ProgramSet>(options);
//   if (!set->Put("tenant-1", "user.admin && path != \"/\"", &diagnostics)) Show(diagnostics);
//   hcl::SetEvaluator evaluator(set);  // one for each thread; the set is shared
//   evaluator.Bind("user", user);      // once for all programs
//   const hcl::Evaluation& one = evaluator.Run(*evaluator.Find("tenant-1"));
//   const hcl::SetEvaluator::Match match = evaluator.FindTrue();  // the first whose value is true
//
// Programs that came one after the other share code tables: strings, paths, shapes, variables, and an evaluator's
// memory. So they take a fraction of what each takes alone.
//
// Tested by compiler/program_set_test.cc and tests/slow/program_set_law_test.cc.

#ifndef HCLVM_COMPILER_PROGRAM_SET_H_
#define HCLVM_COMPILER_PROGRAM_SET_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

namespace internal {
struct SetSnapshot;
class SetSegment;
}  // namespace internal

// Thread-safe: programs may be put, removed and looked up while evaluators run. Put() and Remove() wait for one
// another, and no evaluation waits for them.
class ProgramSet {
 public:
  // What stands for a program: a small number, its position in the order of programs. A name keeps its id as long as it
  // is there; that of a removed program goes to the next new one.
  using Id = uint32_t;

  // All programs are compiled with `options`, whose functions are kept.
  explicit ProgramSet(const CompileOptions& options);
  ProgramSet(const ProgramSet&) = delete;
  ProgramSet& operator=(const ProgramSet&) = delete;
  // Evaluators keep what they evaluate.
  ~ProgramSet();

  // Compiles `text`, an expression, as the program `name` (which diagnostics show), in place of the one of that name if
  // there is one. False, with diagnostics, where it has errors, it and the name have more than 4 GiB, or the
  // set has 2^32 - 2 programs; it is then as before. Memory that the system refuses is a limit. Time: that of compiling
  // `text`; of copying the code of at most four of the other programs, whatever their number is (the few whose code
  // cannot be copied are compiled again); and of copying the list of programs, some bytes for 4096 of them. Once for
  // some hundred programs, it takes as long as checking the code of all of these.
  bool Put(std::string_view name, std::string_view text, Diagnostics* diagnostics);
  // False where there is no such program.
  bool Remove(std::string_view name);

  // The program of that name, as it is now.
  std::optional<Id> Find(std::string_view name) const;
  // How many programs there are.
  size_t size() const;
  // Name and text of the program, as it is now; null where there is none.
  std::shared_ptr<const Source> SourceOf(Id id) const;
  // Bytes held, with texts and names, and without functions.
  size_t MemoryBytes() const;

  // For SetEvaluator: what there is now.
  std::shared_ptr<const internal::SetSnapshot> snapshot() const;
  const CompileOptions& options() const ABSL_ATTRIBUTE_LIFETIME_BOUND;

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

// Evaluates programs of a set. Belongs to one thread at a time; any number of them may share a set. Not copyable.
class SetEvaluator {
 public:
  using Id = ProgramSet::Id;

  // `limits` are those of each run.
  explicit SetEvaluator(std::shared_ptr<const ProgramSet> set, const Limits& limits = {});
  SetEvaluator(const SetEvaluator&) = delete;
  SetEvaluator& operator=(const SetEvaluator&) = delete;
  ~SetEvaluator();

  // Programs are those that there were when this was called last, or when the evaluator was made, so that what is asked
  // between two calls goes together. Results become invalid. Time: constant, where nothing has changed.
  void Update();

  // Gives the variable `name` a value in all programs, for the following runs. The value's memory must live until it is
  // bound anew or unbound.
  void Bind(std::string_view name, const Value& value);
  // Binds each attribute of an object (or element of a map), which must live as long, to the variable of its name and
  // unbinds all others.
  void BindAll(const Value& object);
  void UnbindAll();
  // As Evaluator has it.
  void set_interrupt(const Interrupt& interrupt);

  // The program of that name, for Run(): as the evaluator has it, which is behind an Update() where the set has had it
  // put since. None where the set has none of that name now. An id of ProgramSet::Find() may stand for another program
  // until Update().
  std::optional<Id> Find(std::string_view name);
  // Ids are below this; whether there is a program with that id.
  size_t id_limit() const;
  bool Has(Id id) const;

  // Evaluates one program. Requires Has(id). The result, valid until the next run, is what an Evaluator of the program
  // alone gives, but for the fuel that is left, which can be another; diagnostics whose source is null are about
  // SourceOf(id).
  const Evaluation& Run(Id id) ABSL_ATTRIBUTE_LIFETIME_BOUND;
  // Evaluates all, in the order of their ids: calls `use(id, evaluation)` for each, until it returns false. `use` must
  // not run or change this evaluator.
  void RunAll(const std::function<bool(Id id, const Evaluation& evaluation)>& use);

  // What FindTrue() has found.
  struct Match {
    std::optional<Id> id;                    // none: no value is true, and none might be
    const Evaluation* evaluation = nullptr;  // of that program, until the next run
    // Whether its value is true. Otherwise it has failed, or its value is not known: it might come first.
    bool is_true = false;
  };
  // Evaluates programs in the order of their ids up to the first whose value is true (marks do not matter), or of which
  // that cannot be told. Other values are passed over. Programs whose first tests tell that they have such a
  // value are not run, and cost no fuel: time is a few looks for 256 programs each, and what the others take.
  Match FindTrue() ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // Name and text of the program that Run(id) evaluates. Requires Has(id). Diagnostics do not keep it.
  std::shared_ptr<const Source> SourceOf(Id id) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hcl

#endif  // HCLVM_COMPILER_PROGRAM_SET_H_
