// FormReader. Tested by vm/json/form_reader_test.cc.
//
// A request is mostly like the one before it: the same properties in the same order, of the kinds that are declared.
// Each name is compared with the one that is expected, and its value is put where it belongs; nothing is sorted or
// looked up, and no object is made that is made into another one afterwards. What is otherwise is found by its name,
// and a variable whose value takes more than that is read once more, as it comes.

#include "hclvm/vm/json/form_reader.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_cursor.h"
#include "hclvm/vm/json/json_form.h"
#include "hclvm/vm/json/key_paths.h"
#include "hclvm/vm/json/reader_state.h"
#include "hclvm/vm/json/repeated_keys.h"
#include "hclvm/vm/json/value_reader.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

struct Property {
  bool is_scalar = false;  // that is declared
  bool may_lack = false;   // something may stand in for a part of the value
  JsonForm given;
  std::optional<JsonForm> declared;
};

// One text. As in JsonValueReader, null is returned after an error, and here also where a value is not as its form has
// it.
class FormText : private JsonValueReader {
 public:
  using JsonValueReader::JsonValueReader;

  bool Read(FormNames* names, std::vector<Property>* properties, FormReader::Given* given) {
    state_.values.Shrink(0);
    state_.keys.clear();
    const char* at = cursor_.at();
    const uint32_t depth = heap_->limits().max_nesting_depth;
    if (!CheckInterrupt(at) || Peek(&at) != '{' || depth == 0) return false;
    state_.paths.Begin(heap_->types()->generation());
    at = ReadProperties(at + 1, depth - 1, names, [&](const char* from, uint32_t n) {
      if (given[n].state != FormReader::State::kMissing) return static_cast<const char*>(nullptr);
      return ReadProperty(from, depth - 1, &(*properties)[n], &given[n]);
    });
    if (at == nullptr) return false;
    cursor_.Seek(at);
    return cursor_.TakeEnd();
  }

  // Properties that are as they are declared.
  size_t declared() const { return declared_; }
  // Whether something stands in for an attribute, and whether something was skipped.
  bool stands_in() const { return stands_in_; }
  bool skips() const { return skips_; }

 private:
  const char* ReadProperty(const char* at, uint32_t depth, Property* property, FormReader::Given* given) {
    if (property->is_scalar) {
      Peek(&at);
      const char* const end = ReadOfKind(at, *property->declared, &given->value);
      if (end != nullptr) return NoteDeclared(end, given);
    }
    Items items;
    if (property->declared) {
      const char* const end = ReadInto(at, depth, *property->declared, &given->value, &items);
      if (end != nullptr) return NoteDeclared(end, given);
      state_.values.Shrink(0);
      state_.keys.clear();
    }
    given->state = FormReader::State::kGiven;
    may_lack_ = property->may_lack;
    const char* const end = ReadInto(at, depth, property->given, &given->value, &items);
    may_lack_ = false;
    return end;
  }

  const char* NoteDeclared(const char* end, FormReader::Given* given) {
    given->state = FormReader::State::kDeclared;
    ++declared_;
    return end;
  }

  // The properties of an object, from behind its brace to behind the one that closes it. `read` reads the value of the
  // `n`-th of the names; others are skipped.
  template <typename ReadOne>
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* ReadProperties(const char* at, uint32_t depth, FormNames* names,
                                                          const ReadOne& read) {
    uint32_t* expected = names->first();
    uint32_t skipped = 0;  // properties in a row
    bool more = Peek(&at) != '}';
    while (more) {
      if (Peek(&at) != '"') return nullptr;
      uint32_t n = *expected;
      if (n != FormNames::kNone && names->IsAt(n, at, end_)) {
        at += names->token_size(n);
      } else {
        at = FindName(at, *names, &n);
        if (at == nullptr) return nullptr;
        if (n != FormNames::kNone) *expected = n;
      }
      if (Peek(&at) != ':') return nullptr;
      ++at;
      if (n == FormNames::kNone) {
        ++skipped;
        skips_ = true;
        Peek(&at);
        at = at == end_ ? nullptr : state_.skipper.Skip(at, end_, depth);
      } else {
        skipped = 0;
        at = read(at, n);
        expected = names->next(n);
      }
      if (at == nullptr) return nullptr;
      at = EndProperty(at, &more);
      if (at == nullptr) return nullptr;
      if (skipped == kFewSkipped && more) {
        at = SkipOthers(at, depth, names->table(), &more);
        if (at == nullptr) return nullptr;
        skipped = 0;
      }
    }
    return at + 1;
  }

