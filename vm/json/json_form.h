// JsonForm: how the values at one place of JSON texts are read: what is needed of them, and what they become.
//
// A program knows what it reads of a variable, and a module what its variables are to be. A reader that goes by a form
// (vm/json/form_reader.h) looks for the names that are expected, in the order in which they came last time, puts what
// it reads where it belongs, and makes values of the declared types straight away.
//
// Internal to the readers. Tested by vm/json/form_reader_test.cc.

#ifndef HCLVM_VM_JSON_JSON_FORM_H_
#define HCLVM_VM_JSON_JSON_FORM_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/internal/name_table.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/json/token_head.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// The names of an object that are looked for, each with the one that came after it last time. Not thread-safe.
class FormNames {
 public:
  static constexpr uint32_t kNone = NameTable::kNone;

  explicit FormNames(absl::Span<const std::string_view> names);

  uint32_t size() const { return table_.size(); }

  // Whether the text at `at`, where a quote is, begins with the `n`-th name in quotes, as names are mostly written.
  // `end`: of the text.
  bool IsAt(uint32_t n, const char* at, const char* end) const {
    const Token& token = tokens_[n];
    if (end - at < static_cast<std::ptrdiff_t>(TokenHead::kBytes)) return token.is_plain && MatchesLong(token, at, end);
    return token.head.IsAt(at) && (token.text.size() <= TokenHead::kBytes || MatchesLong(token, at, end));
  }
  // Bytes of the name with its quotes.
  size_t token_size(uint32_t n) const { return tokens_[n].text.size(); }
  // The position of a name, in NFC; kNone where it is not looked for.
  uint32_t Find(std::string_view name) const { return table_.Find(name); }

  const NameTable& table() const { return table_; }

  // The name to expect first, and behind the `n`-th; the caller sets it to what was there.
  uint32_t* first() { return &first_; }
  uint32_t* next(uint32_t n) { return &tokens_[n].next; }

  // The shape of an object that has those of the names whose items are not nothing. Requires names in bytewise order. A
  // shape lives in the types of `heap`, or in its values where there are very many.
  const Shape* ShapeOf(const Value* items, uint32_t given, Heap* heap);

 private:
  struct Token {
    TokenHead head;
    uint32_t next = kNone;
    bool is_plain = false;  // it stands in texts as it is
    std::string text;
  };
  // The shape of some of the names: a bit for each.
  struct Part {
    uint64_t names;
    const Shape* shape;
  };

  static bool MatchesLong(const Token& token, const char* at, const char* end) {
    return token.text.size() <= static_cast<size_t>(end - at) &&
           std::memcmp(at, token.text.data(), token.text.size()) == 0;
  }
  const Shape* MakeShapeOf(const Value* items, Heap* heap, bool* is_shared) const;

  NameTable table_;
  std::vector<Token> tokens_;
  uint32_t first_ = kNone;
  uint64_t generation_ = 0;  // of the types that the shapes live in
  const Shape* whole_ = nullptr;
  std::vector<Part> parts_;
};

// Not thread-safe, as it learns the order of names. Movable.
struct JsonForm {
  enum class Kind : uint8_t {
    kWhole,   // as it is
    kNames,   // of an object, the properties of `names`, and of a map that is declared
    kItems,   // of an array or object, all items, by the only one of `parts`
    kScalar,  // a declared bool, number or string
    kObject,  // of a declared type
    kMap,     // all items of it
    kList,
    kSet,  // of few scalars
    kTuple,
  };

  // What is `needed` of what is there, as it comes. Places of keys (KeyPaths::Place) are numbered from *places on.
  static JsonForm AsGiven(const JsonProjection& needed, uint32_t* places);
  // The same as `plan` makes it, which has to outlive the form; nothing where that takes more than reading it. What is
  // read is what BindingPlan::Apply() makes of what AsGiven() reads, or fails where that does.
  static std::optional<JsonForm> AsDeclared(const BindingPlan& plan, const JsonProjection& needed, uint32_t* places);

  // Whether `value`, a scalar that was read, stays as it is.
  bool Keeps(const Value& value) const { return (tags >> static_cast<uint32_t>(TagOf(value)) & 1) != 0; }
  // Whether numbers stay, or texts: of a scalar that is declared, one of them does.
  bool TakesNumbers() const { return (tags >> static_cast<uint32_t>(Tag::kNumber) & 1) != 0; }
  bool TakesTexts() const { return (tags >> static_cast<uint32_t>(Tag::kShortString) & 1) != 0; }
  // Of what is made of an object.
  bool is_map() const { return plan != nullptr; }
  Type element() const { return plan == nullptr ? Type() : plan->type().element(); }

  Kind kind = Kind::kWhole;
  uint32_t tags = 0;                  // a bit for each Tag of scalars that stay
  uint32_t place = 0;                 // of keys that are not in `names`
  const BindingPlan* plan = nullptr;  // of what is declared
  const Value* stand_in = nullptr;    // for null; may be null
  std::unique_ptr<FormNames> names;
  std::vector<JsonForm> parts;  // by name or position
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_JSON_FORM_H_
