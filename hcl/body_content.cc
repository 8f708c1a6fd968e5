// AttributeMap: a sorted list.

#include "hclvm/hcl/body_content.h"

#include <algorithm>
#include <utility>

namespace hcl {

// A sorted list instead of a map: it is made once, searched a few times, and gone through in order, which must not hang
// on hashes.
AttributeMap::AttributeMap(std::vector<AttributeView> attributes) : attributes_(std::move(attributes)) {
  std::sort(attributes_.begin(), attributes_.end(),
            [](const AttributeView& a, const AttributeView& b) { return a.name < b.name; });
}

const AttributeView* AttributeMap::Find(std::string_view name) const {
  const auto found =
      std::lower_bound(attributes_.begin(), attributes_.end(), name,
                       [](const AttributeView& attribute, std::string_view key) { return attribute.name < key; });
  return found == attributes_.end() || found->name != name ? nullptr : &*found;
}

}  // namespace hcl
