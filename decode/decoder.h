// Decoding: a spec and a body, compiled together into a program whose value is what the spec makes of the body.
//
// Everything that hangs on the spec and the text alone is done once, here: the body is opened, blocks are found and put
// in order by their labels, constants are converted, and what does not fit is reported. What is left is straight-line
// code: each attribute's expression with its conversion, and instructions that put the values together. A run of the
// program looks at neither spec nor body. Evaluators are those of any other program (vm/evaluator.h).
//
//   spec ─┐
//   body ─┴─ CompileDecoder ── Program ── Evaluator(scope) ── value of the spec's type
//
// A body that does not fit its spec (an argument missing, a block too many) is compiled all the same: the program
// reports that, together with what fails in the scope, in the order of the text, and has no value. So one run gives all
// messages, as the reference's does.
//
// Tested by decode/decoder_test.cc, and over whole files by tests/specsuite.

#ifndef HCLVM_DECODE_DECODER_H_
#define HCLVM_DECODE_DECODER_H_

#include <memory>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/decode/spec.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/vm/program.h"

namespace hcl {

// Sources are kept by the program; the first is its source(), and entries of `diagnostics` name theirs. A list without
// sources is for bodies without text.
using SourceList = std::vector<std::shared_ptr<const Source>>;

struct DecoderOptions {
  CompileOptions compile;
  // How strings of the JSON syntax are read.
  EvaluationMode json = EvaluationMode::kFull;
  // Take `dynamic "TYPE" { for_each, iterator, labels, content {} }` for as many blocks of the type as for_each has
  // elements. In a body's content and labels, the iterator (by default of the type's name) has `key` and `value`. Where
  // for_each is not known, neither is the value of the spec about such blocks. What does not fit in `content` is
  // reported when there is such a block.
  bool expand_dynamic_blocks = false;
};

// Compiles `body`, which stands in `sources`, for `spec`. The body may be of either syntax, or several files' merged
// (hcl/merged_body.h); spec, body and trees need not outlive the call.
//
// What does not fit is reported to `diagnostics`, as are warnings, and the result is a program all the same. It is left
// to the program where that may not look at it: in the fallback of a Default, and in the content of a dynamic block.
// Null when there is nothing to run: the spec contradicts itself (ImpliedSchema), a limit was crossed, a number cannot
// be represented. Thread-safe.
std::shared_ptr<const Program> CompileDecoder(const DecodeSpec& spec, const BodyView& body, const SourceList& sources,
                                              const DecoderOptions& options, Diagnostics* diagnostics);

// References to variables in all that decoding `body` with `spec` looks at, in the order of the specs.
// Iterators of dynamic blocks are not among them.
std::vector<StaticTraversal> DecoderVariables(const DecodeSpec& spec, const BodyView& body,
                                              const DecoderOptions& options = {});

}  // namespace hcl

#endif  // HCLVM_DECODE_DECODER_H_
