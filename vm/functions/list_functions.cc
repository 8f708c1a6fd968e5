// Functions of lists of one element type. Tested by vm/functions/list_functions_test.cc.

#include "hclvm/vm/functions/list_functions.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/value_index.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/set_order.h"

namespace hcl::internal {
namespace {

// Values that range makes at most, as in the reference.
constexpr size_t kMaxRange = 1024;

Type ArgumentType(FunctionCall* call, absl::Span<const Value> arguments) {
  return internal::AnyUnknown(arguments) ? TypeOf(arguments[0], call->types()) : Type::Dynamic();
}

// Hashing takes as long for each unit of weight as going over so many bytes.
constexpr uint64_t kBytesOfHashing = 32;

// A hash table makes it linear; its memory is asked for beforehand. Unknown elements may turn out equal, so that even
// the length is unknown then.
Value Distinct(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  if (!list.is_wholly_known()) return Value::Unknown(TypeOf(list, call->types()));
  if (!CanMake(call, list.size(), 3 * sizeof(Value))) return Value();
  if (!call->Charge(CostOfHashing(list.size(), list.weight()))) return Value();
  ValueIndex seen(list.size(), call->arena());
  internal::Sequence* result = NewList(call, list.size(), list.element_type());
  uint32_t count = 0;
  Pace pace(call);
  for (const Value& element : list.elements()) {
    if (!pace.Step(kBytesOfHashing * element.weight())) return Value();
    if (seen.Add(element)) result->mutable_items()[count++] = element;
  }
  result->size = count;
  return FinishList(result);
}

Type ChunklistType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!internal::AnyUnknown(arguments)) return Type::Dynamic();
  return call->types()->List(TypeOf(arguments[0], call->types()));
}

constexpr char kChunkSize[] = "the size";

void CheckChunklist(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[1].is_unknown()) CountArgument(call, arguments, 1, kChunkSize);
}

// A size of zero means one chunk. The chunk size is cut to the list's length first, so that sums and products of a huge
// size cannot overflow.
Value Chunklist(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  const std::optional<uint64_t> size = CountArgument(call, arguments, 1, kChunkSize);
  if (!size) return Value();
  const uint64_t total = list.size();
  const uint64_t chunk_size = *size == 0 ? total : std::min(*size, total);
  const uint64_t chunks = total == 0 ? 0 : (total + chunk_size - 1) / chunk_size;
  if (!CanMake(call, total + 2 * chunks)) return Value();
  internal::Sequence* result = NewList(call, chunks, TypeOf(list, call->types()));
  for (uint64_t i = 0; i < chunks; ++i) {
    absl::Span<const Value> chunk = list.elements().subspan(i * chunk_size, chunk_size);
    result->mutable_items()[i] = MakeList(list.element_type(), chunk, call->arena());
  }
  return FinishList(result);
}

Value Compact(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  if (!list.is_wholly_known()) return Value::Unknown(call->result_type());
  if (!CanMake(call, list.size())) return Value();
  internal::Sequence* result = NewList(call, list.size(), Type::String());
  uint32_t count = 0;
  for (const Value& element : list.elements()) {
    if (!element.is_null() && !element.AsString().empty()) result->mutable_items()[count++] = element;
  }
  result->size = count;
  return FinishList(result);
}

// Sorts in pieces, and merges these, so that the host's wish to stop is noticed in between: each round of merging takes
// its part of what sorting costs. False when the call has failed.
bool SortInPieces(FunctionCall* call, Value* items, size_t count, uint64_t weight) {
  constexpr size_t kPiece = 2048;
  const auto less = [](const Value& a, const Value& b) { return a.AsString() < b.AsString(); };
  const uint64_t cost = CostOfSorting(count, weight);
  const uint64_t pieces = (count + kPiece - 1) / kPiece;
  uint64_t rounds = 0;
  for (size_t size = kPiece; size < count; size *= 2) ++rounds;
  for (size_t begin = 0; begin < count; begin += kPiece) {
    if (!call->Charge(cost / (1 + rounds) / pieces)) return false;
    SortStrings({items + begin, std::min(kPiece, count - begin)}, call->arena());
  }
  for (size_t size = kPiece; size < count; size *= 2) {
    for (size_t begin = 0; begin + size < count; begin += 2 * size) {
      const size_t end = std::min(begin + 2 * size, count);
      if (!call->Charge(cost / (1 + rounds) * (end - begin) / count)) return false;
      std::inplace_merge(items + begin, items + begin + size, items + end, less);
    }
  }
  return true;
}

