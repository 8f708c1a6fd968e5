// ScopeLayout: C++ structs as scopes, whose fields are read where they are.
//
//   absl::StatusOr<hcl::ScopeLayout> layout = hcl::ScopeLayout::Bind<Request>(program)
//                                                 .Field("ip", &Request::ip)
//                                                 .Field("user.name", &Request::user)  // of the object `user`
//                                                 .Make();
//   if (!layout.ok()) return layout.status();  // a wrong name or type
//   evaluator.RunMany(layout->Rows(requests), &results);
//
// Fields may have any type that hclvm/vm/value/fields.h makes values of: bool, integers, double, std::string,
// std::string_view, vectors, maps and sets of these, std::optional, structs with a field list, Value. Text that is
// ASCII, or else in NFC, is not copied; other text is normalized into memory of the evaluator.
//
// Tested by tests/run_many_test.cc.

#ifndef HCLVM_VM_SCOPE_LAYOUT_H_
#define HCLVM_VM_SCOPE_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/value/field_codec.h"
#include "hclvm/vm/value/field_support.h"
#include "hclvm/vm/value/fields.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/short_text.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

namespace internal {

// Where fields are read to: variables, and objects that are variables.
struct RowTargets {
  struct Object {
    uint32_t slot;
    Mapping* mapping;
    bool is_used_whole;  // and not only its attributes
  };
  std::vector<Value*> fields;
  std::vector<Object> objects;
};

// Reads the fields of one struct type, for one program. Immutable and thread-safe.
class RowReader {
 public:
  RowReader(std::shared_ptr<const Program> program, const void* type) : program_(std::move(program)), type_(type) {}
  virtual ~RowReader() = default;
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  // What can be made for all rows: `values`, by slot, are where variables are read to; objects live in `arena`, and are
  // to be put into their slots.
  RowTargets Prepare(Value* values, Arena* arena) const;
  // Reads all fields. False where one cannot be read, and `maker` says why. Values point into the row, and into the
  // heap of the maker.
  virtual bool Read(const void* row, ValueMaker* maker, Value* const* targets) const = 0;

  const std::shared_ptr<const Program>& program() const { return program_; }
  // What stands for the struct type.
  const void* type() const { return type_; }
  // Of the variables that fields are, or are parts of.
  absl::Span<const uint32_t> slots() const { return slots_; }

 protected:
  struct NamedType {
    std::string_view name;
    Type type;
  };
  // Finds the places of the fields. Types are in `types`.
  absl::Status Resolve(absl::Span<const NamedType> fields, TypeTable* types);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  // Of a field: in a slot, or at a position of an object.
  struct Place {
    uint32_t slot = kNone;
    uint32_t object = kNone;
    uint32_t position = 0;
  };
  struct Object {
    uint32_t slot;
    const Shape* shape;
    bool is_used_whole;
  };

  absl::StatusOr<uint32_t> AddVariable(std::string_view name);
  absl::Status CheckType(uint32_t slot, std::string_view name, Type type) const;

  std::shared_ptr<const Program> program_;
  const void* type_;
  Arena arena_;
  std::vector<uint32_t> slots_;
  std::vector<Place> places_;  // by field
  std::vector<Object> objects_;
};

// Reads a field to *target where that takes neither memory nor a check of the value: a bool, a number that is inline, a
// short text that is ASCII. False, and nothing done, where it may.
template <typename T>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool ReadAtOnce(const T& field, Value* target) {
  if constexpr (std::is_same_v<T, bool>) {
    *target = Value::Bool(field);
    return true;
  } else if constexpr (kIsNumberType<T>) {
    if (std::is_unsigned_v<T> && static_cast<uint64_t>(field) > uint64_t{INT64_MAX}) return false;
    *target = Value::Int(static_cast<int64_t>(field));
    return true;
  } else if constexpr (std::is_same_v<T, std::string>) {
    const bool is_short = field.size() <= kMaxInlineString && HasShortRoom(field);
    return ABSL_PREDICT_TRUE(is_short) && ABSL_PREDICT_TRUE(StoreShortAscii(field.data(), field.size(), target));
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return ABSL_PREDICT_TRUE(field.size() <= kMaxInlineString) && StoreShortAsciiView(field, target);
  } else {
    return false;
  }
}

// Reads any field. What is put together may be larger than a value may be, as a Value may stand in it many times.
template <typename T>
void ReadField(const T& field, ValueMaker* maker, Value* target) {
  *target = Codec<T>::Make(field, maker);
  if (!std::is_arithmetic_v<T> && !std::is_same_v<T, std::string>) maker->CheckSize(*target);
}

template <typename Struct>
inline constexpr char kRowType = 0;

template <typename Struct, typename... Members>
class TypedRowReader final : public RowReader {
 public:
  using Fields = std::tuple<FieldDeclaration<Struct, Members>...>;
  TypedRowReader(std::shared_ptr<const Program> program, const Fields& fields)
      : RowReader(std::move(program), &kRowType<Struct>), fields_(fields) {}

  // What most fields are is read without a call, so that this saves no registers.
  bool Read(const void* row, ValueMaker* maker, Value* const* targets) const override {
    const Struct& fields = *static_cast<const Struct*>(row);
    const size_t read = CountAtOnce(fields, targets, Indices());
    return ABSL_PREDICT_TRUE(read == sizeof...(Members)) || ReadFrom(read, fields, maker, targets, Indices());
  }
  absl::Status Resolve() {
    TypeTable types;
    return ResolveEach(&types, Indices());
  }

