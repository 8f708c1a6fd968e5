// NearestName: edit distance within a small bound.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"

namespace hcl {
namespace {

constexpr size_t kMaxCandidates = 1000;
constexpr size_t kMaxDistance = 3;

// Names longer than this get no suggestion, which bounds the work for one.
constexpr size_t kMaxNameBytes = 128;

// Distance in bytes, where a swap of neighbors costs one, if it is at most `bound`; otherwise something greater.
// Requires that neither is longer than kMaxNameBytes, and that their lengths differ by `bound` at most. A swap looks
// back two rows, so three are kept, on the stack: a suggestion allocates nothing. Cells further than `bound` from the
// diagonal cannot be on the way to a distance that near, and are not computed; the ones beside the band count as far.
// Bytes stand for characters, which makes a letter beyond ASCII count as often as it has bytes; names are rarely of
// such letters.
size_t EditDistance(std::string_view a, std::string_view b, size_t bound) {
  using Row = std::array<size_t, kMaxNameBytes + 2>;
  constexpr size_t kFar = kMaxNameBytes;
  std::array<Row, 3> rows;  // row i of the table is rows[i % 3]
  for (size_t j = 0; j <= bound + 1; ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    Row& row = rows[i % 3];
    const Row& above = rows[(i + 2) % 3];
    const Row& two_above = rows[(i + 1) % 3];
    const size_t begin = i > bound ? i - bound : 1;
    const size_t end = std::min(i + bound, b.size());
    row[begin - 1] = i > bound ? kFar : i;
    for (size_t j = begin; j <= end; ++j) {
      const size_t substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({substituted, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
    row[end + 1] = kFar;
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

// `best` is the distance that is still near, and falls with each nearer hit. Of equally near candidates the first in
// the order of bytes wins, whatever the order in which they come: that of a program's variables depends on what the
// compiler has left of it. The distance is at least the difference of the lengths: most candidates are passed over by
// that alone. At worst the work is 1,000 bands of 128 by 7 cells.
std::string_view NearestName(std::string_view given, const std::vector<std::string_view>& candidates) {
  // Any letter is near a single one, which says nothing.
  if (given.size() > kMaxNameBytes || given.size() == 1) return {};
  std::string_view nearest;
  size_t best = std::clamp<size_t>(given.size() / 3, 1, kMaxDistance);
  const size_t compared = std::min(candidates.size(), kMaxCandidates);
  for (size_t i = 0; i < compared; ++i) {
    const std::string_view candidate = candidates[i];
    const size_t longer = std::max(candidate.size(), given.size());
    if (longer > kMaxNameBytes || longer - std::min(candidate.size(), given.size()) > best) continue;
    const size_t distance = EditDistance(given, candidate, best);
    const bool is_nearer = distance < best || (distance == best && (nearest.empty() || candidate < nearest));
    if (!is_nearer) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace hcl
