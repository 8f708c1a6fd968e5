#include "hclvm/tests/slow/net/pairs.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/str_split.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint32_t kDeepest = 3;
constexpr size_t kLongestSurrounding = 160;

}  // namespace

Pairs::Pairs(Corpus* corpus, const Signatures& signatures, bool same_cost, uint64_t seed)
    : corpus_(corpus),
      dice_(seed),
      grammar_(corpus, signatures, &dice_),
      mutator_(corpus, signatures, &grammar_, &dice_),
      side_(Dialect::kSpec),
      rows_(Rewrites()) {
  if (!same_cost) return;
  rows_.erase(std::remove_if(rows_.begin(), rows_.end(), [](const Rewrite& row) { return row.cost != Cost::kSame; }),
              rows_.end());
}

std::string Pairs::Hole(char letter) {
  const int depth = dice_.Roll(3) == 0 ? 1 : 0;
  switch (letter) {
    case 'n':
      return grammar_.Operand({Kind::kNumber}, depth);
    case 's':
      return grammar_.Operand({Kind::kString}, depth);
    case 'b':
      return grammar_.Operand({Kind::kBool}, depth);
    case 'l':
      return grammar_.Operand({Kind::kSequence, Kind::kNumber}, depth);
    case 't':
      return grammar_.Operand({Kind::kSequence, Kind::kString}, depth);
    case 'p':
      return grammar_.Operand({Kind::kSequence, Kind::kBool}, depth);
    case 'q':
      return grammar_.Operand({Kind::kSequence}, depth);
    case 'm':
      return grammar_.Operand({Kind::kMapping}, depth);
    case 'g':
      return grammar_.Literal(Kind::kString);
    case 'd':
      return grammar_.Pick({"0", "1", "2", "3"});
    case 'c': {
      const Kind kind = grammar_.AnyWant().kind;
      return Bracketed(dice_.Roll(2) == 0 ? grammar_.Path(kind) : grammar_.Literal(kind));
    }
    default:
      return grammar_.Operand(grammar_.AnyWant(), depth);
  }
}

std::string Pairs::Fill(const std::string& form) {
  std::string text;
  for (size_t n = 0; n < form.size(); ++n) {
    if (form[n] == '@') {
      text += Hole(static_cast<char>(std::tolower(static_cast<unsigned char>(form[++n]))));
    } else {
      text += form[n];
    }
  }
  return text;
}

bool Pairs::TakesExpressions(const std::string& slot, Kind* kind) {
  // A bool by its form: of a comparison, and in two brackets, of what takes no work.
  if (slot.substr(0, 2) == "((") return false;
  if (slot[0] == '(') return *kind = Kind::kAny, true;
  switch (std::tolower(static_cast<unsigned char>(slot[1]))) {
    case 'n':
      return *kind = Kind::kNumber, true;
    case 's':
      return *kind = Kind::kString, true;
    case 'b':
      return *kind = Kind::kBool, true;
    case 'l':
    case 't':
    case 'p':
    case 'q':
      return *kind = Kind::kSequence, true;
    case 'm':
      return *kind = Kind::kMapping, true;
    case 'a':
    case 'w':
    case 'e':
      return *kind = Kind::kAny, true;
    default:
      return false;
  }
}

// What the first scope in which it has a value says.
Kind Pairs::KindOfProgram(const World& world, const std::string& text) {
  const Parsed parsed(text);
  if (!parsed.ok()) return Kind::kAny;
  for (const Value& scope : world.scopes) {
    const Outcome outcome = side_.Evaluate(parsed, scope);
    if (outcome.ok()) return KindOf(*outcome.value);
  }
  return Kind::kAny;
}

// `inner`, which may be null, stands for one of the row's expressions, of its kind: in the sides as in these.
Sides Pairs::Apply(const Rewrite& row, const Sides* inner) {
  const std::vector<std::string> slots = absl::StrSplit(row.slots, '|');
  std::vector<std::string> left, right;
  for (const std::string& slot : slots) left.push_back(Bracketed(Fill(slot)));
  right = left;
  if (inner != nullptr) {
    const auto at = dice_.Roll(static_cast<uint32_t>(slots.size()));
    const std::string other = slots[at][0] == '(' ? " == " + Hole('c') : "";
    left[at] = Bracketed(Bracketed(inner->left) + other);
    right[at] = Bracketed(Bracketed(inner->right) + other);
  }
  return {Filled(row.left, left).text(), Filled(row.right, right).text()};
}

Pair Pairs::Alone(size_t row) {
  Pair pair;
  pair.world = &dice_.Pick(corpus_->worlds());
  grammar_.Begin(*pair.world);
  pair.levels.push_back(Apply(rows_[row], nullptr));
  pair.rows.push_back(&rows_[row]);
  return pair;
}

Pair Pairs::Next() {
  Pair pair;
  pair.world = &dice_.Pick(corpus_->worlds());
  grammar_.Begin(*pair.world);
  const uint32_t depth = 1 + dice_.Roll(kDeepest);
  Kind kind = Kind::kAny;
  while (pair.rows.size() < depth) {
    const Sides* const inner = pair.levels.empty() ? nullptr : &pair.levels.back();
    // A row that has a place for what is there.
    const Rewrite* row = nullptr;
    for (int n = 0; n < 20 && row == nullptr; ++n) {
      const Rewrite& some = dice_.Pick(rows_);
      Kind wanted = Kind::kAny;
      const std::vector<std::string> slots = absl::StrSplit(some.slots, '|');
      const bool fits = inner == nullptr || std::all_of(slots.begin(), slots.end(), [&](const std::string& slot) {
                          return TakesExpressions(slot, &wanted) && (wanted == kind || wanted == Kind::kAny);
                        });
      if (fits) row = &some;
    }
    if (row == nullptr) break;
    pair.levels.push_back(Apply(*row, inner));
    pair.rows.push_back(row);
    kind = KindOfProgram(*pair.world, pair.levels.back().left);
  }
  if (dice_.Roll(2) == 0) return pair;
  const std::string around = dice_.Roll(2) == 0 ? grammar_.Program(2) : mutator_.Next(*pair.world);
  if (around.size() > kLongestSurrounding) return pair;
  const Surrounding context = mutator_.SurroundingIn(*pair.world, around, kind);
  if (!context.found) return pair;
  const auto within = [&](const std::string& text) { return context.before + Bracketed(text) + context.behind; };
  pair.levels.push_back({within(pair.left()), within(pair.right())});
  return pair;
}

}  // namespace hcl::testing_support
