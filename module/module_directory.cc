// The files of a module in a directory. Tested by module/module_directory_test.cc.

#include "hclvm/module/module_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/source.h"

namespace hcl {

using internal::ToAbsl;
namespace {

constexpr size_t kMaxFiles = 10'000;
constexpr int kMaxLevels = 16;
constexpr size_t kMaxDirectories = 10'000;

// At most `left` of the `max_bytes` of the module: a file may grow while it is read.
absl::StatusOr<std::string> ReadText(const std::string& path, uint64_t left, uint64_t max_bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return absl::UnavailableError(absl::StrCat("cannot read ", path, ": ", std::strerror(errno)));
  std::string text;
  char buffer[1 << 16];
  size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
    text.append(buffer, got);
    if (text.size() > left) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the files of the module take more than ", max_bytes, " bytes (limit max_source_bytes)"));
    }
  }
  if (std::ferror(file.get()) != 0) {
    return absl::UnavailableError(absl::StrCat("cannot read ", path, ": ", std::strerror(errno)));
  }
  return text;
}

absl::Status Unread(const std::string& directory, const std::error_code& error) {
  return absl::NotFoundError(absl::StrCat("cannot read the directory ", directory, ": ", error.message()));
}

}  // namespace

bool internal::IsTestFileName(std::string_view name) {
  return !name.empty() && name[0] != '.' && absl::EndsWith(ToAbsl(name), ".test.hcl");
}

bool IsModuleFileName(std::string_view name) {
  if (name.empty() || name[0] == '.' || internal::IsTestFileName(name)) return false;
  return absl::EndsWith(ToAbsl(name), ".hcl") || absl::EndsWith(ToAbsl(name), ".hcl.json");
}

absl::StatusOr<std::vector<std::string>> FindModules(const std::string& path) {
  struct Directory {
    std::string path;
    int level;
  };
  std::vector<std::string> modules;
  std::vector<Directory> waiting = {{path, 0}};
  for (size_t looked_into = 0; !waiting.empty() && looked_into < kMaxDirectories; ++looked_into) {
    const Directory next = std::move(waiting.back());
    waiting.pop_back();
    bool is_module = false;
    std::vector<std::string> below;
    std::error_code error;
    for (std::filesystem::directory_iterator at(next.path, error), end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string();
      std::error_code unused;
      if (at->is_directory(unused)) {
        if (name[0] != '.' && !at->is_symlink(unused)) below.push_back(at->path().string());
      } else {
        is_module = is_module || IsModuleFileName(name);
      }
    }
    if (error) return Unread(next.path, error);
    if (is_module) {
      if (next.level == 0) return std::vector<std::string>();
      modules.push_back(next.path);
    } else if (next.level < kMaxLevels) {
      for (std::string& directory : below) waiting.push_back({std::move(directory), next.level + 1});
    }
  }
  std::sort(modules.begin(), modules.end());
  return modules;
}

absl::StatusOr<std::vector<ModuleFile>> ReadModuleDirectory(const std::string& path, const Limits& limits) {
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code unused;
    if (!IsModuleFileName(name) || at->is_directory(unused)) continue;
    // Nobody writes into a pipe of that name, so that reading would wait for ever. What is no file at all, such as a
    // link that leads nowhere, is told by reading.
    if (at->exists(unused) && !at->is_regular_file(unused)) {
      return absl::UnavailableError(absl::StrCat("cannot read ", at->path().string(), ": it is no regular file"));
    }
    names.push_back(name);
    if (names.size() > kMaxFiles) {
      return absl::ResourceExhaustedError(absl::StrCat("a module has at most ", kMaxFiles, " files"));
    }
  }
  if (error) return Unread(path, error);
  if (names.empty()) return absl::NotFoundError(absl::StrCat(path, " has no *.hcl and no *.hcl.json in it"));
  std::sort(names.begin(), names.end());
  std::vector<ModuleFile> files;
  uint64_t left = limits.max_source_bytes;
  for (const std::string& name : names) {
    const std::string file = (std::filesystem::path(path) / name).string();
    absl::StatusOr<std::string> text = ReadText(file, left, limits.max_source_bytes);
    if (!text.ok()) return text.status();
    left -= text->size();
    files.push_back({std::make_shared<const Source>(file, *std::move(text)), absl::EndsWith(name, ".json")});
  }
  return files;
}

}  // namespace hcl
