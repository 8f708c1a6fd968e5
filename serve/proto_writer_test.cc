// Messages as bytes, beside those of protobuf.

#include "hclvm/serve/proto_writer.h"

#include <cstdint>
#include <string>

#include "google/protobuf/struct.pb.h"
#include "google/protobuf/timestamp.pb.h"
#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

TEST(ProtoWriterTest, WritesNumbers) {
  for (const int64_t number :
       {int64_t{1}, int64_t{127}, int64_t{128}, int64_t{300}, INT64_MAX, INT64_MIN, int64_t{-1}}) {
    google::protobuf::Timestamp message;
    message.set_seconds(number);
    std::string bytes;
    ProtoWriter(&bytes).Varint(google::protobuf::Timestamp::kSecondsFieldNumber, static_cast<uint64_t>(number));
    EXPECT_EQ(bytes, message.SerializeAsString()) << number;
  }
  for (const double number : {1.5, -0.25, 1e300}) {
    google::protobuf::Value message;
    message.set_number_value(number);
    std::string bytes;
    ProtoWriter(&bytes).Double(google::protobuf::Value::kNumberValueFieldNumber, number);
    EXPECT_EQ(bytes, message.SerializeAsString()) << number;
  }
}

// Sizes of one byte, two and three, each in two messages around it.
TEST(ProtoWriterTest, WritesMessagesOfEachSize) {
  for (const size_t size : {0, 1, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 16'380, 16'384, 70'000}) {
    const std::string text(size, 'x');
    google::protobuf::Value message;
    message.mutable_list_value()->add_values()->set_string_value(text);
    std::string bytes;
    ProtoWriter writer(&bytes);
    const size_t list = writer.Begin(google::protobuf::Value::kListValueFieldNumber);
    const size_t value = writer.Begin(google::protobuf::ListValue::kValuesFieldNumber);
    writer.Text(google::protobuf::Value::kStringValueFieldNumber, text);
    writer.End(value);
    writer.End(list);
    EXPECT_EQ(bytes, message.SerializeAsString()) << size;
  }
}

TEST(ProtoWriterTest, LeavesEmptyTextsOut) {
  std::string bytes = "a";
  ProtoWriter writer(&bytes);
  writer.TextUnlessEmpty(1, "");
  EXPECT_EQ(bytes, "a");
  writer.TextUnlessEmpty(20, "b");
  EXPECT_EQ(bytes,
            "a\xa2\x01\x01"
            "b");
}

}  // namespace
}  // namespace hcl::serve
