// C++ data as values and back: printed forms, and that what is made reads as it was.

#include "hclvm/vm/value/fields.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/short_text.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

struct Port {
  uint16_t number = 0;
  std::string protocol = "tcp";
};
struct Server {
  std::string name;
  std::optional<int> weight;
  std::vector<Port> ports;
  std::map<std::string, std::string> labels;
  std::set<int64_t> zones;
  bool enabled = true;
  double share = 0.5;
  Value extra;
};
struct Folder {
  std::string name;
  std::vector<Folder> folders;
};
struct Empty {};
struct View {
  std::string_view text;
  const char* literal;
};
struct Address {
  int number;
};
struct Holder {
  const Address* address = nullptr;
};

bool operator==(const Port& a, const Port& b) { return a.number == b.number && a.protocol == b.protocol; }

const CapsuleType kAddressType{"address"};
const CapsuleType kOtherType{"other"};

}  // namespace

template <>
struct FieldsOf<Port> {
  static constexpr auto list = FieldList(Field("number", &Port::number), OptionalField("protocol", &Port::protocol));
};
template <>
struct FieldsOf<Server> {
  static constexpr auto list =
      FieldList(Field("name", &Server::name), Field("weight", &Server::weight), OptionalField("ports", &Server::ports),
                OptionalField("labels", &Server::labels), OptionalField("zones", &Server::zones),
                OptionalField("enabled", &Server::enabled), OptionalField("share", &Server::share),
                OptionalField("extra", &Server::extra));
};
template <>
struct FieldsOf<Folder> {
  static constexpr auto list = FieldList(Field("name", &Folder::name), OptionalField("folders", &Folder::folders));
};
template <>
struct FieldsOf<Empty> {
  static constexpr auto list = FieldList();
};
template <>
struct FieldsOf<View> {
  static constexpr auto list = FieldList(Field("text", &View::text), Field("literal", &View::literal));
};
template <>
struct FieldsOf<Holder> {
  static constexpr auto list = FieldList(Field("address", &Holder::address));
};
template <>
struct CapsuleTraits<Address> {
  static const CapsuleType& type() { return kAddressType; }
};

namespace {

static_assert(!internal::Codec<float>::kCanMake);
static_assert(!internal::Codec<char>::kCanMake);
static_assert(!internal::Codec<std::string_view>::kCanRead && internal::Codec<std::string_view>::kCanMake);
static_assert(!internal::Codec<std::vector<std::string_view>>::kCanRead);
static_assert(!internal::Codec<std::map<int, int>>::kCanMake);

class FieldsTest : public testing::Test {
 protected:
  // The typed JSON of the value, or "CODE: MESSAGE".
  template <typename T>
  std::string Made(const T& data) {
    const absl::StatusOr<Value> value = MakeValue(data, &heap_);
    if (!value.ok()) return ErrorOf(value.status());
    EXPECT_TRUE(Matches(TypeOf(*value, heap_.types()), TypeFor<T>(heap_.types())));
    std::string text;
    AppendTypedJson(*value, heap_.types(), &text);
    return text;
  }
  static std::string ErrorOf(const absl::Status& status) {
    return absl::StatusCodeToString(status.code()) + ": " + std::string(status.message());
  }
  Value Json(std::string_view text) {
    Value value;
    JsonError error;
    EXPECT_TRUE(JsonReader().Read(text, &heap_, &value, &error)) << error.detail;
    return value;
  }
  // What is decoded from a JSON text, made a value again, as JSON; or the message.
  template <typename T>
  std::string Decoded(std::string_view json, const DecodeOptions& options = {}) {
    const absl::StatusOr<T> data = Decode<T>(Json(json), options);
    if (!data.ok()) return std::string(data.status().message());
    const absl::StatusOr<Value> value = MakeValue(*data, &heap_);
    std::string text, reason;
    EXPECT_TRUE(AppendJson(*value, &text, &reason)) << reason;
    return text;
  }