 private:
  using Indices = std::index_sequence_for<Members...>;

  // Reads fields one after the other as far as ReadAtOnce() does; how many these are.
  template <size_t... I>
  ABSL_ATTRIBUTE_ALWAYS_INLINE size_t CountAtOnce([[maybe_unused]] const Struct& row,
                                                  [[maybe_unused]] Value* const* targets,
                                                  std::index_sequence<I...>) const {
    size_t read = 0;
    (void)((ReadAtOnce(row.*std::get<I>(fields_).member, targets[I]) && ++read != 0) && ...);
    return read;
  }
  // Reads those from `first` on. Nobody needs any more what was made for the row before.
  template <size_t... I>
  ABSL_ATTRIBUTE_NOINLINE bool ReadFrom([[maybe_unused]] size_t first, [[maybe_unused]] const Struct& row,
                                        ValueMaker* maker, [[maybe_unused]] Value* const* targets,
                                        std::index_sequence<I...>) const {
    maker->ResetHeap();
    ((I < first || ReadAtOnce(row.*std::get<I>(fields_).member, targets[I]) ||
      (ReadField(row.*std::get<I>(fields_).member, maker, targets[I]), true)),
     ...);
    if (ABSL_PREDICT_TRUE(maker->ok())) return true;
    // Again, for the name of the field: names are not looked at before.
    maker->Forget();
    (void)(Find<I>(row, maker) && ...);
    return false;
  }
  template <size_t I>
  bool Find(const Struct& row, ValueMaker* maker) const {
    Value value;
    ReadField(row.*std::get<I>(fields_).member, maker, &value);
    return maker->ok() || maker->InField(std::get<I>(fields_).name);
  }
  template <size_t... I>
  absl::Status ResolveEach(TypeTable* types, std::index_sequence<I...>) {
    return RowReader::Resolve({NamedType{std::get<I>(fields_).name, Codec<Members>::TypeIn(types, nullptr)}...}, types);
  }

  Fields fields_;
};

}  // namespace internal

// Immutable and thread-safe; cheap to copy. Keeps the program.
class ScopeLayout {
 public:
  // The fields of a layout, one after the other.
  template <typename Struct, typename... Members>
  class Builder {
   public:
    // The field `member` is the variable `name`, valid UTF-8 that is alive until Make() and afterwards, as a literal
    // is.
    template <typename Member>
    Builder<Struct, Members..., Member> Field(std::string_view name, Member Struct::*member) const {
      static_assert(internal::Codec<Member>::kCanMake,
                    "this type has no form as a value: hclvm/vm/value/fields.h lists those");
      return {program_, std::tuple_cat(fields_, std::make_tuple(hcl::Field(name, member)))};
    }

    // The layout. Fails with kInvalidArgument, and the names, where the program reads no variable of a name, or two
    // fields have one name; or where a type does not fit: a step that the program takes into the variable leads nowhere
    // in values of the field's type (also where the program would catch that with try), or the type is not convertible
    // to the one that a module declares.
    absl::StatusOr<ScopeLayout> Make() const {
      auto reader = std::make_shared<internal::TypedRowReader<Struct, Members...>>(program_, fields_);
      const absl::Status status = reader->Resolve();
      if (!status.ok()) return status;
      return ScopeLayout(std::move(reader));
    }

   private:
    friend class ScopeLayout;
    template <typename, typename...>
    friend class Builder;
    using Fields = std::tuple<internal::FieldDeclaration<Struct, Members>...>;
    Builder(std::shared_ptr<const Program> program, Fields fields)
        : program_(std::move(program)), fields_(std::move(fields)) {}

    std::shared_ptr<const Program> program_;
    Fields fields_;
  };

  // Begins a layout of `Struct` for `program`. Variables that get no field keep what is bound otherwise.
  template <typename Struct>
  static Builder<Struct> Bind(std::shared_ptr<const Program> program) {
    HCL_DCHECK(program != nullptr);
    return Builder<Struct>(std::move(program), {});
  }

  const Program& program() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return *reader_->program(); }

  // Rows for Evaluator::RunMany(). They, and the layout, must outlive the use of the result. Requires the type that the
  // layout is of.
  template <typename Struct>
  ScopeRows Rows(absl::Span<const Struct> rows ABSL_ATTRIBUTE_LIFETIME_BOUND) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    HCL_DCHECK(reader_->type() == &internal::kRowType<Struct>);
    return ScopeRows(*this, rows.data(), sizeof(Struct), rows.size());
  }
  template <typename Struct>
  ScopeRows Rows(const std::vector<Struct>& rows ABSL_ATTRIBUTE_LIFETIME_BOUND) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    return Rows(absl::Span<const Struct>(rows));
  }

  // For the machine.
  const internal::RowReader& reader() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return *reader_; }

 private:
  explicit ScopeLayout(std::shared_ptr<const internal::RowReader> reader) : reader_(std::move(reader)) {}

  std::shared_ptr<const internal::RowReader> reader_;
};

}  // namespace hcl

#endif  // HCLVM_VM_SCOPE_LAYOUT_H_
