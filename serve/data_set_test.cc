// Data: read, refused, and what they are to the modules of a bundle.

#include "hclvm/serve/data_set.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::serve {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

fs::path Folder(const std::string& name) {
  fs::path folder = fs::path(testing::TempDir()) / ("data_set_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

void Write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string Read(const std::vector<std::string>& paths, const BundleLimits& limits = {}) {
  const auto texts = ReadDataTexts(paths, limits);
  if (!texts.ok()) return std::string(absl::StatusCodeToString(texts.status().code()));
  std::string all;
  for (const BaseText& text : *texts) all.append(text.variable + "=" + std::string(text.source->text()) + ";");
  return all;
}

std::vector<BaseText> Texts(const std::string& json) {
  return {{std::make_shared<const Source>("data.json", json), ""}};
}

std::shared_ptr<const Bundle> Compile(const BundleFiles& files) {
  BundleOptions options;
  options.compile.functions = StandardFunctions();
  BundleFailure failure;
  auto bundle = CompileBundle(files, options, nullptr, &failure);
  EXPECT_NE(bundle, nullptr) << failure.text;
  return bundle;
}

TEST(DataSetTest, ReadsFilesAndFolders) {
  const fs::path folder = Folder("reads");
  Write(folder / "users.json", "[1]");
  Write(folder / "roles.json", "2");
  Write(folder / ".hidden.json", "3");
  Write(folder / ".json", "4");
  Write(folder / "notes.txt", "5");
  fs::create_directories(folder / "more.json");
  const fs::path file = Folder("reads_file") / "all.json";
  Write(file, R"({"a": 1})");
  fs::create_symlink(file, folder / "linked.json");
  EXPECT_EQ(Read({folder.string(), file.string()}), R"(linked={"a": 1};roles=2;users=[1];={"a": 1};)");
}

TEST(DataSetTest, RefusesWhatItCannotRead) {
  const fs::path folder = Folder("refuses");
  EXPECT_EQ(Read({(folder / "none.json").string()}), "NOT_FOUND");
  EXPECT_EQ(Read({folder.string()}), "NOT_FOUND");
  Write(folder / "a.json", "12345");
  Write(folder / "b.json", "12345");
  BundleLimits limits;
  limits.max_bytes = 10;
  EXPECT_EQ(Read({folder.string()}, limits), "a=12345;b=12345;");
  limits.max_bytes = 9;
  EXPECT_EQ(Read({folder.string()}, limits), "RESOURCE_EXHAUSTED");
  limits = {};
  limits.max_files = 2;
  EXPECT_EQ(Read({folder.string()}, limits), "a=12345;b=12345;");
  limits.max_files = 1;
  EXPECT_EQ(Read({folder.string()}, limits), "RESOURCE_EXHAUSTED");
  // Nobody writes to it.
  ASSERT_EQ(mkfifo((folder / "c.json").c_str(), 0600), 0);
  EXPECT_EQ(Read({folder.string()}), "INVALID_ARGUMENT");
}

TEST(DataSetTest, HasARevisionOfItsContents) {
  BundleFailure failure;
  const auto revision = [&](const std::string& json) {
    const auto data = MakeDataSet(Texts(json), {}, &failure);
    return data == nullptr ? "" : data->revision;
  };
  EXPECT_EQ(revision(R"({"a": 1})"), revision(R"({"a": 1})"));
  EXPECT_NE(revision(R"({"a": 1})"), revision(R"({"a": 2})"));
  EXPECT_EQ(revision("{}").substr(0, 5), "data:");
  EXPECT_EQ(revision("{}").size(), 21u);
  EXPECT_EQ(failure.message, "");
  EXPECT_EQ(revision(R"({"a": )"), "");
  EXPECT_EQ(failure.message, "the data have errors");
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_THAT(failure.diagnostics[0], HasSubstr("\"filename\":\"data.json\""));
  EXPECT_EQ(revision("[]"), "");
}

TEST(DataSetTest, IsForTheModulesThatReadIt) {
  const auto bundle = Compile({{"a/x.hcl", "variable \"n\" {\n  type = number\n}\nx = n\n"}, {"b/x.hcl", "x = 1\n"}});
  BundleFailure failure;
  auto data = MakeDataSet(Texts(R"({"n": 1, "other": 2})"), {}, &failure);
  ASSERT_NE(data, nullptr);
  auto layers = MakeDataLayers(*bundle, *data, {}, &failure);
  ASSERT_NE(layers, nullptr);
  EXPECT_NE(layers->of_modules[0], nullptr);
  EXPECT_EQ(layers->of_modules[1], nullptr);
  data = MakeDataSet(Texts(R"({"n": "many"})"), {}, &failure);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(MakeDataLayers(*bundle, *data, {}, &failure), nullptr);
  EXPECT_EQ(failure.message, "the data " + data->revision + " do not fit the bundle " + bundle->revision());
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_THAT(failure.diagnostics[0], HasSubstr("\"filename\":\"a/x.hcl\""));
}

}  // namespace
}  // namespace hcl::serve
