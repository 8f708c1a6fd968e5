// Decoding: the entry points. Tested by decode/decoder_test.cc.

#include "hclvm/decode/decoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "hclvm/base/out_of_memory.h"
#include "hclvm/decode/decode_generator.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/vm/program_builder.h"

namespace hcl {

using internal::ProgramBuilder;

namespace {

// Two lists keep apart what the program will report itself, and what leaves no program to run. Every program is
// verified before anybody can run it; a fault in one would be ours and no user's, so it ends the process.
std::shared_ptr<const Program> Compile(const DecodeSpec& spec, const BodyView& body, const SourceList& sources,
                                       const DecoderOptions& options, Diagnostics* diagnostics) {
  const CompileOptions& compile = options.compile;
  const auto main = sources.empty() ? std::make_shared<const Source>("", "") : sources[0];
  ProgramBuilder builder(main, compile.functions, compile.dialect, compile.limits);
  for (const std::shared_ptr<const Source>& source : sources) builder.Keep(source);
  Diagnostics faults(compile.limits.max_diagnostics);
  internal::DecodeGenerator(options, &builder, diagnostics, &faults).Generate(spec, body);
  for (Diagnostic fault : faults.kept()) {
    if (fault.source == nullptr && !sources.empty()) fault.source = main.get();
    diagnostics->Add(std::move(fault));
  }
  if (faults.has_errors()) return nullptr;
  return std::move(builder).FinishVerified(diagnostics);
}

}  // namespace

std::shared_ptr<const Program> CompileDecoder(const DecodeSpec& spec, const BodyView& body, const SourceList& sources,
                                              const DecoderOptions& options, Diagnostics* diagnostics) {
  return internal::WithMemoryOrNull(diagnostics, [&] { return Compile(spec, body, sources, options, diagnostics); });
}

namespace {

using Kind = DecodeSpec::Kind;

// Goes the way that the generator goes, over the same blocks, and looks at expressions without generating code. What a
// body has that its schema does not is passed over: a list of references is asked for also for configs with mistakes.
class References {
 public:
  References(bool dynamic_blocks, std::vector<StaticTraversal>* found)
      : dynamic_blocks_(dynamic_blocks), found_(found) {}

  void InBody(const DecodeSpec& spec, const BodyView& body) {
    BodySchema schema;
    std::string error;
    if (!ImpliedSchema(spec, &schema, &error)) return;
    if (dynamic_blocks_) schema.AddBlock("dynamic", {"type"}).IgnoreError();
    Diagnostics unused(0);
    const PartialBodyContent partial = body.PartialContent(schema, &unused);
    InSpec(spec, partial.content);
  }

 private:
  // A spec of a single block decodes the first one only, so only that one's references count.
  void InSpec(const DecodeSpec& spec, const BodyContent& content) {
    if (spec.kind() == Kind::kAttribute) {
      if (const AttributeView* attribute = content.attributes.Find(spec.name())) Add(attribute->expr);
    } else if (spec.is_block()) {
      for (const BlockView& block : content.blocks) {
        if (dynamic_blocks_ && block.type == "dynamic" && block.labels.size() == 1 &&
            block.labels[0].text == spec.name()) {
          InDynamic(spec, block);
        } else if (block.type == spec.name()) {
          InContent(spec, *block.body);
          if (spec.kind() == Kind::kBlock || spec.kind() == Kind::kBlockAttributes) break;
        }
      }
    } else {
      for (const DecodeSpecPtr& child : spec.children()) InSpec(*child, content);
    }
  }

  void InContent(const DecodeSpec& spec, const BodyView& body) {
    if (spec.content() == nullptr) {
      InAttributes(body);
    } else {
      InBody(*spec.content(), body);
    }
  }

  // What for_each reads, then, without the iterator, what labels and content do. The schema has everything as optional:
  // mistakes are no concern here. An iterator hides a variable of its name only inside.
  void InDynamic(const DecodeSpec& spec, const BlockView& block) {
    BodySchema schema;
    for (const char* name : {"for_each", "iterator", "labels"}) schema.AddAttribute(name).IgnoreError();
    schema.AddBlock("content").IgnoreError();
    Diagnostics unused(0);
    const BodyContent parts = block.body->PartialContent(schema, &unused).content;
    if (const AttributeView* for_each = parts.attributes.Find("for_each")) Add(for_each->expr);
    const AttributeView* const iterator = parts.attributes.Find("iterator");
    iterators_.push_back(iterator == nullptr ? block.labels[0].text : AsKeyword(iterator->expr));
    if (const AttributeView* labels = parts.attributes.Find("labels")) Add(labels->expr);
    for (const BlockView& content : parts.blocks) InContent(spec, *content.body);
    iterators_.pop_back();
  }

  // Attributes come in the order of their names, and references are listed in that of the text; the sort is stable, as
  // places in several texts may be equal.
  void InAttributes(const BodyView& body) {
    Diagnostics problems(0);
    const AttributeMap attributes = body.JustAttributes(&problems);
    if (!problems.empty()) return;
    const size_t begin = found_->size();
    for (const AttributeView& attribute : attributes) Add(attribute.expr);
    std::stable_sort(found_->begin() + static_cast<std::ptrdiff_t>(begin), found_->end(),
                     [](const StaticTraversal& a, const StaticTraversal& b) { return a.range.begin < b.range.begin; });
  }

  void Add(const ExprView& expr) {
    for (StaticTraversal& traversal : Variables(expr)) {
      const bool is_iterator = std::find(iterators_.begin(), iterators_.end(), traversal.root) != iterators_.end();
      if (!is_iterator) found_->push_back(std::move(traversal));
    }
  }

  bool dynamic_blocks_;
  std::vector<StaticTraversal>* found_;
  std::vector<std::string_view> iterators_;  // of the dynamic blocks around
};

}  // namespace

std::vector<StaticTraversal> DecoderVariables(const DecodeSpec& spec, const BodyView& body,
                                              const DecoderOptions& options) {
  std::vector<StaticTraversal> found;
  References(options.expand_dynamic_blocks, &found).InBody(spec, body);
  return found;
}

}  // namespace hcl
