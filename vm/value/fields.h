// C++ data as values and back, by a list of a struct's fields:
//
//   struct User {
//     std::string name;
//     bool admin = false;
//     std::vector<std::string> roles;
//   };
//   template <>
//   struct hcl::FieldsOf<User> {
//     static constexpr auto list = hcl::FieldList(hcl::Field("name", &User::name),
//                                                 hcl::OptionalField("admin", &User::admin),
//                                                 hcl::OptionalField("roles", &User::roles));
//   };
//
//   absl::StatusOr<hcl::Value> value = hcl::MakeValue(user, &heap);
//   absl::StatusOr<User> again = hcl::Decode<User>(*value);
//
// Which C++ types there are, and what they become:
//
//   bool                                        a bool
//   integers but not characters, double         a number; reading fails where it is not whole or out of range
//   std::string                                 a string
//   std::string_view, const char*               a string; for MakeValue() only
//   std::optional<T>                            what T is; null without a value
//   std::vector<T>                              a list
//   std::set<T> and the like                    a set
//   std::map<std::string, T> and the like       a map
//   a struct with a field list                  an object
//   const T* with CapsuleTraits<T>              a capsule, whose data is not copied
//   Value                                       itself, of any type, marked or unknown
//
// Where the type of a collection's items is not fixed, because a Value or the struct itself is in it, it becomes a
// tuple or an object instead. Another type does not compile.
//
// Tested by vm/value/fields_test.cc.

#ifndef HCLVM_VM_VALUE_FIELDS_H_
#define HCLVM_VM_VALUE_FIELDS_H_

#include <string_view>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "hclvm/vm/value/field_codec.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// A field that a value must have, unless it is a std::optional, to which an attribute that is not there is null.
// `name` is the attribute's name: valid UTF-8 in NFC, alive until the process ends, as a literal is.
template <typename Struct, typename Member>
constexpr internal::FieldDeclaration<Struct, Member> Field(std::string_view name, Member Struct::*member) {
  return {name, member, /*is_optional=*/false};
}

// A field that keeps what the struct's constructor has put there when the attribute is not there or null.
template <typename Struct, typename Member>
constexpr internal::FieldDeclaration<Struct, Member> OptionalField(std::string_view name, Member Struct::*member) {
  return {name, member, /*is_optional=*/true};
}

// What FieldsOf<T>::list is. No two fields have the same name, which is checked when the list is used.
template <typename... Fields>
constexpr std::tuple<Fields...> FieldList(Fields... fields) {
  return std::tuple<Fields...>(fields...);
}

// A value with the content of `data`, in `heap`: it lives until the heap is reset, and holds nothing of `data` but what
// Values and capsules in it point to. Keys are normalized (NFC), as all strings are; of keys that are then equal the
// last one counts. Fails, with the path to the part at fault:
//
//   kInvalidArgument    a text is not UTF-8, a double is not a number
//   kResourceExhausted  it takes more than Limits::max_result_bytes of the heap, or nests deeper than max_nesting_depth
//
// Not thread-safe for one heap.
template <typename T>
absl::StatusOr<Value> MakeValue(const T& data, Heap* heap) {
  static_assert(internal::Codec<T>::kCanMake, "this type has no form as a value: hclvm/vm/value/fields.h lists those");
  internal::ValueMaker maker(heap);
  const Value value = internal::Codec<T>::Make(data, &maker);
  maker.CheckSize(value);
  if (!maker.ok()) return maker.status();
  return value;
}

// The type of what MakeValue() makes of a T, in `types`; dynamic where it depends on the data.
template <typename T>
Type TypeFor(TypeTable* types) {
  return internal::Codec<T>::TypeIn(types, nullptr);
}

struct DecodeOptions {
  // An attribute that the struct has no field for is an error. Otherwise it is passed over.
  bool refuse_other_attributes = false;
  // Marks are dropped. Otherwise a marked value is an error, so that what is sensitive does not get lost in C++ data.
  bool drop_marks = false;
};

// `value` as a T, which must have a default constructor. Owns all of what it holds, but for Values and capsules in it,
// which live as long as the memory of `value`. Texts, numbers and bools are converted to one another as functions'
// arguments are. Fails with kInvalidArgument and the path to the part at fault, such as
// `.users[2].name: a string is required`: a value is of another kind, null, unknown, marked or out of range, or an
// attribute is not there. Thread-safe.
template <typename T>
absl::StatusOr<T> Decode(const Value& value, const DecodeOptions& options = {}) {
  static_assert(internal::Codec<T>::kCanRead,
                "values are not decoded to this type: hclvm/vm/value/fields.h lists those, and texts become "
                "std::string rather than views");
  internal::ValueReader reader(options.refuse_other_attributes, options.drop_marks);
  T result{};
  if (!reader.Read(value, &result)) return reader.status();
  return result;
}

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_FIELDS_H_
