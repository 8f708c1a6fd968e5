// TextFile. Tested by lsp/documents/file_store_test.cc.

#include "hclvm/lsp/documents/text_file.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/module_directory.h"

namespace hcl::lsp {

TextFile::TextFile(std::string path, const std::string& name, std::string text)
    : path_(std::move(path)),
      source_(std::make_shared<const Source>(name, std::move(text))),
      is_json_(absl::EndsWith(path_, ".json")) {}

const LineIndex& TextFile::lines() const {
  if (lines_ == nullptr) lines_ = std::make_unique<const LineIndex>(source_->text());
  return *lines_;
}

const Body& TextFile::body() const {
  if (parsed_ == nullptr) {
    Diagnostics found;
    static const Source& empty = *new Source("", "");
    ParseOptions options;
    options.allow_byte_order_mark = true;
    parsed_ = ParseConfig(is_json_ ? empty : *source_, options, &found);
    is_sound_ = !found.has_errors();
  }
  return *parsed_->body;
}

const SourceTree* TextFile::tree() const {
  if (!has_tree_) {
    has_tree_ = true;
    absl::StatusOr<SourceTree> tree = SourceTree::Read(is_json_ ? "" : std::string(source_->text()));
    if (tree.ok()) tree_ = std::make_unique<const SourceTree>(*std::move(tree));
  }
  return tree_.get();
}

const Symbols& TextFile::symbols() const {
  if (symbols_ == nullptr) {
    symbols_ = std::make_unique<const Symbols>(body(), text(), internal::IsTestFileName(NameOf(path_)));
  }
  return *symbols_;
}

bool TextFile::declares_names() const {
  const absl::Span<const Block> blocks = body().blocks;
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
    return (block.type == "variable" && block.labels.size() == 1) || (block.type == "locals" && block.labels.empty());
  });
}

void TextFile::DropTrees() const {
  symbols_.reset();
  parsed_.reset();
  tree_.reset();
  has_tree_ = false;
}

std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace hcl::lsp
