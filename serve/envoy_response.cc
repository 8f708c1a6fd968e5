// Answers to Envoy. Tested by serve/envoy_response_test.cc.
//
// The names and numbers of fields are those of the messages that protobuf makes of serve/proto; the bytes are ours.

#include "hclvm/serve/envoy_response.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "google/protobuf/struct.pb.h"
#include "hclvm/serve/auth_parts.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"
#include "hclvm/serve/proto_writer.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using envoy::config::core::v3::HeaderValue;
using envoy::config::core::v3::HeaderValueOption;
using envoy::config::core::v3::QueryParameter;
using envoy::service::auth::v3::CheckResponse;
using envoy::service::auth::v3::DeniedHttpResponse;
using envoy::service::auth::v3::OkHttpResponse;
using google::protobuf::ListValue;
using google::protobuf::Struct;
namespace {

// Each level of a struct is three messages, and readers of messages give up at 100.
constexpr int kMaxStructDepth = 30;
// What a message of a few bytes for each value can carry beside everything else.
constexpr size_t kMaxStructBytes = 256 << 10;
constexpr size_t kBytesOfValue = 16;

// A map is a list of messages like this.
constexpr uint32_t kMapKey = 1;
constexpr uint32_t kMapValue = 2;

constexpr std::string_view kOwnMetadata[] = {"data_revision", "decision_id", "outcome", "revision"};

class StructWriter {
 public:
  explicit StructWriter(std::string* out) : out_(*out), writer_(out) {}

  // The fields of google.protobuf.Struct. What a policy has written under names of ours is not what they mean, and is
  // left out at the top.
  bool Write(const Value& object, int depth) {
    if (depth > kMaxStructDepth) return false;
    for (size_t n = 0; n < object.size(); ++n) {
      const std::string_view key = object.shape().keys[n].AsString();
      if (!Charge(key.size())) return false;
      const size_t before = out_.size();
      const size_t field = writer_.Begin(Struct::kFieldsFieldNumber);
      writer_.Text(kMapKey, key);
      if (!WriteValue(kMapValue, object.values()[n].unmarked(), depth)) return false;
      writer_.End(field);
      const bool is_own =
          depth == 1 && std::find(std::begin(kOwnMetadata), std::end(kOwnMetadata), key) != std::end(kOwnMetadata);
      if (is_own) out_.resize(before);
    }
    return true;
  }
  // A field of such an object.
  void WriteText(std::string_view name, std::string_view text) {
    const size_t field = writer_.Begin(Struct::kFieldsFieldNumber);
    writer_.Text(kMapKey, name);
    const size_t value = writer_.Begin(kMapValue);
    writer_.Text(google::protobuf::Value::kStringValueFieldNumber, text);
    writer_.End(value);
    writer_.End(field);
  }

 private:
  bool Charge(size_t bytes) {
    left_ -= std::min(left_, bytes + kBytesOfValue);
    return left_ > 0;
  }

  bool WriteValue(uint32_t field, const Value& value, int depth) {
    if (!Charge(value.is_string() ? value.AsString().size() : 0)) return false;
    using Field = google::protobuf::Value;
    const size_t begin = writer_.Begin(field);
    if (value.is_null()) {
      writer_.Varint(Field::kNullValueFieldNumber, google::protobuf::NULL_VALUE);
    } else if (value.is_bool()) {
      writer_.Varint(Field::kBoolValueFieldNumber, value.is_true() ? 1 : 0);
    } else if (value.is_number()) {
      writer_.Double(Field::kNumberValueFieldNumber, value.AsNumber().ToDouble());
    } else if (value.is_string()) {
      writer_.Text(Field::kStringValueFieldNumber, value.AsString());
    } else if (value.is_mapping()) {
      const size_t object = writer_.Begin(Field::kStructValueFieldNumber);
      if (!Write(value, depth + 1)) return false;
      writer_.End(object);
    } else if (value.is_sequence()) {
      const size_t list = writer_.Begin(Field::kListValueFieldNumber);
      if (!WriteList(value, depth + 1)) return false;
      writer_.End(list);
    } else {
      return false;
    }
    writer_.End(begin);
    return true;
  }

  bool WriteList(const Value& list, int depth) {
    if (depth > kMaxStructDepth) return false;
    for (const Value& element : list.elements()) {
      if (!WriteValue(ListValue::kValuesFieldNumber, element.unmarked(), depth)) return false;
    }
    return true;
  }

