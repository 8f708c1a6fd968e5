// DecodeGenerator: code for what a spec makes of a body. See decode/decoder.h.
//
// Works down spec and body together, into one chunk; expressions go through the compiler's CodeGenerator. Recursion
// follows the nesting of the spec. Tested by decode/decoder_test.cc.

#ifndef HCLVM_DECODE_DECODE_GENERATOR_H_
#define HCLVM_DECODE_DECODE_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/registers.h"
#include "hclvm/decode/decode_functions.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

class DecodeGenerator {
 public:
  // `mismatches` takes what the program reports whenever it runs, `faults` what makes it useless. All must outlive the
  // generator.
  DecodeGenerator(const DecoderOptions& options, ProgramBuilder* builder, Diagnostics* mismatches, Diagnostics* faults)
      : options_(options),
        builder_(builder),
        mismatches_(mismatches),
        faults_(faults),
        generator_(options.compile, builder, faults),
        registers_(*generator_.registers()) {}

  // Generates the program's main chunk, unless there are faults in the spec itself.
  void Generate(const DecodeSpec& spec, const BodyView& body);

 private:
  // A label of a block: a text, or, of a dynamic block, what is in a register.
  struct LabelValue {
    BlockLabel label;
    std::optional<uint16_t> reg;
  };
  using Labels = absl::Span<const LabelValue>;

  // A `dynamic` block, as it was checked.
  struct DynamicBlock {
    std::string_view type;
    const BlockView* block;
    ExprView for_each;
    std::string_view iterator;
    std::vector<ExprView> labels;
    BodyViewPtr content;
  };

  // A body that was opened, and the labels of its block that its spec may ask for.
  struct Place {
    const BodyView& body;
    const BodyContent& content;
    Labels labels;
    const std::vector<DynamicBlock>& dynamic;
  };

  // What follows from a spec for every body that it is applied to.
  struct Plan {
    BodySchema schema;
    std::string error;
  };

  // The values of labeled blocks in the order of their labels.
  struct LabeledBlock {
    std::vector<Value> labels;  // normalized
    const BlockView* block;
    uint16_t reg = 0;
  };
  using LabeledBlocks = absl::Span<LabeledBlock>;

  // What `spec` makes of a whole body, or of a part of one. Registers are as for CodeGenerator::Generate().
  Result GenerateBody(const DecodeSpec& spec, const BodyView& body, Labels labels, uint16_t dest);
  Result GenerateSpec(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateObject(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateTuple(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateAttribute(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateDefault(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateTransform(const DecodeSpec& spec, const Place& place, uint16_t dest);

  // The value of an attribute, converted to the type of `spec` as `rule` says.
  Result GenerateConverted(const AttributeView& attribute, const DecodeSpec& spec, const DecodeRule* rule,
                           uint16_t dest);

  // block_generator.cc
  Result GenerateBlock(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateBlockSequence(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateLabeledBlocks(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateBlockAttributes(const DecodeSpec& spec, const Place& place, uint16_t dest);
  // The attributes of the block with this body.
  Result GenerateAttributesOf(const DecodeSpec& spec, const BodyView& body, uint16_t dest);
  void AssembleFromRegisters(LabeledBlocks blocks, size_t level, uint16_t dest);
  void AssembleOneByOne(const DecodeSpec& spec, LabeledBlocks blocks, size_t level, uint16_t dest);
  // Each emits code that makes an object from a run of registers: of these keys, which are sorted, or of this shape.
  void EmitObject(absl::Span<const Value> keys, uint16_t run, uint16_t dest);
  void EmitShaped(uint32_t shape, size_t size, uint16_t run, uint16_t dest);

  // dynamic_generator.cc
  std::vector<DynamicBlock> ReadDynamicBlocks(const BodySchema& schema, const BodyContent& content,
                                              Diagnostics* diagnostics);
  bool ReadDynamicBlock(const BlockView& block, const BlockSchema& wanted, DynamicBlock* dynamic,
                        Diagnostics* diagnostics);
  bool HasDynamic(const DecodeSpec& spec, const Place& place) const;
  // Does what the functions above do, for any spec of blocks some of which are dynamic.
  Result GenerateExpanded(const DecodeSpec& spec, const Place& place, uint16_t dest);
  // Where a message about one block too many points, as without dynamic blocks: for a sequence, to the block's value.
  SourceRange BlameRange(const DecodeSpec& spec, const BlockView& block);
  void GenerateLoop(const DecodeSpec& spec, const DynamicBlock& dynamic, uint32_t position, uint16_t tuple);
  // The value of an expression in `dest`; false when it cannot be read, and `dest` is an error.
  bool GenerateUnconverted(const ExprView& view, uint16_t dest);
  // Appends a block to the builder `tuple`: its position, the labels that `spec` uses itself, and its value.
  void PushBlock(const DecodeSpec& spec, const BodyView& body, Labels labels, uint32_t position, uint16_t tuple);

  static std::vector<LabelValue> LabelsOf(const BlockView& block);

  // Where messages about the value of `spec` point.
  SourceRange RangeOf(const DecodeSpec& spec, const Place& place);
  SourceRange RangeInBlock(const DecodeSpec& content, const BlockView& block);

  // Reports `found` when the program runs, and makes the result an error if there is one; `result` otherwise.
  // A constant that lives as long as this.
  Result Constant(const Value& value) { return Result::Constant(*arena_.New<Value>(value)); }
  Result WithErrors(const std::vector<Diagnostic>& found, Result result, uint16_t dest);

  const Plan& PlanOf(const DecodeSpec& spec);
  // Reports where the spec of a body, or one of the specs of blocks in it, contradicts itself.
  void CheckPlans(const DecodeSpec& spec);
  void CheckContents(const DecodeSpec& spec);
  const DecodeRule* RuleOf(const DecodeSpec& spec);
  // The rule, kept by the program.
  const DecodeRule* Keep(DecodeRule rule);
  // A call of a decoding function on register `dest`; `name` is what listings show.
  void EmitDecode(InternalFunction function, const char* name, const DecodeRule* rule, uint16_t dest,
                  absl::Span<const SourceRange> spans);
  Value LiteralOf(const DecodeSpec& spec);
  Value NullOf(const DecodeSpec& spec);
  Type Import(Type type) { return builder_->heap()->types()->Import(type); }

  const DecoderOptions& options_;
  ProgramBuilder* builder_;
  Diagnostics* mismatches_;
  Diagnostics* faults_;
  CodeGenerator generator_;
  Registers& registers_;
  // Loops and fallbacks around what is generated: what does not fit there may never be looked at.
  uint32_t conditions_ = 0;
  Arena arena_;  // of trees that JSON expressions become, and of constants
  HashMap<const DecodeSpec*, std::unique_ptr<Plan>> plans_;
  HashMap<const DecodeSpec*, const DecodeRule*> rules_;
  HashMap<const DecodeSpec*, const DecodeRule*> element_rules_;  // of BlockAttributes
  // Calls that the program has: the same function with the same rule is one.
  HashMap<std::pair<InternalFunction, const DecodeRule*>, uint32_t> calls_;
  HashSet<const DecodeSpec*> open_types_;  // about blocks, with `any` in their types
  HashMap<const DecodeSpec*, uint32_t> shapes_;
  HashMap<const DecodeSpec*, Value> literals_;  // of literals, and nulls of the type of others
};

}  // namespace hcl::internal

#endif  // HCLVM_DECODE_DECODE_GENERATOR_H_
