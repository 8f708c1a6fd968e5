// Tests of cutting a stream into batches, over a pipe, where a read brings what was written.

#include "hclvm/ndjson/batch_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "hclvm/ndjson.h"

namespace hcl::internal {
namespace {

// "SEQUENCE FIRST_LINE TEXT", with "cut" before a text of which only the beginning is there.
std::string Describe(const Batch& batch, size_t max_bytes = 100) {
  return std::to_string(batch.sequence) + " " + std::to_string(batch.first_line) + (batch.cut_line ? " cut " : " ") +
         std::string(batch.text.substr(0, max_bytes));
}

class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_), 0); }
  ~Pipe() {
    CloseInput();
    close(ends_[0]);
  }
  NdjsonInput output() const { return ReadFrom(ends_[0], "pipe"); }
  void Write(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      const ssize_t written = write(ends_[1], text.data() + at, text.size() - at);
      ASSERT_GT(written, 0);
      at += static_cast<size_t>(written);
    }
  }
  void CloseInput() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(BatchReaderTest, GivesTheLinesThatAreThere) {
  Pipe pipe;
  const NdjsonInput input = pipe.output();
  BatchReader reader(input, 1000);
  Batch batch;
  pipe.Write("a\n\nb\nbegin");
  ASSERT_TRUE(reader.Next(&batch));
  EXPECT_EQ(Describe(batch), "0 1 a\n\nb\n");
  pipe.Write(" and end\n");
  ASSERT_TRUE(reader.Next(&batch));
  EXPECT_EQ(Describe(batch), "1 4 begin and end\n");
  pipe.Write("c\nlast");
  ASSERT_TRUE(reader.Next(&batch));
  EXPECT_EQ(Describe(batch), "2 5 c\n");
  pipe.CloseInput();
  Batch other;  // batches may take turns
  ASSERT_TRUE(reader.Next(&other));
  EXPECT_EQ(Describe(other), "3 6 last");
  EXPECT_EQ(Describe(batch), "2 5 c\n");
  EXPECT_FALSE(reader.Next(&batch));
  EXPECT_TRUE(reader.status().ok());
}

TEST(BatchReaderTest, NothingIsNoLine) {
  Pipe pipe;
  pipe.CloseInput();
  const NdjsonInput input = pipe.output();
  BatchReader reader(input, 1000);
  Batch batch;
  EXPECT_FALSE(reader.Next(&batch));
}

TEST(BatchReaderTest, LongLinesAreCutAndSkipped) {
  Pipe pipe;
  const NdjsonInput input = pipe.output();
  BatchReader reader(input, 10);
  std::thread writer([&pipe] {
    pipe.Write("1234567890\n");
    pipe.Write(std::string(1'000'000, 'x') + "\nafter\n" + std::string(300'000, 'y'));
    pipe.CloseInput();
  });
  // Without the numbers of the batches: reads may bring the first lines in one batch or in two.
  std::string all;
  for (Batch batch; reader.Next(&batch);) {
    const std::string text = Describe(batch, 12);
    all += text.substr(text.find(' ') + 1) + "/";
  }
  writer.join();
  EXPECT_EQ(all, "1 1234567890\n/2 cut xxxxxxxxxxxx/3 after\n/4 cut yyyyyyyyyyyy/");
}

TEST(BatchReaderTest, AFailedReadIsTold) {
  const NdjsonInput input = ReadFrom(-1, "nowhere");
  BatchReader reader(input, 10);
  Batch batch;
  EXPECT_FALSE(reader.Next(&batch));
  EXPECT_EQ(reader.status().message(), "cannot read nowhere: Bad file descriptor");
}

}  // namespace
}  // namespace hcl::internal
