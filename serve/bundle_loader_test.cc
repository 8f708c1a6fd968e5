// Reading what somebody is writing.

#include "hclvm/serve/bundle_loader.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

class BundleLoaderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    WriteParts("1", "1");
  }

  // Two files of one module, which are right in any combination. Values of other sizes are seen even where the clock of
  // the file system is coarse.
  void WriteParts(const std::string& a, const std::string& b) {
    if (!a.empty()) Write(folder_ / "m/a.hcl", "a = \"" + a + "\"\n");
    if (!b.empty()) Write(folder_ / "m/b.hcl", "b = \"" + b + "\"\n");
  }
  // What is in force of both.
  std::string Values() {
    const auto value = [this](const char* entry) {
      const std::string answer = service_.Answer("POST", std::string("/v1/decide/m/") + entry, "{}");
      const size_t begin = answer.find("\"value\":\"");
      return begin == std::string::npos ? answer : answer.substr(begin + 9, answer.find('"', begin + 9) - begin - 9);
    };
    return value("a") + " " + value("b");
  }

  LoaderOptions Options(milliseconds quiet, milliseconds max_unrest) const {
    LoaderOptions options;
    options.bundle = folder_.string();
    options.interval = milliseconds(0);
    options.quiet = quiet;
    options.max_unrest = max_unrest;
    return options;
  }
  BundleLoader::Report Reporter() {
    return [this](const LoadEvent& event) {
      const std::lock_guard<std::mutex> lock(mutex_);
      events_.push_back(event.activation.activated ? "activated" : event.activation.failure.message);
      reported_.notify_all();
    };
  }
  // The events so far, when there are so many.
  std::vector<std::string> Events(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    reported_.wait_for(lock, std::chrono::seconds(60), [&] { return events_.size() >= count; });
    return events_;
  }

  fs::path folder_;
  TestService service_{{}};
  std::mutex mutex_;
  std::condition_variable reported_;
  std::vector<std::string> events_;
};

// The second file comes after the signal.
TEST_F(BundleLoaderTest, WaitsForWhatIsBeingWritten) {
  BundleLoader loader(Options(milliseconds(1000), milliseconds(60'000)), service_.operator->(), Reporter(), nullptr);
  ASSERT_TRUE(loader.Start().ok());
  EXPECT_EQ(Values(), "1 1");
  WriteParts("22", "");
  loader.Reload();
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(Values(), "1 1");
  WriteParts("", "22");
  EXPECT_EQ(Events(2), std::vector<std::string>({"activated", "activated"}));
  EXPECT_EQ(Values(), "22 22");
}

TEST_F(BundleLoaderTest, ReadsAtOnceWhatHasNotChanged) {
  BundleLoader loader(Options(milliseconds(120'000), milliseconds(120'000)), service_.operator->(), Reporter(),
                      nullptr);
  ASSERT_TRUE(loader.Start().ok());
  loader.Reload();
  EXPECT_EQ(Events(2), std::vector<std::string>({"activated", ""}));
}

TEST_F(BundleLoaderTest, RefusesWhatGoesOnChanging) {
  BundleLoader loader(Options(milliseconds(2000), milliseconds(1)), service_.operator->(), Reporter(), nullptr);
  ASSERT_TRUE(loader.Start().ok());
  std::atomic<bool> ending{false};
  std::thread writer([&] {
    for (int n = 2; !ending; ++n) {
      Write(folder_ / "m/c.hcl", "c = \"" + std::string(static_cast<size_t>(n), 'x') + "\"\n");
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  std::this_thread::sleep_for(milliseconds(20));
  WriteParts("22", "");
  loader.Reload();
  const std::vector<std::string> events = Events(2);
  EXPECT_EQ(Values(), "1 1");
  ending = true;
  writer.join();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_THAT(events[1], HasSubstr("has gone on changing"));
  EXPECT_THAT(service_.Answer("GET", "/readyz"), HasSubstr("has gone on changing"));
  // Afterwards it is read.
  loader.Reload();
  EXPECT_EQ(Events(3).back(), "activated");
  EXPECT_EQ(Values(), "22 1");
}

// Without a wait for what nobody will end.
TEST_F(BundleLoaderTest, EndsWhileItWaits) {
  BundleLoader loader(Options(milliseconds(120'000), milliseconds(120'000)), service_.operator->(), Reporter(),
                      nullptr);
  ASSERT_TRUE(loader.Start().ok());
  WriteParts("22", "");
  loader.Reload();
  const auto begin = std::chrono::steady_clock::now();
  loader.Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(Values(), "1 1");
}

}  // namespace
}  // namespace hcl::serve
