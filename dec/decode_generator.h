// DecodeGenerator: code for what a spec makes of a body. See dec/decoder.h.
//
// Works down spec and body together, into one chunk; expressions go through the compiler's CodeGenerator. Recursion
// follows the nesting of the spec. Tested by dec/decoder_test.cc.

#ifndef HCLVM_DEC_DECODE_GENERATOR_H_
#define HCLVM_DEC_DECODE_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "compiler/code_generator.h"
#include "dec/decoder.h"
#include "dec/spec.h"
#include "hcl/body_content.h"
#include "vm/program_builder.h"

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
        generator_(options.compile, builder, faults) {}

  // Generates the program's main chunk.
  void Generate(const DecodeSpec& spec, const BodyView& body);

 private:
  using Labels = absl::Span<const BlockLabel>;

  // A body that was opened, and the labels of its block that its spec may ask for.
  struct Place {
    const BodyView& body;
    const BodyContent& content;
    Labels labels;
  };

  // What follows from a spec for every body that it is applied to.
  struct Plan {
    BodySchema schema;
    std::string error;
  };

  // The values of labeled blocks in the order of their labels.
  struct LabeledBlock {
    std::vector<Value> labels;  // normalised
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
  Result GenerateConverted(const AttributeView& attribute, const DecodeSpec& spec, uint32_t rule, uint16_t dest);

  // block_generator.cc
  Result GenerateBlock(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateBlockSequence(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateLabeledBlocks(const DecodeSpec& spec, const Place& place, uint16_t dest);
  Result GenerateBlockAttributes(const DecodeSpec& spec, const Place& place, uint16_t dest);
  void AssembleFromRegisters(LabeledBlocks blocks, size_t level, uint16_t dest);
  void AssembleOneByOne(const DecodeSpec& spec, LabeledBlocks blocks, size_t level, uint16_t dest);
  void EmitObject(absl::Span<const Value> keys, uint16_t run, uint16_t dest);

  // Where messages about the value of `spec` point.
  SourceRange RangeOf(const DecodeSpec& spec, const Place& place);

  // Reports `found` when the program runs, and makes the result an error if there is one; `result` otherwise.
  Result WithErrors(const std::vector<Diagnostic>& found, Result result, uint16_t dest);

  const Plan& PlanOf(const DecodeSpec& spec);
  uint32_t RuleOf(const DecodeSpec& spec);
  Value LiteralOf(const DecodeSpec& spec);
  Type Import(Type type) { return builder_->heap()->types()->Import(type); }

  const DecoderOptions& options_;
  ProgramBuilder* builder_;
  Diagnostics* mismatches_;
  Diagnostics* faults_;
  CodeGenerator generator_;
  Arena arena_;  // of trees that JSON expressions become
  absl::flat_hash_map<const DecodeSpec*, std::unique_ptr<Plan>> plans_;
  absl::flat_hash_map<const DecodeSpec*, uint32_t> rules_;
  absl::flat_hash_map<const DecodeSpec*, uint32_t> element_rules_;  // of BlockAttributes
  absl::flat_hash_map<const DecodeSpec*, uint32_t> shapes_;
  absl::flat_hash_map<const DecodeSpec*, Value> literals_;
};

}  // namespace hcl::internal

#endif  // HCLVM_DEC_DECODE_GENERATOR_H_