// The order is bytewise, as in the reference, which for UTF-8 is that of code points. The sort need not be stable:
// equal strings cannot be told apart.
Value Sort(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  if (!CanMake(call, list.size(), 2 * sizeof(Value))) return Value();
  internal::Sequence* result = NewList(call, list.size(), Type::String());
  Value* const items = result->mutable_items();
  std::copy(list.elements().begin(), list.elements().end(), items);
  if (!list.is_wholly_known()) {
    // Where an unknown element will stand is not known, but how many there are is.
    std::fill(items, items + list.size(), Value::Unknown(Type::String()));
    return FinishList(result);
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (items[i].is_null())
      return call->Error([&] { return absl::StrCat("element ", i, " is null, and null values have no order"); });
  }
  return SortInPieces(call, items, list.size(), list.weight()) ? FinishList(result) : Value();
}

// Start, end and step of a range.
struct RangeBounds {
  Number start, end, step;
};

void CheckRange(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.empty() || arguments.size() > 3) call->Error("one, two or three arguments are required");
}

bool ReadRange(FunctionCall* call, absl::Span<const Value> arguments, RangeBounds* bounds) {
  CheckRange(call, arguments);
  if (call->failed()) return false;
  bounds->start = arguments.size() == 1 ? Number(0) : arguments[0].AsNumber();
  bounds->end = arguments[arguments.size() == 1 ? 0 : 1].AsNumber();
  const int direction = Compare(bounds->end, bounds->start);
  bounds->step = arguments.size() == 3 ? arguments[2].AsNumber() : Number(direction < 0 ? -1 : 1);
  // A step of zero counts as positive, as in the reference.
  if (bounds->step.Sign() < 0 ? direction > 0 : direction < 0) {
    call->ArgumentError(1, "the step leads away from the end");
    return false;
  }
  return true;
}

Value TooLong(FunctionCall* call) {
  return call->Error([] { return absl::StrCat("a range must not have more than ", kMaxRange, " values"); });
}

// Of whole numbers: how many there are is known before, so that they are written where they stay. The bounds have been
// looked at, so that a step leads from one to the other, if it leads anywhere.
Value WholeRange(FunctionCall* call, int64_t start, int64_t end, int64_t step) {
  if (start != end && step == 0) return TooLong(call);
  const auto distance = [](int64_t from, int64_t to) {
    return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
  };
  const uint64_t stride = step < 0 ? distance(step, 0) : static_cast<uint64_t>(step);
  const uint64_t way = step < 0 ? distance(end, start) : distance(start, end);
  const uint64_t count = way == 0 ? 0 : (way - 1) / stride + 1;
  if (count > kMaxRange) return TooLong(call);
  if (!call->Charge(8 * count) || !CanMake(call, count)) return Value();
  internal::Sequence* const list = NewList(call, count, Type::Number());
  Value* const items = list->mutable_items();
  auto next = static_cast<uint64_t>(start);
  for (uint64_t n = 0; n < count; ++n, next += static_cast<uint64_t>(step)) {
    items[n] = Value::Int(static_cast<int64_t>(next));
  }
  return FinishList(list);
}

// kMaxRange bounds their number. A step of zero would never end, and is caught by the same test. Numbers are exact, so
// that a step of 0.1 does not drift.
Value Range(FunctionCall* call, absl::Span<const Value> arguments) {
  RangeBounds bounds;
  if (!ReadRange(call, arguments, &bounds)) return Value();
  const std::optional<int64_t> start = bounds.start.ToInt64(), end = bounds.end.ToInt64(), step = bounds.step.ToInt64();
  if (start && end && step) return WholeRange(call, *start, *end, *step);
  const int sign = bounds.step.Sign() < 0 ? -1 : 1;
  absl::InlinedVector<Value, 16> values;
  for (Number next = bounds.start; Compare(next, bounds.end) * sign < 0;) {
    if (values.size() == kMaxRange || bounds.step.Sign() == 0) return TooLong(call);
    if (!call->Charge(8)) return Value();
    values.push_back(Value::FromNumber(next));
    NumberError error = NumberError::kNone;
    next = Add(next, bounds.step, call->arena(), &error);
    if (error != NumberError::kNone) return call->Error("the range has no end");
  }
  if (!CanMake(call, values.size())) return Value();
  return MakeList(Type::Number(), values, call->arena());
}

}  // namespace

void RegisterListFunctions(FunctionRegistryBuilder* builder) {
  const Type list = Common().list_of_dynamic;
  const Type strings = Common().list_of_string;
  builder->Add(FailingByType(Define("distinct", {Param("list", list)}, ArgumentType, Distinct)));
  builder->Add(Checked(CheckChunklist, Define("chunklist", {Param("list", list), Param("size", Type::Number())},
                                              ChunklistType, Chunklist)));
  builder->Add(FailingByType(TakingTuples(Define("compact", {Param("list", strings)}, strings, Compact))));
  builder->Add(TakingTuples(Define("sort", {Param("list", strings)}, strings, Sort)));
  builder->Add(Checked(CheckRange,
                       KnownAs(Function::Special::kRange, DefineVariadic("range", {}, Param("params", Type::Number()),
                                                                         Common().list_of_number, Range))));
}

}  // namespace hcl::internal
