// Random expressions: mostly well-typed, with errors, nulls, unknown and dynamic values mixed in, and with all that the
// compiler does something of its own about: chains, tables of rules, tests for null, lists of literals, templates.
//
// Programs are text over the variables of tests/conformance/variables.json and the standard functions. The same seed
// gives the same programs on every platform. Tested by tests/slow/generator_test.cc.

#ifndef HCLVM_TESTS_SLOW_GENERATOR_H_
#define HCLVM_TESTS_SLOW_GENERATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hcl::testing_support {

struct GeneratorOptions {
  int max_depth = 5;     // levels of nested expressions
  bool unknowns = true;  // variables that are unknown, dynamic, or hold unknown values
  bool errors = true;    // misplaced types, names that do not exist
  bool marks = false;    // sensitive(), nonsensitive() and issensitive(), which the slow evaluator does not know
};

class Generator {
 public:
  explicit Generator(uint64_t seed, const GeneratorOptions& options = {}) : options_(options), state_(seed) {}

  // The next program.
  std::string Next();

  // `form` with expressions in place of these:
  //
  //   @n @s @b @a        a number, a string, a bool, anything
  //   @l @t @p           a sequence of numbers, of strings, of bools
  //   @q @m              a sequence or mapping of what is wanted
  //   @w @e              what is wanted; an element of it, if it is a sequence or mapping
  //   @f @i @.           "for k, v in c : " with variables for what follows; perhaps " if b"; their end
  //   @F @x              "for k, v in c : " of the last @f again; the name of the innermost element
  //   @v @V              a path, often to a null; the same again
  //   @c                 anything that takes no work: a literal, a variable, a path
  //   @d @k @z @g        0 to 3; the name of an attribute; a time; the beginning of a text, a literal
  //
  // What is wanted is a number. A large letter stands for the same as the small one, in brackets if it has operators.
  // Parts are `depth` levels deep at most.
  std::string Fill(std::string_view form, int depth) { return Fill(form, {Kind::kNumber}, depth); }
  // The same for a new program.
  std::string FillAlone(std::string_view form, int depth) {
    Begin();
    return Fill(form, depth);
  }

  // A random number below `n`.
  uint32_t Below(uint32_t n);
  bool Chance(uint32_t percent) { return Below(100) < percent; }
  template <size_t N>
  std::string Pick(const char* const (&items)[N]) {
    return items[Below(N)];
  }

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
  struct Loop {
    std::string intro;
    Local variables[2];
  };
  // A call or loop of this program, which may stand in it again: in the same loops, in others, or where its variables
  // are not.
  struct Said {
    std::string text;
    Kind kind;
  };

  // generator.cc
  void Begin();
  std::string Fill(std::string_view form, Want want, int depth);
  std::string Placeholder(char letter, Want want, int depth);
  std::string Expr(Want want, int depth);
  std::string NewExpr(Want want, int depth);
  std::string SaidBefore(Kind kind);
  void Remember(const std::string& text, Kind kind);
  std::string Any(int depth);
  // An operand: bracketed where an operator around it would bind more tightly.
  static std::string Bracketed(const std::string& text);
  std::string ForIntro(int depth);
  std::string LocalOf(Kind kind);
  Want WantFor(char letter, Want want);
  Kind ElementKind();

  // generator_leaves.cc
  std::string Leaf(Want want);
  std::string NumberLeaf();

  // generator_forms.cc
  std::string Form(Want want, int depth);
  std::string Generic(Want want, int depth);

  // generator_shapes.cc
  std::string Wide();
  std::string Chain();
  std::string Decisions(Want want, int depth);
  std::string RuleTable(Want want, int depth);
  std::string Template(int depth);
  std::string TemplatePart(int depth);
  std::string TupleLiteral(Want want, int depth);
  std::string ObjectLiteral(Want want, int depth);

  GeneratorOptions options_;
  uint64_t state_;
  bool errors_ = false;  // in this program
  std::vector<Local> locals_;
  std::vector<Loop> loops_;  // of the forms that are being filled
  std::vector<Said> said_;
  std::string path_;  // of @v
  int budget_ = 0;    // expressions that the program may still have before it has to end
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_GENERATOR_H_