  Heap heap_;
};

TEST_F(FieldsTest, MakesValues) {
  EXPECT_EQ(Made(true), R"({"type":"bool","value":true})");
  EXPECT_EQ(Made(int8_t{-5}), R"({"type":"number","value":-5})");
  EXPECT_EQ(Made(std::numeric_limits<uint64_t>::max()), R"({"type":"number","value":18446744073709551615})");
  EXPECT_EQ(Made(0.1), R"({"type":"number","value":0.1})");
  EXPECT_EQ(Made("text"), R"({"type":"string","value":"text"})");
  EXPECT_EQ(Made(std::string("e\xCC\x81")), "{\"type\":\"string\",\"value\":\"\xC3\xA9\"}");  // NFC
  EXPECT_EQ(Made(std::optional<int>()), R"({"type":"number","value":null})");
  EXPECT_EQ(Made(std::vector<std::optional<bool>>{true, std::nullopt}),
            R"({"type":["list","bool"],"value":[true,null]})");
  EXPECT_EQ(Made(std::vector<bool>{true, false}), R"({"type":["list","bool"],"value":[true,false]})");
  EXPECT_EQ(Made(std::vector<int>{}), R"({"type":["list","number"],"value":[]})");
  EXPECT_EQ(Made(std::vector<Value>{Value::Int(1), Value::Bool(true)}),
            R"({"type":["tuple",["number","bool"]],"value":[1,true]})");
  EXPECT_EQ(Made(std::unordered_map<std::string, int>{{"b", 1}, {"a", 2}}),
            R"({"type":["map","number"],"value":{"a":2,"b":1}})");
  EXPECT_EQ(Made(std::map<std::string, Value>{{"a", Value::Int(1)}, {"b", Value()}}),
            R"({"type":["object",{"a":"number","b":"dynamic"}],"value":{"a":1,"b":null}})");
  EXPECT_EQ(Made(Port{80}), R"({"type":["object",{"number":"number","protocol":"string"}],)"
                            R"("value":{"number":80,"protocol":"tcp"}})");
  EXPECT_EQ(Made(Empty()), R"({"type":["object",{}],"value":{}})");
  EXPECT_EQ(Made(View{"a", "b"}),
            R"({"type":["object",{"literal":"string","text":"string"}],"value":{"literal":"b","text":"a"}})");
  EXPECT_EQ(Made(std::vector<Port>{{1}, {2}}),
            R"({"type":["list",["object",{"number":"number","protocol":"string"}]],)"
            R"("value":[{"number":1,"protocol":"tcp"},{"number":2,"protocol":"tcp"}]})");
  EXPECT_EQ(Made(Folder{"a", {{"b", {}}}}),
            R"({"type":["object",{"folders":["tuple",[["object",{"folders":["tuple",[]],"name":"string"}]]],)"
            R"("name":"string"}],"value":{"folders":[{"folders":[],"name":"b"}],"name":"a"}})");
}

TEST_F(FieldsTest, SaysWhereMakingFails) {
  Server server;
  server.name = "\xff";
  EXPECT_EQ(Made(server), "INVALID_ARGUMENT: .name: the text is not valid UTF-8");
  server.name = "a";
  server.ports = {{1}, {2, "\xff"}};
  EXPECT_EQ(Made(server), "INVALID_ARGUMENT: .ports[1].protocol: the text is not valid UTF-8");
  server.ports.clear();
  server.labels = {{"a b", "\xff"}};
  EXPECT_EQ(Made(server), "INVALID_ARGUMENT: .labels[\"a b\"]: the text is not valid UTF-8");
  server.labels.clear();
  server.share = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Made(server), "INVALID_ARGUMENT: .share: the double is not a number (NaN)");
}

TEST_F(FieldsTest, HoldsTheLimitsOfTheHeap) {
  Limits limits;
  limits.max_result_bytes = 4096;
  limits.max_nesting_depth = 4;
  heap_ = Heap(nullptr, Dialect::kSpec, limits);
  EXPECT_EQ(Made(std::string(4000, 'x')).substr(0, 4), "{\"ty");
  EXPECT_EQ(Made(std::string(4097, 'x')),
            "RESOURCE_EXHAUSTED: the value takes more than 4096 bytes (limit max_result_bytes)");
  EXPECT_EQ(Made(std::vector<int>(300, 1)),
            "RESOURCE_EXHAUSTED: the value takes more than 4096 bytes (limit max_result_bytes)");
  heap_.Reset();
  const Value shared = *MakeValue(std::vector<int>(60, 1), &heap_);
  EXPECT_EQ(Made(std::vector<Value>(10, shared)),
            "RESOURCE_EXHAUSTED: the value takes more than 4096 bytes (limit max_result_bytes)");
  heap_.Reset();
  EXPECT_EQ(Made(Folder{"a", {{"b", {}}}}).substr(0, 4), "{\"ty");
  EXPECT_EQ(Made(Folder{"a", {{"b", {{"c", {}}}}}}),
            "RESOURCE_EXHAUSTED: .folders[0].folders[0]: nested deeper than 4 levels (limit max_nesting_depth)");
  const std::vector<std::vector<std::vector<std::vector<Value>>>> deep = {{{{Value::Int(1)}}}};
  EXPECT_EQ(Made(deep).substr(0, 4), "{\"ty");
  EXPECT_EQ(Made(std::vector<Value>{*MakeValue(deep, &heap_)}),
            "RESOURCE_EXHAUSTED: [0]: nested deeper than 4 levels (limit max_nesting_depth)");
}

