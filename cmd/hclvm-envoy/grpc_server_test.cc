// The server over loopback, asked by the client that is generated from the same .proto files: each field, both ways.

#include "hclvm/cmd/hclvm-envoy/grpc_server.h"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/unknown_field_set.h"
#include "google/protobuf/util/message_differencer.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/envoy_call.h"
#include "hclvm/serve/envoy_pool.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.grpc.pb.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

using envoy::service::auth::v3::Authorization;
using envoy::service::auth::v3::CheckRequest;
using envoy::service::auth::v3::CheckResponse;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Structs hold values that hold structs.
constexpr int kDepth = 7;

void FillAll(int choice, int depth, Message* message);

// Sets a field, or adds an element to it. No two values are the same.
void FillField(int choice, int depth, const FieldDescriptor* field, Message* message) {
  static int number = 0;
  ++number;
  const Reflection& reflection = *message->GetReflection();
  const bool adds = field->is_repeated();
  const std::string text = "text " + std::to_string(number);
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return adds ? reflection.AddString(message, field, text) : reflection.SetString(message, field, text);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return FillAll(choice, depth + 1,
                     adds ? reflection.AddMessage(message, field) : reflection.MutableMessage(message, field));
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(message, field,
                                     field->enum_type()->value(1 % field->enum_type()->value_count())->number());
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(message, field, true);
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.SetInt32(message, field, number);
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.SetInt64(message, field, number);
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.SetUInt32(message, field, static_cast<uint32_t>(number));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.SetDouble(message, field, number + 0.5);
    default:
      FAIL() << field->full_name();
  }
}

// Sets all fields, and of those of which a message has one at a time the one of that number.
void FillAll(int choice, int depth, Message* message) {
  const auto* const descriptor = message->GetDescriptor();
  for (int n = 0; n < descriptor->field_count(); ++n) {
    const FieldDescriptor* const field = descriptor->field(n);
    const auto* const one_of = field->containing_oneof();
    if (one_of != nullptr && field->index_in_oneof() != choice % one_of->field_count()) continue;
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && depth >= kDepth) continue;
    for (int times = field->is_repeated() ? 2 : 1; times > 0; --times) FillField(choice, depth, field, message);
  }
}

// Answers with one response, and keeps what it was asked.
class Recorder : public EnvoyHandler {
 public:
  void Submit(EnvoyCall* call) override {
    asked = call->request();
    answer.SerializeToString(call->response());
    call->Done(AuthOutcome::kAllow);
  }
  void Deny(EnvoyCall* call, const std::string& reason) override {
    denied = reason;
    answer.SerializeToString(call->response());
    call->Done(AuthOutcome::kRefused);
  }

  CheckRequest asked;
  std::string denied;
  CheckResponse answer;
};

class GrpcServerTest : public testing::Test {
 protected:
  void Start(EnvoyHandler* handler) {
    GrpcServerOptions options;
    ListenerOptions listener;
    ASSERT_EQ(ParseListener("127.0.0.1:0", &listener), "");
    options.listeners.push_back(listener);
    options.max_message = 1 << 20;
    server_ = std::make_unique<GrpcServer>(options, handler);
    ASSERT_TRUE(server_->Start().ok());
    stub_ = Authorization::NewStub(grpc::CreateChannel(server_->Addresses()[0], grpc::InsecureChannelCredentials()));
  }

  grpc::Status Ask(const CheckRequest& request, CheckResponse* response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));
    return stub_->Check(&context, request, response);
  }

  std::unique_ptr<GrpcServer> server_;
  std::unique_ptr<Authorization::Stub> stub_;
};

TEST_F(GrpcServerTest, CarriesEachField) {
  Recorder recorder;
  Start(&recorder);
  for (int choice = 0; choice < 7; ++choice) {
    CheckRequest request;
    FillAll(choice, 0, &request);
    recorder.answer.Clear();
    FillAll(choice, 0, &recorder.answer);
    CheckResponse response;
    const grpc::Status status = Ask(request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(recorder.asked, request))
        << request.DebugString() << recorder.asked.DebugString();
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(response, recorder.answer))
        << recorder.answer.DebugString() << response.DebugString();
  }
}

// What a newer client sends is passed by, and what it reads of an answer is not changed by it.
TEST_F(GrpcServerTest, PassesUnknownFieldsBy) {
  TestService service(BundleFiles{{"authz/p.hcl", "variable \"http\" {\n}\nallow = http.path == \"/a\"\n"}});
  EnvoyPoolOptions options;
  options.max_callers = 1;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  Start(&pool);
  CheckRequest request;
  auto* const http = request.mutable_attributes()->mutable_request()->mutable_http();
  http->set_path("/a");
  constexpr int kUnknown = 1000;
  for (Message* part : std::initializer_list<Message*>{&request, request.mutable_attributes(), http}) {
    auto* const fields = part->GetReflection()->MutableUnknownFields(part);
    fields->AddVarint(kUnknown, 1);
    fields->AddFixed64(kUnknown + 1, 2);
    fields->AddLengthDelimited(kUnknown + 2, std::string(1000, '\xff'));
    fields->AddGroup(kUnknown + 3)->AddFixed32(1, 3);
  }
  CheckResponse response;
  ASSERT_TRUE(Ask(request, &response).ok());
  EXPECT_TRUE(response.has_ok_response()) << response.DebugString();
  EXPECT_TRUE(response.GetReflection()->GetUnknownFields(response).empty());
  server_->Stop(std::chrono::seconds(10), [] { return false; });
}

