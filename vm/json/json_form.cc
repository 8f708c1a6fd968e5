// JsonForm. Tested by vm/json/form_reader_test.cc.

#include "hclvm/vm/json/json_form.h"

#include <algorithm>

#include "hclvm/vm/json/key_paths.h"
#include "hclvm/vm/json/reader_state.h"

namespace hcl::internal {
namespace {

// Shapes of some of the names that are remembered, which takes one word for each.
constexpr size_t kMaxParts = 16;
constexpr uint32_t kMaxNamesOfParts = 64;

uint32_t BitOf(Tag tag) { return 1u << static_cast<uint32_t>(tag); }

constexpr Tag kScalars[] = {Tag::kNull,      Tag::kFalse,       Tag::kTrue,  Tag::kNumber,
                            Tag::kBigNumber, Tag::kShortString, Tag::kString};

// A name that stands in a text as it is, mostly: one with escapes or beyond ASCII is found by what it means.
bool IsPlainName(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
}

const JsonProjection& NeedsAll() {
  static const JsonProjection& all = *[] {
    auto* const made = new JsonProjection();
    made->NeedAll();
    return made;
  }();
  return all;
}

// Of what is `needed` of an object, what is of one property.
const JsonProjection& NeededOf(const JsonProjection& needed, std::string_view name) {
  if (needed.needs_all() || needed.items() != nullptr) return NeedsAll();
  const JsonProjection* const found = needed.Find(name);
  return found == nullptr ? NeedsAll() : *found;
}

const JsonProjection& NeededOfItems(const JsonProjection& needed) {
  return needed.items() == nullptr ? NeedsAll() : *needed.items();
}

// In the order of shapes.
std::vector<std::string_view> SortedNames(const JsonProjection& needed) {
  std::vector<std::string_view> names;
  needed.ForEach([&names](std::string_view name, const JsonProjection&) { names.push_back(name); });
  std::sort(names.begin(), names.end());
  return names;
}

// The parts of what is declared: false where one of them takes more than reading.
bool AddPart(const BindingPlan& plan, const JsonProjection& needed, uint32_t* places, JsonForm* form) {
  std::optional<JsonForm> part = JsonForm::AsDeclared(plan, needed, places);
  if (part) form->parts.push_back(std::move(*part));
  return part.has_value();
}

bool AddParts(const JsonProjection& needed, uint32_t* places, JsonForm* form) {
  const BindingPlan& plan = *form->plan;
  const Type type = plan.type();
  if (type.kind() == TypeKind::kObject) {
    std::vector<std::string_view> names;
    for (size_t n = 0; n < type.size(); ++n) {
      names.push_back(type.shape().keys[n].AsString());
      if (!AddPart(plan.part(n), NeededOf(needed, names.back()), places, form)) return false;
      const Value* const stand_in = plan.stand_in(n);
      if (stand_in != nullptr && (!stand_in->is_wholly_known() || stand_in->has_marks())) return false;
      form->parts.back().stand_in = stand_in;
    }
    form->names = std::make_unique<FormNames>(names);
    return true;
  }
  if (type.kind() == TypeKind::kTuple) {
    for (size_t n = 0; n < type.size(); ++n) {
      if (!AddPart(plan.part(n), NeedsAll(), places, form)) return false;
    }
    return true;
  }
  // What elements of any kind become depends on all of them.
  if (type.element().has_dynamic()) return false;
  if (form->kind != JsonForm::Kind::kNames) return AddPart(plan.part(0), NeededOfItems(needed), places, form);
  const std::vector<std::string_view> names = SortedNames(needed);
  for (const std::string_view name : names) {
    if (!AddPart(plan.part(0), NeededOf(needed, name), places, form)) return false;
  }
  form->names = std::make_unique<FormNames>(names);
  return true;
}

}  // namespace

FormNames::FormNames(absl::Span<const std::string_view> names) : tokens_(names.size()) {
  for (uint32_t n = 0; n < names.size(); ++n) {
    table_.Add(names[n]);
    Token& token = tokens_[n];
    token.next = n + 1 < names.size() ? n + 1 : kNone;
    token.text = '"' + std::string(names[n]) + '"';
    token.is_plain = IsPlainName(names[n]);
    token.head = token.is_plain ? TokenHead(token.text) : TokenHead::Never();
  }
  if (!names.empty()) first_ = 0;
}

// Of most texts, all names are there, or the same few are missing.
const Shape* FormNames::ShapeOf(const Value* items, uint32_t given, Heap* heap) {
  if (generation_ != heap->types()->generation()) {
    generation_ = heap->types()->generation();
    whole_ = nullptr;
    parts_.clear();
  }
  const bool is_whole = given == size();
  if (is_whole && whole_ != nullptr) return whole_;
  uint64_t names = 0;
  const bool is_part = !is_whole && size() <= kMaxNamesOfParts;
  if (is_part) {
    for (uint32_t n = 0; n < size(); ++n) names |= uint64_t{IsAbsent(items[n]) ? 0u : 1u} << n;
    for (const Part& part : parts_) {
      if (part.names == names) return part.shape;
    }
  }
  bool is_shared = false;
  const Shape* const shape = MakeShapeOf(items, heap, &is_shared);
  if (is_shared && is_whole) whole_ = shape;
  if (is_shared && is_part && parts_.size() < kMaxParts) parts_.push_back({names, shape});
  return shape;
}

// As those of objects that are read whole (JsonValueReader::MakeShapeOf): shared, unless there are very many already.
const Shape* FormNames::MakeShapeOf(const Value* items, Heap* heap, bool* is_shared) const {
  std::vector<Value> keys;
  for (uint32_t n = 0; n < size(); ++n) {
    if (!IsAbsent(items[n])) keys.push_back(Value::StringView(table_.name(n)));
  }
  *is_shared = keys.size() <= KeyPaths::kMaxKeys && heap->types()->bytes_used() <= kMaxInternedBytes;
  if (*is_shared) return heap->types()->InternShape(keys);
  for (Value& key : keys) key = Value::String(key.AsString(), heap->arena());
  return MakeShape(keys, heap->arena());
}

JsonForm JsonForm::AsGiven(const JsonProjection& needed, uint32_t* places) {
  JsonForm form;
  form.place = (*places)++;
  for (const Tag tag : kScalars) form.tags |= BitOf(tag);
  if (needed.needs_all()) return form;
  if (needed.items() != nullptr) {
    form.kind = Kind::kItems;
    form.parts.push_back(AsGiven(*needed.items(), places));
    return form;
  }
  form.kind = Kind::kNames;
  const std::vector<std::string_view> names = SortedNames(needed);
  for (const std::string_view name : names) form.parts.push_back(AsGiven(*needed.Find(name), places));
  form.names = std::make_unique<FormNames>(names);
  return form;
}

// What the plan leaves to conversion is left to it here, too.
std::optional<JsonForm> JsonForm::AsDeclared(const BindingPlan& plan, const JsonProjection& needed, uint32_t* places) {
  const auto made = [&](Kind kind) -> std::optional<JsonForm> {
    JsonForm form;
    form.kind = kind;
    form.place = (*places)++;
    form.plan = &plan;
    if (!AddParts(needed, places, &form)) return std::nullopt;
    return form;
  };
  switch (plan.type().kind()) {
    case TypeKind::kDynamic: {
      JsonForm form = AsGiven(needed, places);
      form.tags &= ~BitOf(Tag::kNull);  // a place is of any type and not null
      return form;
    }
    case TypeKind::kBool:
    case TypeKind::kNumber:
    case TypeKind::kString: {
      JsonForm form;
      form.kind = Kind::kScalar;
      form.plan = &plan;
      form.tags = plan.passing_tags();
      return form;
    }
    case TypeKind::kObject:
      return made(Kind::kObject);
    case TypeKind::kMap:
      return made(needed.needs_all() || needed.items() != nullptr ? Kind::kMap : Kind::kNames);
    case TypeKind::kList:
      return made(Kind::kList);
    case TypeKind::kSet:
      if (!plan.type().element().is_primitive()) return std::nullopt;
      return made(Kind::kSet);
    case TypeKind::kTuple:
      return made(Kind::kTuple);
    default:
      return std::nullopt;
  }
}

}  // namespace hcl::internal
