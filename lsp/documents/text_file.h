// TextFile: one version of a file, with what features ask of it, made when it is first asked for.
//
// Tested by lsp/documents/file_store_test.cc.

#ifndef HCLVM_LSP_DOCUMENTS_TEXT_FILE_H_
#define HCLVM_LSP_DOCUMENTS_TEXT_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/lsp/documents/symbols.h"
#include "hclvm/lsp/protocol/text_position.h"
#include "hclvm/module/module.h"

namespace hcl::lsp {

// The text is immutable. Not thread-safe: trees are made on the way. Pointers into trees live as long as the file, or
// until DropTrees().
class TextFile {
 public:
  // `name` is what messages show.
  TextFile(std::string path, const std::string& name, std::string text);

  const std::string& path() const { return path_; }
  const std::shared_ptr<const Source>& source() const { return source_; }
  std::string_view text() const { return source_->text(); }
  const LineIndex& lines() const;
  // In the JSON syntax: it has no trees of the native syntax, which are then those of an empty text.
  bool is_json() const { return is_json_; }
  ModuleFile module_file() const { return {source_, is_json_}; }

  // The tree of the parse, which may have errors.
  const Body& body() const;
  // The parse had no errors.
  bool is_sound() const { return body(), is_sound_; }
  // The tree with blanks and comments; null for a text that is no UTF-8.
  const SourceTree* tree() const;
  const Symbols& symbols() const;
  // It has blocks as only a module has: `variable` with one label, or `locals` without any.
  bool declares_names() const;

  void DropTrees() const;

 private:
  const std::string path_;
  const std::shared_ptr<const Source> source_;
  const bool is_json_;
  mutable std::unique_ptr<const LineIndex> lines_;
  mutable std::unique_ptr<const ParsedFile> parsed_;
  mutable std::unique_ptr<const SourceTree> tree_;
  mutable bool is_sound_ = false;
  mutable bool has_tree_ = false;  // it was asked for
  mutable std::unique_ptr<const Symbols> symbols_;
};

using TextFilePtr = std::shared_ptr<const TextFile>;

// The last part of a path, and what is before it: "." where there is nothing.
std::string NameOf(const std::string& path);
std::string FolderOf(const std::string& path);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_DOCUMENTS_TEXT_FILE_H_
