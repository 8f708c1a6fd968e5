// FileStore. Tested by lsp/documents/file_store_test.cc.

#include "hclvm/lsp/documents/file_store.h"

#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/source.h"
#include "hclvm/lsp/protocol/file_uri.h"

namespace hcl::lsp {
namespace {

absl::Status TooLarge() {
  return absl::ResourceExhaustedError(absl::StrCat("a document has more than ", kMaxFileBytes, " bytes"));
}

// A pipe would be waited for.
bool IsFile(const std::string& path, struct stat* status) {
  return ::stat(path.c_str(), status) == 0 && S_ISREG(status->st_mode);
}

// A file may grow while it is read.
std::optional<std::string> ReadText(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[1 << 16];
  size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
    text.append(buffer, got);
    if (text.size() > kMaxFileBytes) return std::nullopt;
  }
  return std::ferror(file.get()) != 0 ? std::nullopt : std::make_optional(std::move(text));
}

bool IsSameTime(const std::timespec& a, const std::timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

TextFilePtr FileStore::MakeFile(const std::string& path, std::string text) const {
  return std::make_shared<const TextFile>(path, ShownName(path), std::move(text));
}

absl::Status FileStore::Open(const std::string& uri, int64_t version, std::string text) {
  if (text.size() > kMaxFileBytes) return TooLarge();
  const std::string path = PathOf(uri);
  open_[path] = {uri, version, MakeFile(path, std::move(text))};
  return absl::OkStatus();
}

absl::Status FileStore::Change(const std::string& uri, int64_t version, const Json& changes,
                               PositionEncoding encoding) {
  const auto found = open_.find(PathOf(uri));
  if (found == open_.end()) return absl::NotFoundError(absl::StrCat("no document ", uri, " is open"));
  if (!changes.is_array()) return absl::InvalidArgumentError("contentChanges must be a list");
  OpenDocument& document = found->second;
  std::string text(document.file->text());
  for (const Json& change : changes) {
    const Json* const with = Member(change, {"text"});
    if (with == nullptr || !with->is_string()) return absl::InvalidArgumentError("a change must have a text");
    const std::string& inserted = with->get_ref<const std::string&>();
    const Json* const range = Member(change, {"range"});
    if (range == nullptr) {
      text = inserted;
    } else {
      const SourceRange bytes = LineIndex(text).BytesOf(*range, encoding);
      text.replace(bytes.begin, bytes.end - bytes.begin, inserted);
    }
    if (text.size() > kMaxFileBytes) return TooLarge();
  }
  document.version = version;
  document.file = MakeFile(found->first, std::move(text));
  return absl::OkStatus();
}

void FileStore::Close(const std::string& uri) { open_.erase(PathOf(uri)); }

const OpenDocument* FileStore::FindOpen(const std::string& path) const {
  const auto found = open_.find(path);
  return found == open_.end() ? nullptr : &found->second;
}

TextFilePtr FileStore::Read(const std::string& path) {
  if (const OpenDocument* const document = FindOpen(path)) return document->file;
  struct stat status = {};
  const bool is_file = IsFile(path, &status);
  const auto found = kept_.find(path);
  const auto bytes = static_cast<uint64_t>(is_file ? status.st_size : 0);
  if (found != kept_.end()) {
    if (is_file && IsSameTime(found->second.modified, status.st_mtim) && found->second.bytes == bytes) {
      return found->second.file;
    }
    kept_bytes_ -= found->second.file->text().size();
    kept_.erase(found);
  }
  if (!is_file || bytes > kMaxFileBytes) return nullptr;
  std::optional<std::string> text = ReadText(path);
  if (!text) return nullptr;
  if (kept_bytes_ + text->size() > kMaxKeptBytes) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += text->size();
  TextFilePtr file = MakeFile(path, *std::move(text));
  kept_[path] = {status.st_mtim, bytes, file};
  return file;
}

std::function<std::optional<std::string>(const std::string&)> FileStore::Reader() const {
  std::map<std::string, std::shared_ptr<const Source>> documents;
  for (const auto& [path, document] : open_) documents[path] = document.file->source();
  return [documents = std::move(documents)](const std::string& path) -> std::optional<std::string> {
    const auto found = documents.find(path);
    if (found != documents.end()) return std::string(found->second->text());
    struct stat status = {};
    return IsFile(path, &status) ? ReadText(path) : std::nullopt;
  };
}

std::vector<TextFilePtr> FileStore::ReadFolder(const std::string& folder, bool (*takes)(std::string_view name)) {
  std::set<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (takes(at->path().filename().string())) paths.insert(at->path().string());
    if (paths.size() >= kMaxFolderFiles) break;
  }
  const std::string prefix = folder == "/" ? folder : folder + "/";
  for (auto at = open_.lower_bound(prefix); at != open_.end() && at->first.compare(0, prefix.size(), prefix) == 0;
       ++at) {
    if (FolderOf(at->first) == folder && takes(NameOf(at->first))) paths.insert(at->first);
  }
  std::vector<TextFilePtr> files;
  for (const std::string& path : paths) {
    if (TextFilePtr file = Read(path)) files.push_back(std::move(file));
  }
  return files;
}

std::string FileStore::ShownName(const std::string& path) const {
  const std::string prefix = root_ + "/";
  return !root_.empty() && path.compare(0, prefix.size(), prefix) == 0 ? path.substr(prefix.size()) : path;
}

std::string FileStore::AbsolutePath(const std::string& path) const {
  return path.empty() || path[0] == '/' || root_.empty() ? path : root_ + "/" + path;
}

}  // namespace hcl::lsp