  std::string& out_;
  ProtoWriter writer_;
  size_t left_ = kMaxStructBytes;
};

HeaderValueOption::HeaderAppendAction ActionFor(HeaderAction action) {
  switch (action) {
    case HeaderAction::kOverwrite:
      return HeaderValueOption::OVERWRITE_IF_EXISTS_OR_ADD;
    case HeaderAction::kAppend:
      return HeaderValueOption::APPEND_IF_EXISTS_OR_ADD;
    case HeaderAction::kAddIfAbsent:
      return HeaderValueOption::ADD_IF_ABSENT;
    case HeaderAction::kOverwriteIfExists:
      return HeaderValueOption::OVERWRITE_IF_EXISTS;
  }
  return HeaderValueOption::OVERWRITE_IF_EXISTS_OR_ADD;
}

void AddHeaders(uint32_t field, const AuthHeaders& headers, ProtoWriter* out) {
  for (const AuthHeader& header : headers) {
    const size_t option = out->Begin(field);
    const size_t pair = out->Begin(HeaderValueOption::kHeaderFieldNumber);
    out->Text(HeaderValue::kKeyFieldNumber, header.name);
    out->TextUnlessEmpty(HeaderValue::kValueFieldNumber, header.value);
    out->End(pair);
    // The first action is the default.
    const HeaderValueOption::HeaderAppendAction action = ActionFor(header.action);
    if (action != 0) out->Varint(HeaderValueOption::kAppendActionFieldNumber, static_cast<uint64_t>(action));
    if (header.value.empty()) out->Varint(HeaderValueOption::kKeepEmptyValueFieldNumber, 1);
    out->End(option);
  }
}

void AddTexts(uint32_t field, const std::vector<std::string>& texts, ProtoWriter* out) {
  for (const std::string& text : texts) out->Text(field, text);
}

void AppendPass(const AuthAnswer& answer, ProtoWriter* out) {
  const size_t ok = out->Begin(CheckResponse::kOkResponseFieldNumber);
  AddHeaders(OkHttpResponse::kHeadersFieldNumber, answer.headers, out);
  AddTexts(OkHttpResponse::kHeadersToRemoveFieldNumber, answer.headers_to_remove, out);
  AddHeaders(OkHttpResponse::kResponseHeadersToAddFieldNumber, answer.response_headers, out);
  for (const auto& [name, value] : answer.query_parameters_to_set) {
    const size_t parameter = out->Begin(OkHttpResponse::kQueryParametersToSetFieldNumber);
    out->TextUnlessEmpty(QueryParameter::kKeyFieldNumber, name);
    out->TextUnlessEmpty(QueryParameter::kValueFieldNumber, value);
    out->End(parameter);
  }
  AddTexts(OkHttpResponse::kQueryParametersToRemoveFieldNumber, answer.query_parameters_to_remove, out);
  out->End(ok);
}

void AppendDenial(uint32_t field, int code, const AuthAnswer& answer, ProtoWriter* out) {
  const size_t denied = out->Begin(field);
  const size_t status = out->Begin(DeniedHttpResponse::kStatusFieldNumber);
  out->Varint(envoy::type::v3::HttpStatus::kCodeFieldNumber, static_cast<uint64_t>(code));
  out->End(status);
  AddHeaders(DeniedHttpResponse::kHeadersFieldNumber, answer.headers, out);
  out->TextUnlessEmpty(DeniedHttpResponse::kBodyFieldNumber, answer.body);
  out->End(denied);
}

int StatusOfError(AuthOutcome outcome) { return outcome == AuthOutcome::kError ? 500 : 503; }

// False where the policy's are nothing that a message can have.
bool AppendMetadata(const AuthAnswer& answer, std::string* out) {
  ProtoWriter writer(out);
  const size_t metadata = writer.Begin(CheckResponse::kDynamicMetadataFieldNumber);
  StructWriter fields(out);
  if (answer.dynamic_metadata.is_mapping() && !fields.Write(answer.dynamic_metadata, 1)) return false;
  const auto set = [&](std::string_view name, std::string_view text) {
    if (!text.empty()) fields.WriteText(name, text);
  };
  set("decision_id", answer.decision_id);
  set("revision", answer.revision);
  set("data_revision", answer.data_revision);
  set("outcome", NameOf(answer.outcome));
  writer.End(metadata);
  return true;
}

}  // namespace

int CodeOf(AuthOutcome outcome, int status) {
  constexpr int kCanceledCode = 1;
  constexpr int kPermissionDenied = 7;
  constexpr int kResourceExhausted = 8;
  constexpr int kInternal = 13;
  constexpr int kUnavailable = 14;
  constexpr int kUnauthenticated = 16;
  switch (outcome) {
    case AuthOutcome::kAllow:
      return 0;
    case AuthOutcome::kDeny:
      return status == 401 ? kUnauthenticated : kPermissionDenied;
    case AuthOutcome::kRefused:
      return kPermissionDenied;
    case AuthOutcome::kError:
      return kInternal;
    case AuthOutcome::kLimit:
      return kResourceExhausted;
    case AuthOutcome::kOverload:
    case AuthOutcome::kNotReady:
      return kUnavailable;
    case AuthOutcome::kCanceled:
      return kCanceledCode;
  }
  return kInternal;
}

bool IsEnvoyDenial(int64_t status) { return status >= 300 && status <= 599; }

void AppendCheckResponse(AuthAnswer* answer, std::string* out) {
  const size_t begin = out->size();
  if (!AppendMetadata(*answer, out)) {
    out->resize(begin);
    *answer =
        Failed(AuthOutcome::kError,
               "the attribute \"dynamic_metadata\" is too deep or too large, or has what no message can have", answer);
    AppendMetadata(*answer, out);
  }
  ProtoWriter writer(out);
  const size_t status = writer.Begin(CheckResponse::kStatusFieldNumber);
  const int code = CodeOf(answer->outcome, answer->status);
  if (code != 0) writer.Varint(google::rpc::Status::kCodeFieldNumber, static_cast<uint64_t>(code));
  writer.TextUnlessEmpty(google::rpc::Status::kMessageFieldNumber, answer->message);
  writer.End(status);
  switch (answer->outcome) {
    case AuthOutcome::kAllow:
      return AppendPass(*answer, &writer);
    case AuthOutcome::kDeny:
    case AuthOutcome::kRefused:
      return AppendDenial(CheckResponse::kDeniedResponseFieldNumber, answer->status, *answer, &writer);
    default:
      return AppendDenial(CheckResponse::kErrorResponseFieldNumber, StatusOfError(answer->outcome), *answer, &writer);
  }
}

}  // namespace hcl::serve