  // From behind the comma over properties that are not looked for, as many as there are; as EndProperty().
  ABSL_ATTRIBUTE_NOINLINE const char* SkipOthers(const char* at, uint32_t depth, const NameTable& names, bool* more) {
    at = state_.skipper.SkipProperties(at, end_, depth, names);
    *more = at != nullptr && *at == '"';
    return at;
  }

  // The name at `at`, by what it means; returns where it ends.
  ABSL_ATTRIBUTE_NOINLINE const char* FindName(const char* at, const FormNames& names, uint32_t* n) {
    std::string_view name;
    at = TakeName(at, &name);
    if (at != nullptr) *n = names.Find(name);
    return at;
  }

  // Reads a value as `form` has it.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* ReadInto(const char* at, uint32_t depth, JsonForm& form, Value* to,
                                                    Items* items) {
    const char c = Peek(&at);
    if (form.kind == JsonForm::Kind::kScalar) {
      const char* const end = ReadOfKind(at, form, to);
      if (end != nullptr) return end;
    }
    if (c == '"') {
      at = ReadStringTo(at, to, items);
    } else if ((c >= '0' && c <= '9') || c == '-') {
      at = ReadNumberTo(at, to, items);
    } else if (c == '{' || c == '[') {
      return depth == 0 ? nullptr : ReadNested(at, depth - 1, form, to, items);
    } else {
      at = ReadLiteralTo(at, to);
    }
    return at == nullptr || form.Keeps(*to) || Convert(form, to, items) ? at : nullptr;
  }

  // A short text or a whole number where one is declared, which is what most values are; null for all others. What is
  // known to be declared takes no further look.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* ReadOfKind(const char* at, const JsonForm& form, Value* to) {
    if (form.TakesNumbers()) return plain_integers_ ? JsonCursor::ReadPlainInteger(at, end_, to) : nullptr;
    return form.TakesTexts() && at < end_ && *at == '"' ? ReadShortString(at, to) : nullptr;
  }

  // A scalar that is not as it is to be.
  ABSL_ATTRIBUTE_NOINLINE bool Convert(const JsonForm& form, Value* value, Items* items) {
    if (value->is_null()) {
      if (form.stand_in == nullptr) return false;
      *value = *form.stand_in;
      items->Nest(value->weight(), value->depth());
      return true;
    }
    if (form.kind != JsonForm::Kind::kScalar) return false;
    const Value given = *value;
    if (!form.plan->Apply(given, heap_, value)) return false;
    items->weight += value->weight() - given.weight();
    return true;
  }

  // From a bracket on, behind which `depth` levels may be opened.
  ABSL_ATTRIBUTE_NOINLINE const char* ReadNested(const char* at, uint32_t depth, JsonForm& form, Value* to,
                                                 Items* items) {
    const bool is_object = *at == '{';
    ++at;
    switch (form.kind) {
      case JsonForm::Kind::kWhole:
        return ReadWhole(at, depth, is_object, form, to, items);
      case JsonForm::Kind::kNames:
        if (is_object) return ReadNames(at, depth, form, to, items);
        return form.is_map() ? nullptr : ReadWhole(at, depth, is_object, form, to, items);
      case JsonForm::Kind::kItems:
        return is_object ? ReadKeys(at, depth, Tag::kObject, form, to, items)
                         : ReadArrayInto(at, depth, Tag::kTuple, form, to, items);
      case JsonForm::Kind::kMap:
        return is_object ? ReadKeys(at, depth, Tag::kMap, form, to, items) : nullptr;
      case JsonForm::Kind::kObject:
        return is_object ? ReadDeclared(at, depth, form, to, items) : nullptr;
      case JsonForm::Kind::kList:
        return is_object ? nullptr : ReadArrayInto(at, depth, Tag::kList, form, to, items);
      case JsonForm::Kind::kSet:
        return is_object ? nullptr : ReadArrayInto(at, depth, Tag::kSet, form, to, items);
      case JsonForm::Kind::kTuple:
        return is_object ? nullptr : ReadArrayInto(at, depth, Tag::kTuple, form, to, items);
      case JsonForm::Kind::kScalar:
        break;
    }
    return nullptr;
  }

  const char* ReadWhole(const char* at, uint32_t depth, bool is_object, const JsonForm& form, Value* to, Items* items) {
    KeyPath* const path = state_.paths.Place(form.place);
    const size_t begin = state_.values.size();
    at = is_object ? ReadObject(at, depth, path, items) : ReadArray(at, depth, path, items);
    if (at == nullptr) return nullptr;
    *to = *state_.values.from(begin);
    state_.values.Shrink(begin);
    return at;
  }

  // An object of a declared type, in its place from the first attribute on.
  const char* ReadDeclared(const char* at, uint32_t depth, JsonForm& form, Value* to, Items* outer) {
    const Shape& shape = form.plan->type().shape();
    if (!heap_->CanAllocate(sizeof(Mapping) + shape.size * sizeof(Value))) return nullptr;
    Mapping* const mapping = NewMapping(&shape, Type(), /*is_object=*/true, heap_->arena());
    Value* const values = mapping->mutable_items();
    std::fill_n(values, shape.size, InternalValue(nullptr));
    Items items;
    uint32_t given = 0;
    at = ReadProperties(at, depth, form.names.get(), [&](const char* from, uint32_t n) {
      if (!IsAbsent(values[n])) return static_cast<const char*>(nullptr);
      ++given;
      return ReadInto(from, depth, form.parts[n], values + n, &items);
    });
    if (at == nullptr) return nullptr;
    if (given < shape.size) {
      if (!StandIn(form, values, &items)) return nullptr;
      stands_in_ = true;
    }
    mapping->weight = 1 + shape.size + items.weight + shape.weight;
    mapping->depth = items.OuterDepth();
    outer->Nest(mapping->weight, mapping->depth);
    *to = MappingValue(Tag::kObject, mapping);
    return at;
  }

  // What stands in for attributes that are missing; false where nothing does.
  static bool StandIn(const JsonForm& form, Value* values, Items* items) {
    for (size_t n = 0; n < form.parts.size(); ++n) {
      if (!IsAbsent(values[n])) continue;
      if (form.parts[n].stand_in == nullptr) return false;
      values[n] = *form.parts[n].stand_in;
      items->Nest(values[n].weight(), values[n].depth());
    }
    return true;
  }

  // Those of the names that are there, on the stack until it is known which.
  const char* ReadNames(const char* at, uint32_t depth, JsonForm& form, Value* to, Items* outer) {
    const size_t begin = state_.values.size();
    const uint32_t size = form.names->size();
    for (uint32_t n = 0; n < size; ++n) state_.values.Push(InternalValue(nullptr));
    Items items;
    uint32_t given = 0;
    at = ReadProperties(at, depth, form.names.get(), [&](const char* from, uint32_t n) {
      if (!IsAbsent(*state_.values.from(begin + n))) return static_cast<const char*>(nullptr);
      ++given;
      Value value;
      from = ReadInto(from, depth, form.parts[n], &value, &items);
      *state_.values.at(begin + n) = value;
      return from;
    });
    if (at == nullptr || !heap_->CanAllocate(uint64_t{given} * 2 * sizeof(Value))) return nullptr;
    // Which of the names may be missing is found out where the value becomes what it is declared to be.
    if (may_lack_ && given < size && !form.is_map()) stands_in_ = true;
    const Shape* const shape = form.names->ShapeOf(state_.values.from(begin), given, heap_);
    Mapping* const mapping = NewMapping(shape, form.element(), !form.is_map(), heap_->arena());
    const Value* const values = state_.values.from(begin);
    std::copy_if(values, values + size, mapping->mutable_items(), [](const Value& value) { return !IsAbsent(value); });
    mapping->weight = 1 + given + items.weight + shape->weight;
    mapping->depth = items.OuterDepth();
    outer->Nest(mapping->weight, mapping->depth);
    state_.values.Shrink(begin);
    *to = MappingValue(form.is_map() ? Tag::kMap : Tag::kObject, mapping);
    return at;
  }

  // All keys, with items of one form. As long as the keys are those of last time (RepeatedKeys), none is stored.
  const char* ReadKeys(const char* at, uint32_t depth, Tag tag, JsonForm& form, Value* to, Items* outer) {
    OpenObject object = Open(at, state_.paths.Place(form.place));
    const RepeatedKeys* repeated = KeysAt(form.place);
    uint32_t count = repeated == nullptr ? 0 : repeated->size();
    uint32_t same = 0;  // of these
    bool more = Peek(&at) != '}';
    while (more) {
      Peek(&at);
      if (same < count && repeated->IsAt(same, at, end_)) {
        at += repeated->token_size(same++);
      } else {
        count = 0;
        if (repeated != nullptr) TakeRepeated(*std::exchange(repeated, nullptr), same, &object);
        at = TakeKey(at, &object);
        if (at == nullptr) return nullptr;
      }
      at = TakeColon(at);
      if (at == nullptr) return nullptr;
      Value item;
      at = ReadInto(at, depth, form.parts[0], &item, &object.items);
      if (at == nullptr) return nullptr;
      state_.values.Push(item);
      at = EndProperty(at, &more);
      if (at == nullptr) return nullptr;
    }
    ++at;
    if (repeated != nullptr && same == count) return MakeRepeated(object, at, tag, form, outer, to);
    if (repeated != nullptr) TakeRepeated(*repeated, same, &object);
    if (!MakeMappingOf(object, at, tag, form.element(), outer, to)) return nullptr;
    if (MappingOf(*to).shape->size > KeyPaths::kMaxKeys) RememberKeys(object, form.place, MappingOf(*to).shape->size);
    return at;
  }

  // What was remembered at a place; may be null.
  const RepeatedKeys* KeysAt(uint32_t place) const {
    const RepeatedKeys* const keys = place < state_.repeated.size() ? state_.repeated[place].get() : nullptr;
    return keys == nullptr || keys->size() == 0 ? nullptr : keys;
  }

  // An object whose keys are all those of last time; `end` is behind it.
  ABSL_ATTRIBUTE_NOINLINE const char* MakeRepeated(const OpenObject& object, const char* end, Tag tag,
                                                   const JsonForm& form, Items* outer, Value* to) {
    RepeatedKeys& keys = *state_.repeated[form.place];
    if (!heap_->CanAllocate(uint64_t{keys.size()} * 2 * sizeof(Value))) return nullptr;
    *to = FillMapping(object, keys.ShapeIn(heap_), keys.order(), tag, form.element(), outer);
    return end;
  }

  // The first `count` keys of last time are those of the object, behind which comes another one: as if they were read.
  ABSL_ATTRIBUTE_NOINLINE void TakeRepeated(const RepeatedKeys& repeated, uint32_t count, OpenObject* object) {
    for (uint32_t n = 0; n < count; ++n) {
      if (object->path != nullptr) {
        KeyPath* const path = object->path->Find(repeated.token(n), repeated.text_end());
        if (path == nullptr) AddKeysOf(*object->path);
        object->path = path;
      }
      if (object->path == nullptr) state_.keys.push_back(repeated.key(n));
    }
  }

  // Remembers the keys of an object of `size` keys that was read just now, and whose order is in state_.order: goes
  // over its text once more, since where keys stand is not kept while reading.
  ABSL_ATTRIBUTE_NOINLINE void RememberKeys(const OpenObject& object, uint32_t place, uint32_t size) {
    if (place >= state_.repeated.size()) state_.repeated.resize(place + 1);
    std::unique_ptr<RepeatedKeys>& keys = state_.repeated[place];
    if (keys == nullptr) keys = std::make_unique<RepeatedKeys>();
    if (!keys->WantsOther()) return;
    keys->Begin();
    const char* at = object.begin;
    for (uint32_t n = 0; n < size; ++n) {
      Peek(&at);
      const char* const token = at;
      std::string_view name;
      at = TakeName(at, &name);
      if (at == nullptr || !keys->Add({token, static_cast<size_t>(at - token)}, Value::StringView(name))) {
        return keys->Begin();
      }
      Peek(&at);  // to the colon
      ++at;
      Peek(&at);
      at = state_.skipper.Skip(at, end_, heap_->limits().max_nesting_depth);
      if (at == nullptr) return keys->Begin();
      Peek(&at);  // to the comma
      ++at;
    }
    keys->End(state_.order.data());
  }

  // All items, of one form or of one each.
  const char* ReadArrayInto(const char* at, uint32_t depth, Tag tag, JsonForm& form, Value* to, Items* outer) {
    const size_t begin = state_.values.size();
    const bool is_one_each = form.kind == JsonForm::Kind::kTuple;
    Items items;
    size_t size = 0;
    bool more = Peek(&at) != ']';
    for (; more; ++size) {
      if (is_one_each && size == form.parts.size()) return nullptr;
      Value item;
      at = ReadInto(at, depth, form.parts[is_one_each ? size : 0], &item, &items);
      if (at == nullptr) return nullptr;
      state_.values.Push(item);
      at = EndItem(at, ']', "\",\" or \"]\" after an element", &more);
      if (at == nullptr) return nullptr;
    }
    ++at;
    if (is_one_each && size != form.parts.size()) return nullptr;
    const Type element = tag == Tag::kTuple ? Type() : form.element();
    if (tag == Tag::kSet)
      return size > BindingPlan::kMaxSetSize || !MakeSetOf(begin, element, outer, to) ? nullptr : at;
    return MakeSequenceOf(begin, items, at, tag, element, outer, to) ? at : nullptr;
  }

  // A set of the values from `begin` on, which it takes away.
  bool MakeSetOf(size_t begin, Type element, Items* outer, Value* to) {
    const size_t size = state_.values.size() - begin;
    if (!heap_->CanAllocate(size * sizeof(Value))) return false;
    *to = MakeSet(element, {state_.values.from(begin), size}, heap_->arena());
    outer->Nest(to->weight(), to->depth());
    state_.values.Shrink(begin);
    return true;
  }

  size_t declared_ = 0;
  bool may_lack_ = false;  // of the property that is read as it is given
  bool stands_in_ = false;
  bool skips_ = false;
};

}  // namespace

