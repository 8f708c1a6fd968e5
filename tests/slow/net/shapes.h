// Shapes: what the values of a scope look like, for generators that write paths into them.
//
// Tested by tests/slow/net/generators_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_SHAPES_H_
#define HCLVM_TESTS_SLOW_NET_SHAPES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// What an expression yields, as closely as generators ask.
enum class Kind : uint8_t { kAny, kNumber, kString, kBool, kSequence, kMapping };
inline constexpr uint32_t kKinds = 6;

// The kind of a value; kAny for a null, an unknown value of the dynamic type, and capsules.
Kind KindOf(const Value& value);

// A kind, and the kind of the elements of a sequence or mapping.
struct Want {
  Kind kind = Kind::kAny;
  Kind element = Kind::kAny;
};
Want WantOf(const Value& value);

// Not thread-safe. A shape is an index, which stays valid.
class Shapes {
 public:
  struct Field {
    std::string name;
    uint32_t shape;
  };
  struct Shape {
    Kind kind = Kind::kAny;
    uint32_t element = kAnyShape;  // of all elements of a sequence; of all values of a mapping
    std::vector<Field> fields;     // of a mapping
  };
  // A value inside of another, and the steps to it: `.a["b-c"][0]`.
  struct Place {
    std::string steps;
    uint32_t shape;
  };
  // The shape of values of which nothing is known.
  static constexpr uint32_t kAnyShape = 0;

  Shapes() : shapes_(1), places_(1) {}

  // The shape of a known value. What only some of the elements of a sequence have, all of them have by their shape.
  uint32_t Of(const Value& value);
  // A shape with the fields of both.
  uint32_t Merge(uint32_t a, uint32_t b);
  // A sequence of such elements.
  uint32_t SequenceOf(uint32_t element);

  const Shape& at(uint32_t shape) const { return shapes_[shape]; }
  Want WantFor(uint32_t shape) const;
  // The value itself, and what is in it, some levels deep.
  const std::vector<Place>& PlacesIn(uint32_t shape);
  // The shape behind one constant step; kAnyShape where that is not known.
  uint32_t Behind(uint32_t shape, std::string_view key) const;

 private:
  uint32_t New(Shape shape);
  void AddPlaces(uint32_t shape, const std::string& steps, int depth, std::vector<Place>* places) const;

  std::vector<Shape> shapes_;
  std::vector<std::vector<Place>> places_;
  std::map<uint32_t, uint32_t> sequences_;  // by their element
};

// ` .name`, or `["name"]` where that is no identifier.
std::string StepTo(std::string_view name);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_SHAPES_H_
