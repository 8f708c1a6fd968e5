// What Codecs make values with and read them with: no C++ type but the simple ones is known here.
//
// Internal to vm/value/fields.h. Tested by vm/value/fields_test.cc.

#ifndef HCLVM_VM_VALUE_FIELD_SUPPORT_H_
#define HCLVM_VM_VALUE_FIELD_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// How a C++ type becomes values and back: vm/value/field_codec.h.
template <typename T, typename = void>
struct Codec;

// What went wrong, and where. The path grows from the inside to the outside.
class CodecFailure {
 public:
  bool ok() const { return status_.ok(); }
  // As if nothing had failed.
  void Forget() { *this = CodecFailure(); }
  // "PATH: MESSAGE", or the message alone.
  absl::Status status() const;

  // What has failed is in this part. False.
  bool InIndex(size_t index);
  bool InKey(std::string_view key);
  bool InField(std::string_view name);

 protected:
  // The first failure counts. False.
  bool Note(absl::Status status);

 private:
  absl::Status status_;
  std::string path_;
};

// Makes parts of one value. After a failure everything goes on with nulls, and the result is dropped.
class ValueMaker : public CodecFailure {
 public:
  // `in_place`: the data outlives the values, which may point to texts in it.
  explicit ValueMaker(Heap* heap, bool in_place = false) : heap_(heap), in_place_(in_place) {}

  void Forget() {
    CodecFailure::Forget();
    depth_ = 0;
  }

  // Forgets all values that were made in the heap.
  void ResetHeap() {
    if (heap_->arena()->bytes_used() > 0) heap_->Reset();
  }

  TypeTable* types() const { return heap_->types(); }

  Value String(std::string_view text);
  Value Uint64(uint64_t number);
  Value Double(double number);
  Value Any(const Value& value);
  // Each a tuple, if the type of the elements is dynamic.
  Value Sequence(Type element, absl::Span<const Value> elements);
  Value Set(Type element, absl::Span<const Value> elements);
  // An object, if the type of the values is dynamic.
  Value Mapping(Type element, absl::Span<const KeyValue> pairs);
  // `names()` gives the names, sorted; `identity` stands for them.
  template <typename Names>
  Value Object(const void* identity, const Names& names, absl::Span<const Value> values) {
    if (!ok() || !Expect(values.size() + 2)) return Value();
    const Shape* shape = FindShape(identity);
    if (ABSL_PREDICT_FALSE(shape == nullptr)) shape = AddShape(identity, names());
    return MakeObject(shape, values, heap_->arena());
  }
  Value MakeCapsule(Type type, const void* data);

  // Around the making of a part of the value: false when the nesting is too deep, or something has failed.
  bool Enter();
  void Leave() { --depth_; }
  // Whether there is room for `count` values.
  bool Expect(size_t count);
  // Fails where the finished value is larger than a result may be: the same Value may stand in it many times.
  void CheckSize(const Value& value);

 private:
  struct KnownShape {
    const void* identity;
    const Shape* shape;
  };

  bool HasRoom(uint64_t bytes);
  bool TooLarge();
  // A shape that was added, unless the heap has forgotten it since.
  const Shape* FindShape(const void* identity) {
    if (generation_ != heap_->types()->generation()) return nullptr;
    for (const KnownShape& known : shapes_) {
      if (known.identity == identity) return known.shape;
    }
    return nullptr;
  }
  const Shape* AddShape(const void* identity, absl::Span<const Value> names);

  uint64_t generation_ = 0;  // of the types that have the shapes
  absl::InlinedVector<KnownShape, 4> shapes_;
  Heap* heap_;
  bool in_place_;
  uint32_t depth_ = 0;
};

// Reads parts of one value.
class ValueReader : public CodecFailure {
 public:
  ValueReader(bool refuse_others, bool drop_marks) : refuse_others_(refuse_others), drop_marks_(drop_marks) {}

  // Each is false, and *result unspecified, after a failure.
  template <typename T>
  bool Read(const Value& value, T* result) {
    if constexpr (std::is_same_v<T, Value>) {
      *result = value;
      return true;
    } else {
      const Value* inner = &value;
      if (!Open(Codec<T>::kTakesNull, &inner)) return false;
      ++depth_;
      const bool read = Codec<T>::Read(*inner, this, result);
      --depth_;
      return read;
    }
  }

  bool Bool(const Value& value, bool* result);
  bool Signed(const Value& value, int64_t min, int64_t max, int64_t* result);
  bool Unsigned(const Value& value, uint64_t max, uint64_t* result);
  bool Double(const Value& value, double* result);
  bool String(const Value& value, std::string* result);
  bool Capsule(const Value& value, const CapsuleType& type, const void** result);
  // Whether it is a sequence, or a mapping.
  bool ExpectSequence(const Value& value);
  bool ExpectMapping(const Value& value);
  // The attribute or element `name`, or null.
  static const Value* Find(const Value& mapping, std::string_view name);
  // Where `names`, sorted, do not have all keys of `mapping`: a failure, if that counts as one.
  bool CheckOthers(const Value& mapping, absl::Span<const std::string_view> names);
  bool Missing(std::string_view name);

 private:
  bool Fail(const std::string& message);
  // Takes the marks off; false where there is nothing to read, or the nesting is too deep.
  bool Open(bool takes_null, const Value** value);
  // The value as one of the primitive type.
  bool ToPrimitive(const Value& value, Type type, Value* result);

  bool refuse_others_;
  bool drop_marks_;
  uint32_t depth_ = 0;
  std::unique_ptr<Heap> heap_;  // for what is converted; made on first use
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_FIELD_SUPPORT_H_
