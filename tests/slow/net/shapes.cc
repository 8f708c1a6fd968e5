#include "hclvm/tests/slow/net/shapes.h"

#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

constexpr int kDeepestPlace = 4;
constexpr size_t kMostPlaces = 80;

Kind KindOfType(Type type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return Kind::kBool;
    case TypeKind::kNumber:
      return Kind::kNumber;
    case TypeKind::kString:
      return Kind::kString;
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kTuple:
      return Kind::kSequence;
    case TypeKind::kMap:
    case TypeKind::kObject:
      return Kind::kMapping;
    case TypeKind::kDynamic:
    case TypeKind::kCapsule:
      break;
  }
  return Kind::kAny;
}

}  // namespace

Kind KindOf(const Value& value) {
  const Value& bare = value.unmarked();
  if (bare.is_null()) return Kind::kAny;
  if (bare.is_unknown()) return KindOfType(bare.null_or_unknown_type());
  if (bare.is_number()) return Kind::kNumber;
  if (bare.is_string()) return Kind::kString;
  if (bare.is_bool()) return Kind::kBool;
  if (bare.is_sequence()) return Kind::kSequence;
  return bare.is_mapping() ? Kind::kMapping : Kind::kAny;
}

Want WantOf(const Value& value) {
  Want want = {KindOf(value)};
  const Value& bare = value.unmarked();
  const bool has_parts = bare.is_sequence() || bare.is_mapping();
  if (!has_parts || bare.size() == 0) return want;
  want.element = KindOf(bare.is_sequence() ? bare.elements()[0] : bare.values()[0]);
  for (const Value& part : bare.is_sequence() ? bare.elements() : bare.values()) {
    if (KindOf(part) != want.element) return {want.kind};
  }
  return want;
}

std::string StepTo(std::string_view name) {
  bool is_identifier = !name.empty() && (absl::ascii_isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_');
  for (const char c : name) is_identifier &= absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  const std::string text(name);
  return is_identifier ? "." + text : absl::StrCat("[\"", text, "\"]");
}

uint32_t Shapes::New(Shape shape) {
  shapes_.push_back(std::move(shape));
  places_.emplace_back();
  return static_cast<uint32_t>(shapes_.size() - 1);
}

uint32_t Shapes::SequenceOf(uint32_t element) {
  const auto [at, is_new] = sequences_.try_emplace(element, kAnyShape);
  if (is_new) at->second = New({Kind::kSequence, element, {}});
  return at->second;
}

uint32_t Shapes::Of(const Value& value) {
  const Value& bare = value.unmarked();
  Shape shape;
  shape.kind = KindOf(bare);
  if (shape.kind == Kind::kAny) return kAnyShape;
  if (bare.is_sequence() || bare.is_mapping()) {
    for (size_t n = 0; n < bare.size(); ++n) {
      const uint32_t part = Of(bare.is_sequence() ? bare.elements()[n] : bare.values()[n]);
      shape.element = n == 0 ? part : Merge(shape.element, part);
      if (bare.is_mapping()) shape.fields.push_back({std::string(bare.shape().keys[n].AsString()), part});
    }
  }
  return New(std::move(shape));
}

uint32_t Shapes::Merge(uint32_t a, uint32_t b) {
  if (a == b || b == kAnyShape) return a;
  if (a == kAnyShape) return b;
  if (shapes_[a].kind != shapes_[b].kind) return kAnyShape;
  Shape merged = shapes_[a];
  merged.element = Merge(merged.element, shapes_[b].element);
  const std::vector<Field> others = shapes_[b].fields;
  for (const Field& other : others) {
    bool found = false;
    for (Field& field : merged.fields) {
      if (field.name != other.name) continue;
      field.shape = Merge(field.shape, other.shape);
      found = true;
    }
    if (!found) merged.fields.push_back(other);
  }
  return New(std::move(merged));
}

Want Shapes::WantFor(uint32_t shape) const { return {shapes_[shape].kind, shapes_[shapes_[shape].element].kind}; }

void Shapes::AddPlaces(uint32_t shape, const std::string& steps, int depth, std::vector<Place>* places) const {
  if (places->size() >= kMostPlaces) return;
  places->push_back({steps, shape});
  if (depth == 0) return;
  const Shape& own = shapes_[shape];
  for (const Field& field : own.fields) AddPlaces(field.shape, steps + StepTo(field.name), depth - 1, places);
  if (own.kind != Kind::kSequence) return;
  AddPlaces(own.element, steps + "[0]", depth - 1, places);
}

const std::vector<Shapes::Place>& Shapes::PlacesIn(uint32_t shape) {
  std::vector<Place>& places = places_[shape];
  if (places.empty()) AddPlaces(shape, "", kDeepestPlace, &places);
  return places;
}

uint32_t Shapes::Behind(uint32_t shape, std::string_view key) const {
  for (const Field& field : shapes_[shape].fields) {
    if (field.name == key) return field.shape;
  }
  return shapes_[shape].kind == Kind::kSequence ? shapes_[shape].element : kAnyShape;
}

}  // namespace hcl::testing_support
