// Typed JSON: types, and values whose types say how they are read.
//
// Tested by vm/json/json_reader_test.cc.

#include "hclvm/vm/json/json_typed_reader.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/fuel.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/json/json_cursor.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"

namespace hcl {
namespace internal {
namespace {

// Known values of the type can have this attribute.
bool MayHaveAttribute(Type type, std::string_view name) {
  return type.kind() == TypeKind::kMap || (type.kind() == TypeKind::kObject && type.FindAttribute(name) != nullptr);
}

// The reader goes by recursive descent over the cursor, and the type tells at each place what to expect. The stacks and
// key paths of the plain reader are for requests, which come without types. Recursion is counted down from
// Limits::max_nesting_depth.
class TypedReader {
 public:
  TypedReader(std::string_view text, Heap* heap, std::string* scratch, JsonError* error)
      : cursor_(text, heap, scratch, error),
        heap_(heap),
        max_depth_(heap->limits().max_nesting_depth),
        fuel_(UINT64_MAX, &heap->limits().interrupt) {}

  bool ReadDocument(Value* value);
  bool ReadTypeDocument(Type* type) { return ReadType(max_depth_, type) && cursor_.TakeEnd(); }

 private:
  struct Property {
    Value key;
    size_t offset;
    Value value;
    Type type;
  };

  // What is read about an unknown value.
  struct Facts {
    Refinement refinement;
    bool min_exclusive = false;
    bool max_exclusive = false;
    // A value has them all.
    bool CanHold() const;
  };

  bool Invalid(size_t offset, std::string detail) {
    return cursor_.Fail(offset, DiagnosticCode::kInvalidTypedValue, [&] { return std::move(detail); });
  }
  bool TakeKey(Value* key) {
    if (cursor_.Peek() != '"') return cursor_.FailExpected("a property name in quotes");
    return cursor_.TakeString(/*borrow=*/false, key) && cursor_.Take(':', "\":\" after the property name");
  }

  bool ReadType(uint32_t depth, Type* type);
  bool ReadTypeName(Type* type);
  bool ReadTupleType(uint32_t depth, Type* type);
  bool ReadObjectType(uint32_t depth, Type* type);

  bool ReadValue(Type type, uint32_t depth, Value* value);
  bool ReadScalar(Type type, Value* value);
  bool ReadSpecial(Type type, uint32_t depth, bool* special, Value* value);
  bool ReadNumberName(Value* value);
  bool ReadRefinement(Type type, uint32_t depth, Value* value);
  bool ReadFact(std::string_view name, uint32_t depth, Facts* facts);
  bool ReadFlag(bool* flag);
  bool ReadBound(uint32_t depth, std::optional<NumberBound>* bound);
  bool ReadLength(uint64_t* length);
  bool ReadSequence(Type type, uint32_t depth, Value* value);
  bool ReadMapping(Type type, uint32_t depth, Value* value);
  bool MakeMapping(Type type, size_t offset, std::vector<Property>* properties, Value* value);
  bool SortProperties(std::vector<Property>* properties);