struct FormReader::Impl {
  ReaderState state;
  std::vector<std::string> names;
  std::unique_ptr<FormNames> table;  // of `names`, once something is read
  std::vector<Property> properties;
  uint32_t places = 0;
};

FormReader::FormReader() : impl_(std::make_unique<Impl>()) {}
FormReader::~FormReader() = default;

void FormReader::Add(std::string_view name, const JsonProjection& needed, const BindingPlan* plan) {
  Property& property = impl_->properties.emplace_back();
  property.given = JsonForm::AsGiven(needed, &impl_->places);
  if (plan != nullptr) property.declared = JsonForm::AsDeclared(*plan, needed, &impl_->places);
  property.may_lack = plan != nullptr && plan->has_stand_ins();
  property.is_scalar = property.declared && property.declared->kind == JsonForm::Kind::kScalar;
  impl_->names.emplace_back(name);
  impl_->table.reset();
  given_.push_back({InternalValue(nullptr), State::kMissing});
}

// After memory was refused, buffers may have been left in the middle of a change.
bool FormReader::Read(std::string_view text, Heap* heap) {
  const auto read = [&] {
    Impl& impl = *impl_;
    if (impl.table == nullptr) {
      impl.table = std::make_unique<FormNames>(std::vector<std::string_view>(impl.names.begin(), impl.names.end()));
    }
    for (Given& given : given_) given = {InternalValue(nullptr), State::kMissing};
    JsonError error;
    FormText form(text, heap, &impl.state, &error);
    const bool is_read = form.Read(impl.table.get(), &impl.properties, given_.data());
    are_all_declared_ = form.declared() == impl.properties.size();
    stands_in_ = form.stands_in();
    skips_ = form.skips();
    return is_read;
  };
  return WithMemory(read, [this] {
    impl_->state = ReaderState();
    are_all_declared_ = false;
    return false;
  });
}

}  // namespace hcl::internal
