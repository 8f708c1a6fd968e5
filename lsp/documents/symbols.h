// Symbols: where a file declares and reads the names of a module, of loops and of functions.
//
// The one walk over names that definitions, references, renaming and colors go by. Tested by
// lsp/documents/symbols_test.cc.

#ifndef HCLVM_LSP_DOCUMENTS_SYMBOLS_H_
#define HCLVM_LSP_DOCUMENTS_SYMBOLS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"

namespace hcl::lsp {

// Whether the byte can stand in a name.
bool IsNamePart(char c);
// The range of a whole word in `around`; empty where it is not there.
SourceRange WordIn(std::string_view text, SourceRange around, std::string_view word);

enum class SymbolKind : uint8_t {
  kVariable,   // of the module or the scope
  kLocal,      // of a `locals` block of a module
  kTestLocal,  // of a `locals` block of a file of tests, known in the file only
  kFunction,   // of the module, the host or the library
  kLoop,       // a variable of a loop, known in the loop only
  kParameter,  // of a function of the module, known in the function only
};

// One place that names something. Plain data.
struct Symbol {
  SymbolKind kind = SymbolKind::kVariable;
  bool is_declaration = false;
  // Of kLoop and kParameter: the declaration's number among those of the file. Names of others are known in all files.
  uint32_t scope = 0;
  SourceRange range;  // of the name alone, without quotes and dots
  std::string_view name;

  bool is_in_file() const {
    return kind == SymbolKind::kLoop || kind == SymbolKind::kParameter || kind == SymbolKind::kTestLocal;
  }
  // Both name the same thing, if they are of one file or of one module.
  bool IsSame(const Symbol& other) const {
    return kind == other.kind && name == other.name && (!is_in_file() || scope == other.scope);
  }
};

// Immutable and thread-safe. Names point into the text and the tree, which must outlive it. In a file of tests, the
// attributes of `variables` and of `with` name variables as well, and so do paths in `without`. Its locals are its own,
// but in `assert`, where they are the module's.
class Symbols {
 public:
  Symbols(const Body& body, std::string_view text, bool is_of_tests);

  // In the order of the text.
  const std::vector<Symbol>& all() const { return all_; }
  // The one at a byte, or that ends there; null where there is none. Time: logarithmic.
  const Symbol* At(uint32_t offset) const;
  // The variables of loops and functions that an expression at the byte can read, the innermost first.
  std::vector<std::string_view> NamesInScopeAt(uint32_t offset) const;

 private:
  friend class SymbolWalk;
  struct Scope {
    SourceRange range;
    std::string_view name;
  };

  std::vector<Symbol> all_;
  std::vector<Scope> scopes_;  // in the order in which they begin
};

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_DOCUMENTS_SYMBOLS_H_