TEST_F(FieldsTest, DecodesStructs) {
  EXPECT_EQ(Decoded<Port>(R"({"number": 80})"), R"({"number":80,"protocol":"tcp"})");
  EXPECT_EQ(Decoded<Port>(R"({"number": "80", "protocol": null, "other": 1})"), R"({"number":80,"protocol":"tcp"})");
  EXPECT_EQ(Decoded<Server>(R"({"name": 5, "zones": [3, 1, 3], "ports": [{"number": 1}], "labels": {"a": true}})"),
            R"({"enabled":true,"extra":null,"labels":{"a":"true"},"name":"5","ports":[{"number":1,"protocol":"tcp"}],)"
            R"("share":0.5,"weight":null,"zones":[1,3]})");
  EXPECT_EQ(Decoded<Folder>(R"({"name": "a", "folders": [{"name": "b"}]})"),
            R"({"folders":[{"folders":[],"name":"b"}],"name":"a"})");
  EXPECT_EQ(Decoded<std::vector<Value>>(R"([1, null, {"a": []}])"), R"([1,null,{"a":[]}])");
  EXPECT_EQ(Decoded<Empty>(R"({"a": 1})"), "{}");
}

TEST_F(FieldsTest, SaysWhereDecodingFails) {
  EXPECT_EQ(Decoded<Port>("{}"), "attribute \"number\" is required");
  EXPECT_EQ(Decoded<Port>("[]"), "an object or map is required");
  EXPECT_EQ(Decoded<Port>("null"), "must not be null");
  EXPECT_EQ(Decoded<Port>(R"({"number": null})"), ".number: must not be null");
  EXPECT_EQ(Decoded<Port>(R"({"number": 65536})"), ".number: a whole number from 0 to 65535 is required");
  EXPECT_EQ(Decoded<Port>(R"({"number": -1})"), ".number: a whole number from 0 to 65535 is required");
  EXPECT_EQ(Decoded<Port>(R"({"number": 1.5})"), ".number: a whole number is required");
  EXPECT_EQ(Decoded<Port>(R"({"number": "x"})"), ".number: a number is required, and this text is none");
  EXPECT_EQ(Decoded<Port>(R"({"number": []})"), ".number: a number is required, not a tuple");
  EXPECT_EQ(Decoded<bool>("\"yes\""), "a bool is required: \"true\" or \"false\"");
  EXPECT_EQ(Decoded<Server>(R"({"name": "a", "ports": [{"number": 1}, {}]})"),
            ".ports[1]: attribute \"number\" is required");
  EXPECT_EQ(Decoded<Server>(R"({"name": "a", "labels": {"a b": []}})"),
            ".labels[\"a b\"]: a string is required, not a tuple");
  EXPECT_EQ(Decoded<Server>(R"({"name": "a", "ports": 1})"), ".ports: a list, set or tuple is required");
  EXPECT_EQ(Decoded<std::vector<int>>("[1, [2]]"), "[1]: a number is required, not a tuple");
}

TEST_F(FieldsTest, RefusesOtherAttributesIfAsked) {
  DecodeOptions options;
  options.refuse_other_attributes = true;
  EXPECT_EQ(Decoded<Port>(R"({"number": 1})", options), R"({"number":1,"protocol":"tcp"})");
  EXPECT_EQ(Decoded<Port>(R"({"number": 1, "portocol": "udp"})", options), "there is no attribute \"portocol\" here");
  EXPECT_EQ(Decoded<Server>(R"({"name": "a", "ports": [{"number": 1, "x": 2}]})", options),
            ".ports[0]: there is no attribute \"x\" here");
}

TEST_F(FieldsTest, UnknownAndMarkedValuesAreErrors) {
  const KeyValue unknown{Value::StringView("number"), Value::Unknown(Type::Number())};
  EXPECT_EQ(ErrorOf(Decode<Port>(MakeObject({&unknown, 1}, heap_.arena())).status()),
            "INVALID_ARGUMENT: .number: is not known");
  const KeyValue marked{Value::StringView("number"), Mark(Value::Int(7), 1, heap_.arena())};
  const Value object = MakeObject({&marked, 1}, heap_.arena());
  EXPECT_EQ(ErrorOf(Decode<Port>(object).status()),
            "INVALID_ARGUMENT: .number: is marked, and the marks would be lost");
  DecodeOptions options;
  options.drop_marks = true;
  EXPECT_EQ(Decode<Port>(object, options)->number, 7);
  EXPECT_TRUE((Decode<std::map<std::string, Value>>(object))->at("number").is_marked());
}

