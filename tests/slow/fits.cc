// Fits. Tested by tests/slow/fits_test.cc.

#include "hclvm/tests/slow/fits.h"

#include <algorithm>
#include <cstddef>

#include "absl/types/span.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::testing_support {

using internal::TagOf;
namespace {

bool FitAll(absl::Span<const Value> earlier, absl::Span<const Value> real, TypeTable* types) {
  if (earlier.size() != real.size()) return false;
  for (size_t n = 0; n < real.size(); ++n) {
    if (!Fits(earlier[n], real[n], types)) return false;
  }
  return true;
}

// A set with unknown elements may shrink when they turn out to be equal to others. What is known in it stays, and what
// comes comes of something unknown.
bool SetsFit(const Value& earlier, const Value& real, TypeTable* types) {
  const auto stays = [&](const Value& element) {
    return !element.is_wholly_known() || std::any_of(real.elements().begin(), real.elements().end(),
                                                     [&](const Value& other) { return Identical(element, other); });
  };
  const auto comes = [&](const Value& element) {
    return std::any_of(earlier.elements().begin(), earlier.elements().end(),
                       [&](const Value& other) { return Fits(other, element, types); });
  };
  return real.size() <= earlier.size() && std::all_of(earlier.elements().begin(), earlier.elements().end(), stays) &&
         std::all_of(real.elements().begin(), real.elements().end(), comes);
}

}  // namespace

bool Fits(const Value& earlier, const Value& real, TypeTable* types) {
  if (real.is_dynamic_value()) return !earlier.is_known();  // there are other unknown values: it says nothing
  if (earlier.is_unknown()) {
    return Matches(TypeOf(real, types), earlier.null_or_unknown_type()) &&
           (real.is_unknown() || !Contradicts(earlier, real));
  }
  if (earlier.is_wholly_known()) return Identical(earlier, real);
  if (TagOf(earlier) != TagOf(real) || !Matches(TypeOf(real, types), TypeOf(earlier, types))) return false;
  if (earlier.is_set()) return SetsFit(earlier, real, types);
  if (earlier.is_sequence()) return FitAll(earlier.elements(), real.elements(), types);
  return earlier.shape() == real.shape() && FitAll(earlier.values(), real.values(), types);
}

}  // namespace hcl::testing_support
