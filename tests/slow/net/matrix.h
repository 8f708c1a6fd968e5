// Matrix: every producer of elements x loop x consumer x surrounding, over the collections of a policy.
//
// A program is drawn from each axis at random, and producers stand in one another. All of it is what the language has;
// what an optimizer does about any of it is not known here. Tested by tests/slow/net/generators_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_MATRIX_H_
#define HCLVM_TESTS_SLOW_NET_MATRIX_H_

#include <cstdint>
#include <string>

#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/grammar.h"
#include "hclvm/tests/slow/net/shapes.h"
#include "hclvm/tests/support/dice.h"

namespace hcl::testing_support {

// Not thread-safe.
class Matrix {
 public:
  // All must outlive this. `grammar` must be in the world of the programs (Grammar::Begin).
  Matrix(Shapes* shapes, Grammar* grammar, Dice* dice) : shapes_(shapes), grammar_(grammar), dice_(dice) {}

  std::string Next(const World& world);

 private:
  // Where elements come from: a text, and the shape of an element.
  struct Elements {
    std::string text;
    uint32_t shape = Shapes::kAnyShape;
    Kind kind = Kind::kAny;
  };

  Elements Source(const World& world);
  Elements Producer(const World& world, int depth);
  Elements Loop(const Elements& elements);
  std::string OfNamed(const Elements& elements);
  std::string Consumed(const Elements& elements);
  // `other`: another program over the same elements.
  std::string Surrounded(const std::string& text, const std::string& other);
  // `form` with texts for its holes: $ is `text`, # something of the element's kind, ~ a condition, @ an expression.
  // `other` stands for @, now and then.
  std::string Fill(const char* form, const std::string& text, Kind kind, const std::string& other = "");
  std::string OfElement(const Elements& elements, Kind wanted);

  Shapes* shapes_;
  Grammar* grammar_;
  Dice* dice_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_MATRIX_H_
