// What fast code asks of lists that it then need not make: how many elements two have in common, or which piece of a
// text stands at a place.
//
// Each is what the functions that make the lists would lead to, and says nothing where it cannot tell: the slow path
// then calls them. *cost is in units of fuel. Thread-safe, without memory. Tested by vm/list_parts_test.cc.

#ifndef HCLVM_VM_LIST_PARTS_H_
#define HCLVM_VM_LIST_PARTS_H_

#include <cstdint>

#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// How many different elements of `list` are among those of `other`, or are not, where `lacking`: the length of what
// setintersection or setsubtract make of both. False where elements are not all strings, all numbers or all bools, or
// are very many; or for an empty list or set.
bool CountShared(const Value& list, const Value& other, bool lacking, int64_t* count, uint64_t* cost);

// The piece at `place` of what split makes of `text`; from kFromEnd on, that is 2 * kFromEnd less the place from the
// end. It shares the text's memory. False where there is none, where `separator` is empty, or has more than one byte
// and the place is counted from the end, or one of them is no string.
inline constexpr uint32_t kFromEnd = 32768;
bool PieceAt(const Value& text, const Value& separator, uint32_t place, Value* piece, uint64_t* cost);

// How many pieces there are, and whether `piece` is one of them. False where `separator` is empty, or one of them is no
// string.
bool CountPieces(const Value& text, const Value& separator, int64_t* count, uint64_t* cost);
bool HasPiece(const Value& text, const Value& separator, const Value& piece, bool* found, uint64_t* cost);

}  // namespace hcl::internal

#endif  // HCLVM_VM_LIST_PARTS_H_
