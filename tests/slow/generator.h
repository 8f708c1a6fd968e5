// Random expressions: mostly well-typed, with errors, nulls, unknown and dynamic values mixed in.
//
// Programs are text over the variables of tests/conformance/variables.json and the standard functions. The same seed
// gives the same programs on every platform.

#ifndef HCLVM_TESTS_SLOW_GENERATOR_H_
#define HCLVM_TESTS_SLOW_GENERATOR_H_

#include <cstdint>
#include <string>
#include <vector>

namespace hcl::testing_support {

struct GeneratorOptions {
  int max_depth = 5;     // levels of nested expressions
  bool unknowns = true;  // variables that are unknown, dynamic, or hold unknown values
  bool errors = true;    // misplaced types, names that do not exist
};

class Generator {
 public:
  explicit Generator(uint64_t seed, const GeneratorOptions& options = {}) : options_(options), state_(seed) {}

  // The next program.
  std::string Next();

  // A random number below `n`.
  uint32_t Below(uint32_t n);

 private:
  enum class Kind : uint8_t { kNumber, kString, kBool, kSequence, kMapping, kAny };
  // What is wanted: a kind, and for sequences and mappings the kind of their elements.
  struct Want {
    Kind kind;
    Kind element = Kind::kAny;
  };
  struct Local {
    std::string name;
    Kind kind;
  };

  std::string Expr(Want want, int depth);
  std::string Leaf(Want want);
  std::string Wide();
  std::string Any(int depth);
  // An operand: bracketed where an operator around it would bind more tightly.
  std::string Term(Want want, int depth);

  // generator.cc
  std::string Number(int depth);
  std::string String(int depth);
  std::string Bool(int depth);
  std::string AnyCall(int depth);
  std::string Conditional(Want want, int depth);
  std::string Comparison(int depth);
  std::string Element(Kind kind, int depth);
  std::string Generic(Want want, int depth);

  // generator_collections.cc
  std::string Sequence(Kind element, int depth);
  std::string Mapping(Kind element, int depth);
  std::string TupleLiteral(Kind element, int depth);
  std::string ObjectLiteral(Kind element, int depth);
  std::string ForTuple(Kind element, int depth);
  std::string ForObject(Kind element, int depth);
  std::string ForIntro(int depth);
  std::string ForFilter(int depth);
  std::string Splat(Kind element, int depth);
  std::string Template(int depth);
  std::string TemplatePart(int depth);
  std::string SequenceCall(Kind element, int depth);
  std::string MappingCall(Kind element, int depth);

  bool Chance(uint32_t percent) { return Below(100) < percent; }
  template <size_t N>
  std::string Pick(const char* const (&items)[N]) {
    return items[Below(N)];
  }
  Kind ElementKind();
  std::string LocalOf(Kind kind);

  GeneratorOptions options_;
  uint64_t state_;
  std::vector<Local> locals_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_GENERATOR_H_