TEST_F(FieldsTest, CapsulesAreNotCopied) {
  const Address address{5};
  EXPECT_EQ(Made(Holder{&address}),
            R"({"type":["object",{"address":["capsule","address"]}],"value":{"address":{"$capsule":"address"}}})");
  EXPECT_EQ(Decode<Holder>(*MakeValue(Holder{&address}, &heap_))->address, &address);
  EXPECT_EQ(Decode<Holder>(*MakeValue(Holder{}, &heap_))->address, nullptr);
  const KeyValue other{Value::StringView("address"),
                       MakeCapsule(heap_.types()->Capsule(&kOtherType), &address, heap_.arena())};
  EXPECT_EQ(Decode<Holder>(MakeObject({&other, 1}, heap_.arena())).status().message(),
            ".address: a capsule of the type address is required");
}

TEST_F(FieldsTest, StructsOfOneTypeShareTheirShape) {
  const Value value = *MakeValue(std::vector<Port>{{1}, {2}}, &heap_);
  EXPECT_EQ(&value.elements()[0].shape(), &value.elements()[1].shape());
  heap_.Reset();
  const Value again = *MakeValue(Port{3}, &heap_);
  EXPECT_EQ(&again.shape(), &MakeValue(Port{4}, &heap_)->shape());
}

// A host may have made values that are deeper than any limit.
TEST_F(FieldsTest, DeepValuesEndInAnError) {
  Value value = *MakeValue(Folder{"a", {}}, &heap_);
  for (int n = 0; n < 5000; ++n) {
    const KeyValue pairs[] = {{Value::StringView("folders"), MakeTuple({&value, 1}, heap_.arena())},
                              {Value::StringView("name"), Value::StringView("a")}};
    value = MakeObject(pairs, heap_.arena());
  }
  const absl::StatusOr<Folder> folder = Decode<Folder>(value);
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.status().message().find("nested deeper than 1000 levels"), std::string::npos);
}

// What is made of any data reads as the same data, and is of the type that was said.
TEST_F(FieldsTest, WhatIsMadeReadsAsItWas) {
  std::mt19937_64 random(20240601);
  const auto text = [&] { return std::string(random() % 40, static_cast<char>('a' + random() % 26)); };
  for (int round = 0; round < 500; ++round) {
    heap_.Reset();
    Server server;
    server.name = text();
    if (random() % 2 != 0) server.weight = static_cast<int>(random());
    for (size_t n = random() % 4; n > 0; --n) server.ports.push_back({static_cast<uint16_t>(random()), text()});
    for (size_t n = random() % 4; n > 0; --n) server.labels[text()] = text();
    for (size_t n = random() % 4; n > 0; --n) server.zones.insert(static_cast<int64_t>(random()));
    server.enabled = random() % 2 != 0;
    server.share = static_cast<double>(static_cast<int64_t>(random())) / 1024;
    const absl::StatusOr<Value> value = MakeValue(server, &heap_);
    ASSERT_TRUE(value.ok());
    EXPECT_TRUE(Matches(TypeOf(*value, heap_.types()), TypeFor<Server>(heap_.types())));
    const absl::StatusOr<Server> again = Decode<Server>(*value);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->name, server.name);
    EXPECT_EQ(again->weight, server.weight);
    EXPECT_EQ(again->ports, server.ports);
    EXPECT_EQ(again->labels, server.labels);
    EXPECT_EQ(again->zones, server.zones);
    EXPECT_EQ(again->enabled, server.enabled);
    EXPECT_EQ(again->share, server.share);
  }
}

// Each text ends where its memory ends, for those who look at that; a byte that is not ASCII may be anywhere.
TEST(ShortTextTest, StoresWhatIsAscii) {
  for (size_t size = 0; size <= kMaxInlineString; ++size) {
    std::string room(16, 'z');
    for (size_t n = 0; n < size; ++n) room[n] = static_cast<char>('a' + n);
    const std::unique_ptr<char[]> exact(new char[size]);
    std::copy_n(room.data(), size, exact.get());
    const std::string_view text(exact.get(), size);
    Value in_room, in_view;
    ASSERT_TRUE(internal::StoreShortAscii(room.data(), size, &in_room));
    ASSERT_TRUE(internal::StoreShortAsciiView(text, &in_view));
    EXPECT_TRUE(in_room.SameBits(Value::StringView(text)));
    EXPECT_TRUE(in_view.SameBits(Value::StringView(text)));
    for (size_t n = 0; n < 16; ++n) {
      const char byte = room[n];
      room[n] = '\x80';
      EXPECT_EQ(internal::StoreShortAscii(room.data(), size, &in_room), n >= size);
      room[n] = byte;
      if (n >= size) continue;
      exact[n] = '\xff';
      EXPECT_FALSE(internal::StoreShortAsciiView(text, &in_view));
      exact[n] = byte;
    }
  }
  std::string text("0123456789abcd");
  text.shrink_to_fit();
  EXPECT_TRUE(internal::HasShortRoom(text));
}

}  // namespace
}  // namespace hcl
