// What decoding does at run time: functions that the machine calls (InternalCall) with a rule that the generator has
// made of a spec. The machine knows neither specs nor bodies.
//
// Specification: none; as the reference's hcldec. Tested by decode/decoder_test.cc, decode/dynamic_test.cc.

#ifndef HCLVM_DECODE_DECODE_FUNCTIONS_H_
#define HCLVM_DECODE_DECODE_FUNCTIONS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What decoding wants of an attribute's value, or of all blocks of one type, and what it says where that fails.
struct DecodeRule {
  Type type;
  DiagnosticCode code = DiagnosticCode::kAttributeType;  // of the message; `block_type` stands in its summary
  std::string detail;                                    // the beginning of the message
  std::shared_ptr<const TypeDefaults> defaults;          // of an attribute, where its type has some
  // For blocks some of which are dynamic: what becomes of them, their type, and how many of them there may be.
  enum class Expansion : uint8_t { kOne, kSequence, kLabeled } expansion = Expansion::kOne;
  std::string block_type;
  uint32_t min_blocks = 0;
  uint32_t max_blocks = 0;  // 0: any number
  uint32_t map_levels = 0;  // of blocks: levels of objects by label that become maps
};

// Each takes a `state` that is a DecodeRule, unless it says otherwise, and pays for what it reads.

// An attribute's value, converted to the rule's type. The ranges: the attribute, its value.
Value ConvertAttribute(Interpreter* interpreter, const Value& value, const void* state);
// The tuple or object of blocks as the list, set or map of the rule.
Value GatherBlocks(Interpreter* interpreter, const Value& blocks, const void* state);
// What the rule makes of the blocks in a tuple, each a tuple of its position among the ranges, labels and value.
Value ExpandBlocks(Interpreter* interpreter, const Value& blocks, const void* state);
// The collection of a dynamic block: the value itself, or an error if it cannot be iterated over. No state.
Value CheckForEach(Interpreter* interpreter, const Value& value, const void* state);
// A label of a dynamic block: a known string. No state.
Value DynamicLabel(Interpreter* interpreter, const Value& value, const void* state);

}  // namespace hcl::internal

#endif  // HCLVM_DECODE_DECODE_FUNCTIONS_H_
