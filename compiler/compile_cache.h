// CompileCache: programs by their text, each compiled once for all threads.
//
//   hcl::CompileCache cache;
//   std::shared_ptr<const hcl::Compiled> compiled = cache.Compile(hcl::SourceKind::kConfig, "policy.hcl", text,
//   options); if (compiled->program == nullptr) Show(hcl::ToText(compiled->diagnostics, compiled->source.get()));
//
// Tested by compiler/compile_cache_test.cc.

#ifndef HCLVM_COMPILER_COMPILE_CACHE_H_
#define HCLVM_COMPILER_COMPILE_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/program.h"

namespace hcl {

// What a text is, hence which function of compiler/compiler.h or compiler/json_compiler.h compiles it. The JSON syntax
// is compiled in EvaluationMode::kFull.
enum class SourceKind : uint8_t { kConfig, kExpression, kTemplate, kJsonConfig, kJsonExpression };

// What a compilation has given. Immutable, shared by threads.
struct Compiled {
  std::shared_ptr<const Source> source;
  std::shared_ptr<const Program> program;  // null where there are errors
  Diagnostics diagnostics;                 // errors, or warnings beside a program
};

// Thread-safe. Programs live on as long as somebody has them, whatever becomes of the cache.
class CompileCache {
 public:
  // Holds at most so many results, and at most so many bytes of texts, programs and diagnostics. Beyond either, the
  // ones that nobody has asked for the longest go.
  explicit CompileCache(size_t max_entries = 1024, uint64_t max_bytes = uint64_t{256} << 20);
  CompileCache(const CompileCache&) = delete;
  CompileCache& operator=(const CompileCache&) = delete;
  // Requires that no call is under way.
  ~CompileCache();

  // What `text` compiles to, never null. It is compiled unless the same text was, as the same kind, under the same name
  // (which messages show) and with the same options: texts are compared in full, functions by the identity of their
  // registry, Limits::interrupt not at all. Who asks for what another thread compiles waits for it, until its own
  // interrupt ends that with a limit.
  //
  // Errors are kept like programs. What is not kept is a compilation that was interrupted or for which memory was
  // refused: the next one, and each one that waits, tries for itself.
  std::shared_ptr<const Compiled> Compile(SourceKind kind, std::string_view name, std::string_view text,
                                          const CompileOptions& options);

  // Forgets everything that is finished.
  void Clear();

  struct Counts {
    uint64_t compilations = 0;  // that were begun
    uint64_t hits = 0;          // answers that were there
    uint64_t waits = 0;         // calls that found what they asked for under way
    size_t entries = 0;         // held now
    uint64_t bytes = 0;         // held now, about
  };
  Counts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hcl

#endif  // HCLVM_COMPILER_COMPILE_CACHE_H_
