// Needs. Tested by bindings/python/tests/test_values.py and
// bindings/python/tests/test_forms.py.
//
// Shapes are kept for as long as the needs, because values that are evaluated without the GIL point to them. Dicts that
// lack this or that property have few shapes between them; the first ones are kept.

#include "hclvm/bindings/python/needs.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/unicode.h"
#include "hclvm/internal/dcheck.h"

namespace hcl::python {
namespace {

constexpr size_t kMostShapes = 16;

}  // namespace

Needs::Needs(const JsonProjection& needed) : all_(needed.needs_all()) {
  if (all_) return;
  if (needed.items() != nullptr) {
    items_ = std::make_unique<const Needs>(*needed.items());
    return;
  }
  needed.ForEach([&](std::string_view text, const JsonProjection& of) {
    PyObject* name = ToStr(text).release().ptr();
    PyUnicode_InternInPlace(&name);
    properties_.push_back(
        {py::reinterpret_steal<py::object>(name), Value::String(text, &arena_), std::make_unique<const Needs>(of)});
    looks_at_all_names_ = looks_at_all_names_ || !internal::IsAscii(text);
  });
  std::sort(properties_.begin(), properties_.end(),
            [](const Property& a, const Property& b) { return a.key.AsString() < b.key.AsString(); });
}

const Shape* Needs::ShapeOf(uint64_t there) const {
  HCL_DCHECK(properties_.size() <= kMostBits);
  for (const auto& [known, shape] : shapes_) {
    if (known == there) return shape;
  }
  if (shapes_.size() == kMostShapes) return nullptr;
  std::vector<Value> keys;
  for (size_t n = 0; n < properties_.size(); ++n) {
    if ((there >> n & 1) != 0) keys.push_back(properties_[n].key);
  }
  return shapes_.emplace_back(there, MakeShape(keys, &arena_)).second;
}

}  // namespace hcl::python
