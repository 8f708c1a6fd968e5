// Spec files: DecodeSpec as text, in the format of the reference's hcldec (docs/hcldec.md).
//
// Tested by decode/spec_file_test.cc, and over whole files by tests/specsuite.

#ifndef HCLVM_DECODE_SPEC_FILE_H_
#define HCLVM_DECODE_SPEC_FILE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/spec.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// What a spec file says.
struct SpecFile {
  DecodeSpecPtr spec;                                    // never null
  std::vector<std::pair<std::string, Value>> variables;  // of its `variables` blocks, in `heap`
  std::shared_ptr<const FunctionRegistry> functions;     // of its `function` blocks; null without any
  std::shared_ptr<Heap> heap;
};

// Reads the spec file `source`, which the result keeps. Null on errors, which are reported to `diagnostics`, as are
// warnings; each names its source. Always speaks Dialect::kHashiCorp. Thread-safe.
std::unique_ptr<SpecFile> ReadSpecFile(std::shared_ptr<const Source> source, const Limits& limits,
                                       Diagnostics* diagnostics);

// The functions that expressions in a spec file may call.
std::shared_ptr<const FunctionRegistry> SpecFunctions();

}  // namespace hcl

#endif  // HCLVM_DECODE_SPEC_FILE_H_