  JsonCursor cursor_;
  Heap* heap_;
  uint32_t max_depth_;
  Fuel fuel_;  // without end: for the interrupt
};

bool TypedReader::ReadTypeName(Type* type) {
  size_t offset = cursor_.offset();
  Value name;
  if (!cursor_.TakeString(/*borrow=*/true, &name)) return false;
  std::string_view text = name.AsString();
  if (text == "string") {
    *type = Type::String();
  } else if (text == "number") {
    *type = Type::Number();
  } else if (text == "bool") {
    *type = Type::Bool();
  } else if (text == "dynamic") {
    *type = Type::Dynamic();
  } else {
    return Invalid(offset, "There is no type named \"" + std::string(text) + "\".");
  }
  return true;
}

// A name, or an array of a kind and what it is made of. The kinds that the writer has and no others; a capsule type has
// no form that could be read, since only the host can make one.
bool TypedReader::ReadType(uint32_t depth, Type* type) {
  if (cursor_.Peek() == '"') return ReadTypeName(type);
  if (depth == 0) return cursor_.FailDepth();
  if (!cursor_.Take('[', "a type: a name in quotes, or an array")) return false;
  if (cursor_.Peek() != '"') return cursor_.FailExpected("the name of a kind of types in quotes");
  size_t offset = cursor_.offset();
  Value name;
  if (!cursor_.TakeString(/*borrow=*/true, &name) || !cursor_.Take(',', "\",\" after the kind")) return false;
  std::string_view kind = name.AsString();
  Type element;
  if (kind == "tuple") {
    if (!ReadTupleType(depth - 1, type)) return false;
  } else if (kind == "object") {
    if (!ReadObjectType(depth - 1, type)) return false;
  } else if (kind == "list" || kind == "set" || kind == "map") {
    if (!ReadType(depth - 1, &element)) return false;
    *type = kind == "list"  ? heap_->types()->List(element)
            : kind == "set" ? heap_->types()->Set(element)
                            : heap_->types()->Map(element);
  } else {
    return Invalid(offset, "There is no kind of types named \"" + std::string(kind) + "\".");
  }
  return cursor_.Take(']', "\"]\" after the type");
}

bool TypedReader::ReadTupleType(uint32_t depth, Type* type) {
  std::vector<Type> elements;
  if (cursor_.Peek() == 'n') {
    // Some writers have null for no elements.
    Value null;
    if (!cursor_.TakeLiteral(&null)) return false;
  } else {
    if (!cursor_.Take('[', "an array of types")) return false;
    if (!cursor_.TryTake(']')) {
      do {
        elements.emplace_back();
        if (!ReadType(depth, &elements.back())) return false;
      } while (cursor_.TryTake(','));
      if (!cursor_.Take(']', "\",\" or \"]\" after a type")) return false;
    }
  }
  *type = heap_->types()->Tuple(elements);
  return true;
}

// A property given twice is an error here too, and is found after sorting.
bool TypedReader::ReadObjectType(uint32_t depth, Type* type) {
  std::vector<Property> properties;
  if (!cursor_.Take('{', "an object of types")) return false;
  if (!cursor_.TryTake('}')) {
    do {
      Property property;
      cursor_.Peek();
      property.offset = cursor_.offset();
      if (!TakeKey(&property.key) || !ReadType(depth, &property.type)) return false;
      properties.push_back(property);
    } while (cursor_.TryTake(','));
    if (!cursor_.Take('}', "\",\" or \"}\" after a type")) return false;
  }
  if (!SortProperties(&properties)) return false;
  std::vector<Value> keys;
  std::vector<Type> types;
  for (const Property& property : properties) {
    keys.push_back(property.key);
    types.push_back(property.type);
  }
  *type = heap_->types()->Object(*MakeShape(keys, heap_->arena()), types);
  return true;
}

// Stable, so that the later one of two equal keys is reported, at its place in the text.
bool TypedReader::SortProperties(std::vector<Property>* properties) {
  std::stable_sort(properties->begin(), properties->end(),
                   [](const Property& a, const Property& b) { return a.key.AsString() < b.key.AsString(); });
  for (size_t i = 1; i < properties->size(); ++i) {
    const Property& property = (*properties)[i];
    if (property.key.AsString() != (*properties)[i - 1].key.AsString()) continue;
    return cursor_.FailDuplicate(property.offset, property.key.AsString());
  }
  return true;
}

// The value cannot be read before its type, and JSON does not order properties: a first pass notes where both stand and
// checks the syntax of the whole, then each is read from its place. So every byte is read twice.
bool TypedReader::ReadDocument(Value* value) {
  if (!cursor_.Take('{', "an object with the properties \"type\" and \"value\"")) return false;
  const char* type_at = nullptr;
  const char* value_at = nullptr;
  if (!cursor_.TryTake('}')) {
    do {
      cursor_.Peek();
      size_t offset = cursor_.offset();
      Value key;
      if (!TakeKey(&key)) return false;
      const char** place = key.AsString() == "type" ? &type_at : key.AsString() == "value" ? &value_at : nullptr;
      if (place == nullptr) {
        return Invalid(offset, "A typed value has no property \"" + Excerpt(key.AsString()) + "\".");
      }
      if (*place != nullptr) return cursor_.FailDuplicate(offset, key.AsString());
      *place = cursor_.at();
      if (!cursor_.Skip(max_depth_)) return false;
    } while (cursor_.TryTake(','));
    if (!cursor_.Take('}', "\",\" or \"}\" after a property")) return false;
  }
  if (!cursor_.TakeEnd()) return false;
  if (type_at == nullptr || value_at == nullptr) {
    return Invalid(0, "A typed value has the properties \"type\" and \"value\".");
  }
  Type type;
  cursor_.Seek(type_at);
  if (!ReadType(max_depth_, &type)) return false;
  cursor_.Seek(value_at);
  return ReadValue(type, max_depth_, value);
}

// The type says what is expected; null and the special objects may stand anywhere. `depth` has been tested for `{`
// already when a mapping is read, hence `depth - 1` there is safe. The dynamic pseudo-type has only null and unknown:
// information-model.md, "Unknown Values and the Dynamic Pseudo-type".
bool TypedReader::ReadValue(Type type, uint32_t depth, Value* value) {
  if (!fuel_.Charge(1)) return cursor_.FailInterrupted();
  char c = cursor_.Peek();
  if (c == 'n') {
    if (!cursor_.TakeLiteral(value)) return false;
    *value = Value::Null(type);
    return true;
  }
  if (c == '{') {
    if (depth == 0) return cursor_.FailDepth();
    bool special = false;
    if (!ReadSpecial(type, depth - 1, &special, value)) return false;
    if (special) return true;
  }
  if (type.is_primitive()) return ReadScalar(type, value);
  if (type.kind() == TypeKind::kMap || type.kind() == TypeKind::kObject) {
    return c == '{' ? ReadMapping(type, depth - 1, value) : cursor_.FailExpected("an object");
  }
  if (type.is_dynamic()) {
    return Invalid(cursor_.offset(), "The dynamic pseudo-type has no values but null and unknown.");
  }
  if (c != '[') return cursor_.FailExpected("an array");
  return depth == 0 ? cursor_.FailDepth() : ReadSequence(type, depth - 1, value);
}

// Nothing is converted: a text that says it is typed has to be.
bool TypedReader::ReadScalar(Type type, Value* value) {
  char c = cursor_.Peek();
  if (type.kind() == TypeKind::kString) {
    return c == '"' ? cursor_.TakeString(/*borrow=*/false, value) : cursor_.FailExpected("a string");
  }
  if (type.kind() == TypeKind::kNumber) {
    bool number = c == '-' || (c >= '0' && c <= '9');
    return number ? cursor_.TakeNumber(value) : cursor_.FailExpected("a number");
  }
  return c == 't' || c == 'f' ? cursor_.TakeLiteral(value) : cursor_.FailExpected("true or false");
}

// Reads {"$unknown": T, ...} or {"$number": NAME}. Leaves the cursor where it was, with *special false, when the object
// is neither. An object or map that has an attribute called "$unknown" first is told from an unknown one by the form of
// its type, which is an array: only where the attribute's value is one as well is it taken for the special form. The
// unknown value's own type may be more concrete than the type at its place.
bool TypedReader::ReadSpecial(Type type, uint32_t depth, bool* special, Value* value) {
  const char* begin = cursor_.at();
  cursor_.TryTake('{');
  Value key;
  bool empty = cursor_.Peek() == '}';
  if (!empty && !TakeKey(&key)) return false;
  bool unknown = !empty && key.AsString() == "$unknown";
  if (unknown && MayHaveAttribute(type, key.AsString()) && cursor_.Peek() != '[') unknown = false;
  bool number = !empty && key.AsString() == "$number" && type.kind() == TypeKind::kNumber;
  if (!unknown && !number) {
    cursor_.Seek(begin);
    return true;
  }
  *special = true;
  if (number) return ReadNumberName(value) && cursor_.Take('}', "\"}\"");
  Type unknown_type;
  size_t offset = cursor_.offset();
  if (!ReadType(depth, &unknown_type)) return false;
  if (!Matches(unknown_type, type)) return Invalid(offset, "The unknown value's type is not the type at this place.");
  *value = Value::Unknown(unknown_type);
  while (cursor_.TryTake(',')) {
    if (!TakeKey(&key)) return false;
    const bool read = key.AsString() == "refinement" ? ReadRefinement(unknown_type, depth, value) : cursor_.Skip(depth);
    if (!read) return false;
  }
  return cursor_.Take('}', "\",\" or \"}\"");
}

bool TypedReader::Facts::CanHold() const {
  const Refinement& r = refinement;
  if (r.min_length > r.max_length) return false;
  if (!r.min || !r.max) return true;
  const int order = Compare(r.min->value, r.max->value);
  return order < 0 || (order == 0 && !min_exclusive && !max_exclusive);
}

// Reads what AppendRefinement() of json_writer.cc writes; members of other names are skipped.
bool TypedReader::ReadRefinement(Type type, uint32_t depth, Value* value) {
  cursor_.Peek();
  const size_t begin = cursor_.offset();
  Facts facts;
  facts.refinement.type = type;
  if (!cursor_.Take('{', "an object of what is known")) return false;
  if (!cursor_.TryTake('}')) {
    do {
      Value key;
      if (!TakeKey(&key) || !ReadFact(key.AsString(), depth, &facts)) return false;
    } while (cursor_.TryTake(','));
    if (!cursor_.Take('}', "\",\" or \"}\" after a property")) return false;
  }
  if (!facts.CanHold()) return Invalid(begin, "No value is as this refinement says.");
  if (facts.refinement.min) facts.refinement.min->inclusive = !facts.min_exclusive;
  if (facts.refinement.max) facts.refinement.max->inclusive = !facts.max_exclusive;
  *value = RefinedUnknown(facts.refinement, heap_->arena());
  return true;
}

// Reads one fact. What values of the type cannot have is skipped as well.
bool TypedReader::ReadFact(std::string_view name, uint32_t depth, Facts* facts) {
  Refinement* r = &facts->refinement;
  if (name == "not_null") return ReadFlag(&r->not_null);
  if (r->type.kind() == TypeKind::kNumber) {
    if (name == "min") return ReadBound(depth, &r->min);
    if (name == "max") return ReadBound(depth, &r->max);
    if (name == "min_exclusive") return ReadFlag(&facts->min_exclusive);
    if (name == "max_exclusive") return ReadFlag(&facts->max_exclusive);
  } else if (r->type.kind() == TypeKind::kString && name == "prefix") {
    Value prefix;
    if (!ReadScalar(Type::String(), &prefix)) return false;
    // Taken as it is: whoever wrote it has seen what follows, or left out what that could change.
    r->prefix = heap_->arena()->CopyString(prefix.AsString());
    return true;
  } else if (r->type.is_collection()) {
    if (name == "min_length") return ReadLength(&r->min_length);
    if (name == "max_length") return ReadLength(&r->max_length);
  }
  return cursor_.Skip(depth);
}

bool TypedReader::ReadFlag(bool* flag) {
  const char c = cursor_.Peek();
  Value value;
  if ((c != 't' && c != 'f') || !cursor_.TakeLiteral(&value)) return cursor_.FailExpected("true or false");
  *flag = value.is_true();
  return true;
}

bool TypedReader::ReadBound(uint32_t depth, std::optional<NumberBound>* bound) {
  cursor_.Peek();
  const size_t offset = cursor_.offset();
  Value value;
  if (!ReadValue(Type::Number(), depth, &value)) return false;
  if (!value.is_number()) return Invalid(offset, "A bound is a number.");
  *bound = NumberBound{value.AsNumber(), true};
  return true;
}

bool TypedReader::ReadLength(uint64_t* length) {
  cursor_.Peek();
  const size_t offset = cursor_.offset();
  Value value;
  if (!ReadScalar(Type::Number(), &value)) return false;
  const std::optional<uint64_t> whole = value.AsNumber().ToUint64();
  if (!whole) return Invalid(offset, "A length is a whole number from 0 to 18446744073709551615.");
  *length = *whole;
  return true;
}

bool TypedReader::ReadNumberName(Value* value) {
  if (cursor_.Peek() != '"') return cursor_.FailExpected("\"+Inf\" or \"-Inf\"");
  size_t offset = cursor_.offset();
  Value name;
  if (!cursor_.TakeString(/*borrow=*/true, &name)) return false;
  bool negative = name.AsString() == "-Inf";
  if (!negative && name.AsString() != "+Inf") return Invalid(offset, "A named number is \"+Inf\" or \"-Inf\".");
  *value = Value::FromNumber(Number::Infinity(negative));
  return true;
}

// A tuple's type knows how many elements there are, so that a surplus one fails before it is read. The memory of
// `elements` is bounded by the text.
bool TypedReader::ReadSequence(Type type, uint32_t depth, Value* value) {
  size_t begin = cursor_.offset();
  bool tuple = type.kind() == TypeKind::kTuple;
  std::vector<Value> elements;
  cursor_.TryTake('[');
  if (!cursor_.TryTake(']')) {
    do {
      if (tuple && elements.size() == type.size()) return Invalid(begin, "The tuple has more elements than its type.");
      Value element;
      if (!ReadValue(tuple ? type.element(elements.size()) : type.element(), depth, &element)) return false;
      elements.push_back(element);
    } while (cursor_.TryTake(','));
    if (!cursor_.Take(']', "\",\" or \"]\" after an element")) return false;
  }
  if (tuple && elements.size() != type.size()) return Invalid(begin, "The tuple has fewer elements than its type.");
  if (!heap_->CanAllocate(elements.size() * sizeof(Value))) return cursor_.FailMemory();
  Arena* arena = heap_->arena();
  *value = tuple                            ? MakeTuple(elements, arena)
           : type.kind() == TypeKind::kList ? MakeList(type.element(), elements, arena)
                                            : MakeSet(type.element(), elements, arena);
  return true;
}

// Each value is read by its own type, so that the key has to be looked up before the value is reached.
bool TypedReader::ReadMapping(Type type, uint32_t depth, Value* value) {
  size_t begin = cursor_.offset();
  std::vector<Property> properties;
  cursor_.TryTake('{');
  if (!cursor_.TryTake('}')) {
    do {
      Property property;
      cursor_.Peek();
      property.offset = cursor_.offset();
      if (!TakeKey(&property.key)) return false;
      Type expected;
      if (type.kind() == TypeKind::kMap) {
        expected = type.element();
      } else if (const TypeNode* attribute = type.FindAttribute(property.key.AsString())) {
        expected = Type(attribute);
      } else {
        return Invalid(property.offset,
                       "The object type has no attribute \"" + Excerpt(property.key.AsString()) + "\".");
      }
      if (!ReadValue(expected, depth, &property.value)) return false;
      properties.push_back(property);
    } while (cursor_.TryTake(','));
    if (!cursor_.Take('}', "\",\" or \"}\" after a property")) return false;
  }
  return MakeMapping(type, begin, &properties, value);
}

// An object takes the shape of its type, whose keys are sorted alike: after sorting, position i belongs to attribute i.
bool TypedReader::MakeMapping(Type type, size_t offset, std::vector<Property>* properties, Value* value) {
  if (!SortProperties(properties)) return false;
  if (!heap_->CanAllocate(properties->size() * 2 * sizeof(Value))) return cursor_.FailMemory();
  std::vector<Value> keys;
  std::vector<Value> values;
  for (const Property& property : *properties) {
    keys.push_back(property.key);
    values.push_back(property.value);
  }
  if (type.kind() == TypeKind::kMap) {
    *value = MakeMap(type.element(), MakeShape(keys, heap_->arena()), values, heap_->arena());
    return true;
  }
  // Each is an attribute of the type, and none is there twice.
  if (keys.size() != type.size()) return Invalid(offset, "The object lacks attributes that its type has.");
  *value = MakeObject(&type.shape(), values, heap_->arena());
  return true;
}

}  // namespace

bool ReadTypedJson(std::string_view text, Heap* heap, std::string* scratch, Value* value, JsonError* error) {
  return TypedReader(text, heap, scratch, error).ReadDocument(value);
}

}  // namespace internal

bool ParseTypeJson(std::string_view text, Heap* heap, Type* type, JsonError* error) {
  std::string scratch;
  return internal::TypedReader(text, heap, &scratch, error).ReadTypeDocument(type);
}

}  // namespace hcl
