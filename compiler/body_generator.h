// BodyGenerator: a config as a program. Every attribute becomes a chunk and an entry; one more chunk calls them and
// puts the whole value together.
//
// Tested by compiler/compiler_test.cc (entries), tests/cli_test.sh (values) and tests/golden_test.cc (messages).

#ifndef HCLVM_COMPILER_BODY_GENERATOR_H_
#define HCLVM_COMPILER_BODY_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/registers.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

class BodyGenerator {
 public:
  // All must outlive the generator.
  BodyGenerator(const CompileOptions& options, ProgramBuilder* builder, Diagnostics* diagnostics)
      : builder_(builder),
        diagnostics_(diagnostics),
        generator_(options, builder, diagnostics),
        registers_(*generator_.registers()) {}

  // Who follows what is compiled: in a body of several files each part has its own source.
  class Observer {
   public:
    // Its attributes come next, and then those of the blocks in it, body by body.
    virtual void BeginBody(const Body& body) = 0;
    virtual void BeginExpr(const Expr& expr) = 0;
    virtual void BeginBlock(const Block& block) = 0;
    // The chunk of an attribute is there.
    virtual void EndChunk(const Expr& expr, uint32_t chunk) = 0;

   protected:
    ~Observer() = default;
  };
  void set_observer(Observer* observer) { observer_ = observer; }
  CodeGenerator* generator() { return &generator_; }

  // Compiles `body` and makes the chunk of the whole value the program's main chunk.
  void Generate(const Body& body);
  // The same for who looks at attributes, and runs nothing: without that chunk, and without code where making it finds
  // nothing wrong. `names_entries`: entries are added to the program under construction.
  void BindEntries(const Body& body, bool names_entries);

 private:
  using Blocks = absl::InlinedVector<const Block*, 2>;
  using Names = PlainList<std::string_view, 8>;
  using Positions = absl::InlinedVector<uint32_t, 8>;
  // An object of known properties: its shape in the program's table, and where each property stands in it.
  struct KnownObject {
    uint32_t shape = 0;
    Positions positions;
  };
  class Groups;

  // Entries for all attributes.
  void GenerateAll(const Body& body);
  void GenerateAttributes(const Body& body);
  uint32_t ChunkOf(const Expr& expr);
  void GenerateBlocks(const Body& body);
  void AddEntry(const Attribute& attribute, uint32_t chunk);
  void AppendToPath(const Block& block);
  // Each emits code that puts a value into `dest`, in the chunk of the whole: a body as an object, blocks of one type
  // as objects by label around tuples of bodies. `level` counts the labels that are done.
  void AssembleBody(const Body& body, uint16_t dest);
  void AssembleBlocks(const Blocks& blocks, size_t level, uint16_t dest);
  void AssembleLabels(const Blocks& blocks, size_t level, uint16_t dest);
  // Where the labels of some blocks end and those of others go on: a tuple, each block under the labels that it has
  // left.
  void AssembleMixed(const Blocks& blocks, size_t level, uint16_t dest);
  // Emits code that puts the value of the chunk into `dest`, in front of the FixedPut that puts it into `object`.
  void AssembleAttribute(uint32_t chunk, uint16_t object, uint16_t dest);
  void RaiseNameTaken(const Block& block, uint16_t dest);
  // Names that are the same in normal form are one property, and what is put there last counts.
  KnownObject ObjectOf(absl::Span<const std::string_view> names);
  // The same, made once for each list of names.
  const KnownObject& KnownObjectOf(absl::Span<const std::string_view> names);
  // Emits code that begins an object with these properties in `object`. Returns where each of them stands.
  const Positions& BeginObject(absl::Span<const std::string_view> names, uint16_t object);

  ProgramBuilder* builder_;
  Diagnostics* diagnostics_;
  CodeGenerator generator_;
  Registers& registers_;  // of the chunk of the whole
  Observer* observer_ = nullptr;
  bool needs_code_ = true;
  bool names_entries_ = true;
  std::string path_;       // of the body at hand, ending in a dot unless it is empty
  size_t path_bytes_ = 0;  // of all entries
  size_t max_path_bytes_ = 0;
  HashMap<std::string, std::unique_ptr<const KnownObject>> objects_;  // by their names
  Names last_names_;                                                  // of the last one, views of the syntax tree
  const KnownObject* last_object_ = nullptr;
  HashMap<const Body*, uint32_t> first_chunk_;  // of a body's attributes, which have one each, in order
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BODY_GENERATOR_H_