// What a policy is told and says, from the client to the client.
TEST_F(GrpcServerTest, TellsPoliciesAndSaysWhatTheySay) {
  TestService service(BundleFiles{{"authz/p.hcl", R"(
variable "http" {
}
variable "envoy" {
}
allow = {
  allow = http.method != "DELETE"
  status = 451
  body = "no ${http.path}"
  headers = {
    "x-plain" = http.headers["x-a"]
    "x-list" = [envoy.source.address, "p${envoy.source.port}"]
    "x-append" = { value = envoy.destination.principal, action = "append" }
    "x-absent" = { value = envoy.tls.sni, action = "add_if_absent" }
    "x-exists" = { value = envoy.body.json.k, action = "overwrite_if_exists" }
  }
  response_headers = { "x-seen" = envoy.context_extensions.route }
  headers_to_remove = ["X-Gone"]
  query_parameters_to_set = { q = http.query.q }
  query_parameters_to_remove = ["p"]
  dynamic_metadata = { claims = envoy.metadata.jwt.claims, id = envoy.id, list = [1, null, true] }
}
)"}});
  EnvoyPoolOptions options;
  options.max_callers = 1;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  Start(&pool);
  CheckRequest request;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
attributes {
  source { address { socket_address { address: "10.0.0.1" port_value: 99 } } }
  destination { principal: "spiffe://test/d" }
  tls_session { sni: "sni.test" }
  context_extensions { key: "route" value: "r" }
  metadata_context { filter_metadata { key: "jwt" value { fields { key: "claims" value { struct_value {
    fields { key: "sub" value { string_value: "ann" } } } } } } } }
  request { http {
    id: "7" method: "POST" path: "/a?q=1" raw_body: '{"k": "v"}'
    headers { key: "x-a" value: "1" } headers { key: "content-type" value: "application/json" }
  } }
}
)",
                                                            &request));
  CheckResponse response;
  ASSERT_TRUE(Ask(request, &response).ok());
  EXPECT_EQ(response.dynamic_metadata().fields().at("decision_id").string_value().size(), 36u);
  response.mutable_dynamic_metadata()->mutable_fields()->erase("decision_id");
  response.mutable_dynamic_metadata()->mutable_fields()->erase("revision");
  CheckResponse want;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
status {}
ok_response {
  headers { header { key: "x-absent" value: "sni.test" } append_action: ADD_IF_ABSENT }
  headers { header { key: "x-append" value: "spiffe://test/d" } append_action: APPEND_IF_EXISTS_OR_ADD }
  headers { header { key: "x-exists" value: "v" } append_action: OVERWRITE_IF_EXISTS }
  headers { header { key: "x-list" value: "10.0.0.1" } append_action: OVERWRITE_IF_EXISTS_OR_ADD }
  headers { header { key: "x-list" value: "p99" } append_action: APPEND_IF_EXISTS_OR_ADD }
  headers { header { key: "x-plain" value: "1" } append_action: OVERWRITE_IF_EXISTS_OR_ADD }
  response_headers_to_add { header { key: "x-seen" value: "r" } append_action: OVERWRITE_IF_EXISTS_OR_ADD }
  headers_to_remove: "x-gone"
  query_parameters_to_set { key: "q" value: "1" }
  query_parameters_to_remove: "p"
}
dynamic_metadata {
  fields { key: "outcome" value { string_value: "allow" } }
  fields { key: "id" value { string_value: "7" } }
  fields { key: "claims" value { struct_value { fields { key: "sub" value { string_value: "ann" } } } } }
  fields { key: "list" value { list_value {
    values { number_value: 1 } values { null_value: NULL_VALUE } values { bool_value: true } } } }
}
)",
                                                            &want));
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(response, want)) << response.DebugString();
  request.mutable_attributes()->mutable_request()->mutable_http()->set_method("DELETE");
  ASSERT_TRUE(Ask(request, &response).ok());
  EXPECT_EQ(response.denied_response().status().code(), 451);
  EXPECT_EQ(response.denied_response().body(), "no /a");
  EXPECT_EQ(response.denied_response().headers_size(), 6);
  server_->Stop(std::chrono::seconds(10), [] { return false; });
}

}  // namespace
}  // namespace hcl::serve
