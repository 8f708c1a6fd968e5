// Answers to Envoy. Tested by serve/envoy_response_test.cc.

#include "hclvm/serve/envoy_response.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "google/protobuf/struct.pb.h"
#include "hclvm/serve/auth_parts.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using envoy::config::core::v3::HeaderValueOption;
using envoy::service::auth::v3::CheckResponse;
using envoy::service::auth::v3::DeniedHttpResponse;
using envoy::service::auth::v3::OkHttpResponse;
namespace {

// Each level of a struct is three messages, and readers of messages give up at 100.
constexpr int kMaxStructDepth = 30;
// What a message of a few bytes for each value can carry beside everything else.
constexpr size_t kMaxStructBytes = 256 << 10;
constexpr size_t kBytesOfValue = 16;

class StructWriter {
 public:
  bool Write(const Value& object, int depth, google::protobuf::Struct* out) {
    if (depth > kMaxStructDepth) return false;
    for (size_t n = 0; n < object.size(); ++n) {
      const std::string_view key = object.shape().keys[n].AsString();
      if (!Charge(key.size())) return false;
      if (!WriteValue(object.values()[n].unmarked(), depth, &(*out->mutable_fields())[std::string(key)])) return false;
    }
    return true;
  }

 private:
  bool Charge(size_t bytes) {
    left_ -= std::min(left_, bytes + kBytesOfValue);
    return left_ > 0;
  }

  bool WriteValue(const Value& value, int depth, google::protobuf::Value* out) {
    if (!Charge(value.is_string() ? value.AsString().size() : 0)) return false;
    if (value.is_null()) {
      out->set_null_value(google::protobuf::NULL_VALUE);
    } else if (value.is_bool()) {
      out->set_bool_value(value.is_true());
    } else if (value.is_number()) {
      out->set_number_value(value.AsNumber().ToDouble());
    } else if (value.is_string()) {
      out->set_string_value(std::string(value.AsString()));
    } else if (value.is_mapping()) {
      return Write(value, depth + 1, out->mutable_struct_value());
    } else if (value.is_sequence()) {
      return WriteList(value, depth + 1, out->mutable_list_value());
    } else {
      return false;
    }
    return true;
  }

  bool WriteList(const Value& list, int depth, google::protobuf::ListValue* out) {
    if (depth > kMaxStructDepth) return false;
    for (const Value& element : list.elements()) {
      if (!WriteValue(element.unmarked(), depth, out->add_values())) return false;
    }
    return true;
  }

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

template <typename Headers>
void AddHeaders(const AuthHeaders& headers, Headers* out) {
  for (const AuthHeader& header : headers) {
    HeaderValueOption* const option = out->Add();
    option->mutable_header()->set_key(header.name);
    option->mutable_header()->set_value(header.value);
    option->set_append_action(ActionFor(header.action));
    if (header.value.empty()) option->set_keep_empty_value(true);
  }
}

void FillPass(const AuthAnswer& answer, OkHttpResponse* ok) {
  AddHeaders(answer.headers, ok->mutable_headers());
  AddHeaders(answer.response_headers, ok->mutable_response_headers_to_add());
  for (const std::string& name : answer.headers_to_remove) ok->add_headers_to_remove(name);
  for (const auto& [name, value] : answer.query_parameters_to_set) {
    auto* const parameter = ok->add_query_parameters_to_set();
    parameter->set_key(name);
    parameter->set_value(value);
  }
  for (const std::string& name : answer.query_parameters_to_remove) ok->add_query_parameters_to_remove(name);
}

void FillDenial(int status, const AuthAnswer& answer, DeniedHttpResponse* denied) {
  denied->mutable_status()->set_code(static_cast<envoy::type::v3::StatusCode>(status));
  AddHeaders(answer.headers, denied->mutable_headers());
  denied->set_body(answer.body);
}

int StatusOfError(AuthOutcome outcome) { return outcome == AuthOutcome::kError ? 500 : 503; }

void FillMetadata(const AuthAnswer& answer, CheckResponse* response) {
  auto& fields = *response->mutable_dynamic_metadata()->mutable_fields();
  const auto set = [&](const char* name, std::string_view text) {
    // What a policy has written under these names is not what they mean.
    text.empty() ? static_cast<void>(fields.erase(name)) : fields[name].set_string_value(std::string(text));
  };
  set("decision_id", answer.decision_id);
  set("revision", answer.revision);
  set("data_revision", answer.data_revision);
  set("outcome", NameOf(answer.outcome));
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

void FillCheckResponse(AuthAnswer* answer, CheckResponse* response) {
  if (answer->dynamic_metadata.is_mapping() &&
      !StructWriter().Write(answer->dynamic_metadata, 1, response->mutable_dynamic_metadata())) {
    response->Clear();
    *answer =
        Failed(AuthOutcome::kError,
               "the attribute \"dynamic_metadata\" is too deep or too large, or has what no message can have", answer);
  }
  response->mutable_status()->set_code(CodeOf(answer->outcome, answer->status));
  response->mutable_status()->set_message(answer->message);
  FillMetadata(*answer, response);
  switch (answer->outcome) {
    case AuthOutcome::kAllow:
      return FillPass(*answer, response->mutable_ok_response());
    case AuthOutcome::kDeny:
    case AuthOutcome::kRefused:
      return FillDenial(answer->status, *answer, response->mutable_denied_response());
    default:
      return FillDenial(StatusOfError(answer->outcome), *answer, response->mutable_error_response());
  }
}

}  // namespace hcl::serve
