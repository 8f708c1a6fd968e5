// Data. Tested by serve/data_set_test.cc.
//
// Files are read as those of bundles are, and not by ReadDataFiles(): a pipe in the place of one must not hold up the
// thread that reads them.

#include "hclvm/serve/data_set.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/digest.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

constexpr size_t kRevisionDigits = 16;
constexpr std::string_view kSuffix = ".json";

// Adds texts one by one, within bounds for all of them.
class TextReader {
 public:
  explicit TextReader(const BundleLimits& limits) : limits_(limits), left_(limits.max_bytes) {}

  std::vector<BaseText> Take() { return std::move(texts_); }

  absl::Status AddPath(const std::string& path) {
    std::error_code unused;
    return std::filesystem::is_directory(path, unused) ? AddDirectory(path) : AddFile(path, "");
  }

 private:
  absl::Status TooLarge() const {
    return absl::ResourceExhaustedError(
        absl::StrCat("data have at most ", limits_.max_bytes, " bytes in ", limits_.max_files, " files"));
  }

  absl::Status AddDirectory(const std::string& path) {
    std::error_code error;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
      std::string name = at->path().filename().string();
      std::error_code unused;
      const bool is_data = name[0] != '.' && name.size() > kSuffix.size() &&
                           name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
      if (!is_data || at->is_directory(unused)) continue;
      names.push_back(std::move(name));
      if (names.size() > limits_.max_files) return TooLarge();
    }
    if (error) return absl::UnavailableError(absl::StrCat("cannot read ", path, ": ", error.message()));
    if (names.empty()) return absl::NotFoundError(absl::StrCat(path, " has no *.json in it"));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      absl::Status status = AddFile(absl::StrCat(path, "/", name), name.substr(0, name.size() - kSuffix.size()));
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status AddFile(const std::string& path, std::string variable) {
    if (texts_.size() >= limits_.max_files) return TooLarge();
    auto text = ReadWholeFile(path, left_);
    if (absl::IsResourceExhausted(text.status())) return TooLarge();
    if (!text.ok()) return text.status();
    left_ -= text->size();
    texts_.push_back({std::make_shared<const Source>(path, *std::move(text)), std::move(variable)});
    return absl::OkStatus();
  }

  const BundleLimits limits_;
  uint64_t left_;
  std::vector<BaseText> texts_;
};

std::string RevisionOf(absl::Span<const BaseText> texts) {
  std::string all;
  for (const BaseText& text : texts) {
    absl::StrAppend(&all, text.variable, "\n", Sha256Hex(text.source->text()), "\n");
  }
  return absl::StrCat("data:", Sha256Hex(all).substr(0, kRevisionDigits));
}

bool Reads(const Program& program, const Value& variables) {
  return std::any_of(program.variables().begin(), program.variables().end(),
                     [&](std::string_view name) { return variables.shape().Find(name) >= 0; });
}

}  // namespace

absl::StatusOr<std::vector<BaseText>> ReadDataTexts(const std::vector<std::string>& paths, const BundleLimits& limits) {
  TextReader reader(limits);
  for (const std::string& path : paths) {
    absl::Status status = reader.AddPath(path);
    if (!status.ok()) return status;
  }
  return reader.Take();
}

std::shared_ptr<const DataSet> MakeDataSet(absl::Span<const BaseText> texts, const DataOptions& options,
                                           BundleFailure* failure) {
  BaseOptions base;
  base.limits = options.limits;
  Diagnostics diagnostics;
  auto made = std::make_shared<DataSet>();
  made->data = BaseData::Read(texts, base, &diagnostics);
  ReportErrors(diagnostics, nullptr, failure);
  if (made->data == nullptr) {
    failure->message = "the data have errors";
    return nullptr;
  }
  made->revision = RevisionOf(texts);
  return made;
}

std::shared_ptr<const DataLayers> MakeDataLayers(const Bundle& bundle, const DataSet& data, const DataOptions& options,
                                                 BundleFailure* failure) {
  BaseOptions base;
  base.limits = options.limits;
  base.replaceable = options.replaceable;
  base.check_all = options.check_all;
  auto layers = std::make_shared<DataLayers>();
  layers->of_modules.resize(bundle.modules().size());
  bool fit = true;
  for (size_t n = 0; n < bundle.modules().size(); ++n) {
    const std::shared_ptr<const Program>& program = bundle.modules()[n].program;
    if (!Reads(*program, data.data->variables())) continue;
    Diagnostics diagnostics;
    layers->of_modules[n] = BaseLayer::Make(program, data.data, base, &diagnostics);
    if (layers->of_modules[n] != nullptr) continue;
    fit = false;
    ReportErrors(diagnostics, &program->source(), failure);
  }
  if (fit) return layers;
  failure->message = absl::StrCat("the data ", data.revision, " do not fit the bundle ", bundle.revision());
  return nullptr;
}

}  // namespace hcl::serve
