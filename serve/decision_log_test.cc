// The writer of the decision log.

#include "hclvm/serve/decision_log.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "hclvm/serve/bundle_files.h"

namespace hcl::serve {
namespace {

std::string PathOf(const std::string& name) {
  std::string path = testing::TempDir() + "/decision_log_" + name;
  std::remove(path.c_str());
  return path;
}

uint64_t Dropped(const Metrics& metrics, LogDrop reason) { return metrics.log_drops[static_cast<size_t>(reason)]; }

TEST(DecisionLogTest, WritesLines) {
  const std::string path = PathOf("writes");
  Metrics metrics;
  for (int run = 0; run < 2; ++run) {
    const auto log = *DecisionLog::Open(path, 1 << 20, &metrics);
    for (int n = 0; n < 1000; ++n) log->Add("line\n");
  }
  EXPECT_EQ(ReadWholeFile(path, 1 << 20)->size(), 2000 * 5u);
  EXPECT_EQ(metrics.log_lines, 2000u);
}

TEST(DecisionLogTest, CountsWhatADiskDoesNotTake) {
  Metrics metrics;
  {
    const auto log = *DecisionLog::Open("/dev/full", 1 << 20, &metrics);
    for (int n = 0; n < 10; ++n) log->Add("line\n");
  }
  EXPECT_EQ(metrics.log_lines, 0u);
  EXPECT_EQ(Dropped(metrics, LogDrop::kWriteFailed), 10u);
  EXPECT_FALSE(DecisionLog::Open("/none/log", 1 << 20, &metrics).ok());
}

// A pipe that nobody reads: whoever adds does not wait, and what there is no room for is counted.
TEST(DecisionLogTest, NeverWaits) {
  const std::string path = PathOf("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  // A thread that hangs in a write is left behind, and may count when the test has ended.
  static Metrics& metrics = *new Metrics;
  const std::string line = std::string(999, 'x') + "\n";
  {
    const auto log = *DecisionLog::Open(path, 100'000, &metrics);
    for (int n = 0; n < 2000; ++n) log->Add(line);
    EXPECT_GT(Dropped(metrics, LogDrop::kQueueFull), 1000u);
  }
  close(reader);
  const uint64_t lost = Dropped(metrics, LogDrop::kQueueFull) + Dropped(metrics, LogDrop::kWriteFailed);
  EXPECT_EQ(metrics.log_lines + lost, 2000u);
}

// Opening it does not wait either, and who comes later gets what has waited in the pipe.
TEST(DecisionLogTest, OpensPipesThatNobodyReads) {
  const std::string path = PathOf("unread");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  Metrics metrics;
  const auto log = *DecisionLog::Open(path, 1 << 20, &metrics);
  log->Add("line\n");
  while (metrics.log_lines < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  char text[10];
  EXPECT_EQ(std::string(text, static_cast<size_t>(read(reader, text, sizeof(text)))), "line\n");
  close(reader);
}

// A full pipe does not keep the log from another file.
TEST(DecisionLogTest, LeavesAFullPipe) {
  const std::string path = PathOf("full_pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  Metrics metrics;
  const auto log = *DecisionLog::Open(path, 1 << 20, &metrics);
  for (int n = 0; n < 200; ++n) log->Add(std::string(999, 'x') + "\n");
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  for (int waiting = 0; waiting < 60'000;) {
    ASSERT_EQ(ioctl(reader, FIONREAD, &waiting), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::rename(path.c_str(), (path + ".old").c_str());
  log->Reopen();
  while (Dropped(metrics, LogDrop::kWriteFailed) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  log->Add("new\n");
  // Lines that have come late, and were not part of that write, stand before it.
  const auto is_new = [&] {
    const auto text = ReadWholeFile(path, 1 << 20);
    return text.ok() && text->size() >= 4 && text->compare(text->size() - 4, 4, "new\n") == 0;
  };
  while (!is_new()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  close(reader);
}

TEST(DecisionLogTest, OpensAnew) {
  const std::string path = PathOf("anew");
  Metrics metrics;
  const auto log = *DecisionLog::Open(path, 1 << 20, &metrics);
  const auto wait_for = [&](uint64_t lines) {
    while (metrics.log_lines < lines) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  log->Add("one\n");
  wait_for(1);
  std::rename(path.c_str(), (path + ".1").c_str());
  log->Reopen();
  log->Add("two\n");
  wait_for(2);
  EXPECT_EQ(*ReadWholeFile(path + ".1", 100), "one\n");
  EXPECT_EQ(*ReadWholeFile(path, 100), "two\n");
}

// Whoever rotates has to hear of it, and lines are kept where they can be.
TEST(DecisionLogTest, SaysThatItCannotOpenAnew) {
  const std::string folder = PathOf("folder");
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  Metrics metrics;
  std::promise<std::string> said;
  const auto log =
      *DecisionLog::Open(folder + "/log", 1 << 20, &metrics, [&](const std::string& error) { said.set_value(error); });
  std::rename(folder.c_str(), (folder + ".1").c_str());
  log->Reopen();
  EXPECT_EQ(said.get_future().get(), "cannot write " + folder + "/log: No such file or directory");
  log->Add("one\n");
  while (metrics.log_lines < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(*ReadWholeFile(folder + ".1/log", 100), "one\n");
}

}  // namespace
}  // namespace hcl::serve
