// Grammar: random expressions, from the grammar of the language and the types of a policy's scope.
//
// It knows the language's operators, loops, steps, templates and calls, and how often policies use each
// (tests/slow/net/corpus.h). It knows nothing of what an optimizer does about any of them. Programs of a seed are the
// same on every platform. Tested by tests/slow/net/generators_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_GRAMMAR_H_
#define HCLVM_TESTS_SLOW_NET_GRAMMAR_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/operators.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/shapes.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/dice.h"

namespace hcl::testing_support {

// Not thread-safe.
class Grammar {
 public:
  // All must outlive the grammar.
  Grammar(Corpus* corpus, const Signatures& signatures, Dice* dice)
      : corpus_(corpus), shapes_(corpus->shapes()), signatures_(signatures), dice_(dice) {}

  // Forgets the program before. What follows is over `world`.
  void Begin(const World& world);

  // An expression of some kind that is more than a path.
  std::string Program(int depth);
  // An expression that is mostly of that kind, `depth` levels deep at most.
  std::string Expr(Want want, int depth);
  // The same, in brackets unless it binds most tightly.
  std::string Operand(Want want, int depth);
  // A variable or a path into one. Paths of one program often begin alike.
  std::string Path(Kind kind);
  // What a loop runs over. *element: the shape of its elements.
  std::string Collection(int depth, uint32_t* element);
  std::string Literal(Kind kind);
  Want AnyWant();

  // `body`, which may read `name`, with that name for `bound`: something of that kind.
  std::string WithName(const std::string& name, const std::string& bound, Kind kind, const std::string& body);

  // Names of loops that what follows may read.
  void Push(std::string name, uint32_t shape, Kind kind) {
    locals_.push_back({std::move(name), shape, kind, said_.size()});
  }
  void Pop(size_t count) {
    if (count == 0) return;
    said_.resize(locals_[locals_.size() - count].said_before);
    locals_.resize(locals_.size() - count);
  }
  size_t local_count() const { return locals_.size(); }

  bool Chance(uint32_t percent) { return dice_->Roll(100) < percent; }
  template <size_t N>
  const char* Pick(const char* const (&items)[N]) {
    return items[dice_->Roll(N)];
  }

 private:
  struct Local {
    std::string name;
    uint32_t shape;
    Kind kind;
    size_t said_before;  // what was said outside of its loop
  };
  // Forms of the grammar; which of them give a kind is in Form().
  enum class Form : uint8_t {
    kPath,
    kLiteral,
    kUnary,
    kArithmetic,
    kComparison,
    kLogic,
    kConditional,
    kCall,
    kAttempt,
    kPart,
    kTemplate,
    kTuple,
    kObject,
    kFor,
    kSplat,
    kNamed,
  };
  struct Weighted {
    Form form;
    uint32_t weight;
  };

  // grammar.cc
  std::vector<Weighted> FormsOf(Kind kind) const;
  Form Choose(const std::vector<Weighted>& forms);
  uint32_t Weight(ExprKind kind) const;
  std::string Make(Form form, Want want, int depth);
  std::string Call(Want want, int depth);
  std::string Argument(const Signature::Argument& argument, int depth);
  // A quoted text with another letter or sign in place of one: another verb, pattern or unit.
  std::string Respelled(std::string text);
  std::string Operator(bool (*is)(BinaryOp)) const;
  std::string Binary(Form form, int depth);
  std::string Conditional(Want want, int depth);
  std::string Guarded(int depth);
  std::string NewPath(Kind kind);
  std::string PathOf(const std::string& root, uint32_t shape, Kind kind);
  std::string Spelled(std::string steps);
  // What was said before, of that kind; empty where there is nothing.
  std::string SaidBefore(Kind kind);
  void Remember(Kind kind, const std::string& text);

  // grammar_collections.cc
  std::string Join(int depth);
  std::string PartOfElement(const std::string& name, uint32_t element);
  std::string For(Want want, int depth);
  std::string Splat(int depth);
  std::string Tuple(Want want, int depth);
  std::string Object(Want want, int depth);
  std::string Part(Want want, int depth);
  std::string Template(int depth);
  std::string TemplateParts(int depth, bool quoted);

  // grammar_names.cc
  std::string Named(Want want, int depth);
  std::string Subject(const std::string& name, int depth, size_t* names);
  std::string Over(Want want, int depth);

  Corpus* corpus_;
  Shapes* shapes_;
  const Signatures& signatures_;
  Dice* dice_;
  const World* world_ = nullptr;
  std::vector<Local> locals_;
  std::string focus_;  // the beginning of most paths
  // Policies say things again: paths and expressions that may be said where the program is now.
  std::vector<std::pair<Kind, std::string>> said_;
  bool errors_ = false;
  int budget_ = 0;
};

// `text` in brackets, unless it binds most tightly.
std::string Bracketed(const std::string& text);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_GRAMMAR_H_
