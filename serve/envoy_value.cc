// Envoy's questions. Tested by serve/envoy_value_test.cc.
//
// Everything is copied into the heap: the message can go as soon as its answer has, and the values are logged later.
// Messages are nested at most as deep as protobuf reads them, 100 levels, so that the recursion here is bounded.

#include "hclvm/serve/envoy_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/types/span.h"
#include "google/protobuf/struct.pb.h"
#include "google/protobuf/util/json_util.h"
#include "hclvm/base/unicode.h"
#include "hclvm/serve/decision_record.h"
#include "hclvm/serve/fixed_names.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/vm/value/number.h"

namespace hcl::serve {

using envoy::config::core::v3::HeaderValue;
using envoy::config::core::v3::Metadata;
using envoy::service::auth::v3::AttributeContext;
using envoy::service::auth::v3::CheckRequest;
namespace {

constexpr char kPartialBody[] = "x-envoy-auth-partial-body";

// In the order of their names.
enum class Part : uint8_t {
  kBody,
  kContextExtensions,
  kDestination,
  kId,
  kMetadata,
  kProtocol,
  kRouteMetadata,
  kSize,
  kSource,
  kTime,
  kTls,
};
constexpr std::string_view kPartNames[kEnvoyParts] = {
    "body",     "context_extensions", "destination", "id",     "metadata",
    "protocol", "route_metadata",     "size",        "source", "time",
    "tls"};

Value Name(std::string_view text) { return Value::StringView(text); }

// Whose values are made: any policy's, or those that the mapping declares, where a null has a type too.
struct Form {
  bool is_declared;
  Heap* heap;

  Value Null(Type type) const { return Value::Null(is_declared ? type : Type::Dynamic()); }
  // Envoy leaves empty what it does not know.
  Value Text(std::string_view text) const { return text.empty() ? Null(Type::String()) : HttpText(text, heap); }
};

Value StringMap(const google::protobuf::Map<std::string, std::string>& map, const Form& form) {
  Heap* const heap = form.heap;
  absl::InlinedVector<KeyValue, 8> pairs;
  pairs.reserve(map.size());
  for (const auto& [key, value] : map) pairs.push_back({HttpText(key, heap), HttpText(value, heap)});
  return form.is_declared ? MakeMap(Type::String(), pairs, heap->arena()) : MakeObject(pairs, heap->arena());
}

Value FromStruct(const google::protobuf::Struct& object, Heap* heap);

// What is no number is none.
Value FromDouble(double number, Heap* heap) {
  if (!std::isfinite(number)) return Value::Null();
  const std::optional<Number> exact = Number::FromDouble(number, heap->arena());
  return exact ? Value::FromNumber(*exact) : Value::Null();
}

Value FromValue(const google::protobuf::Value& value, Heap* heap) {
  switch (value.kind_case()) {
    case google::protobuf::Value::kNumberValue:
      return FromDouble(value.number_value(), heap);
    case google::protobuf::Value::kStringValue:
      return HttpText(value.string_value(), heap);
    case google::protobuf::Value::kBoolValue:
      return Value::Bool(value.bool_value());
    case google::protobuf::Value::kStructValue:
      return FromStruct(value.struct_value(), heap);
    case google::protobuf::Value::kListValue: {
      std::vector<Value> elements;
      for (const auto& element : value.list_value().values()) elements.push_back(FromValue(element, heap));
      return MakeTuple(elements, heap->arena());
    }
    default:
      return Value::Null();
  }
}

Value FromStruct(const google::protobuf::Struct& object, Heap* heap) {
  std::vector<KeyValue> pairs;
  for (const auto& [key, value] : object.fields()) pairs.push_back({HttpText(key, heap), FromValue(value, heap)});
  return MakeObject(pairs, heap->arena());
}

Value FromMetadata(const Metadata& metadata, Heap* heap) {
  std::vector<KeyValue> pairs;
  for (const auto& [filter, value] : metadata.filter_metadata()) {
    pairs.push_back({HttpText(filter, heap), FromStruct(value, heap)});
  }
  return MakeObject(pairs, heap->arena());
}

Value AddressOf(const AttributeContext::Peer& peer, const Form& form) {
  const auto& address = peer.address();
  return form.Text(address.has_pipe() ? address.pipe().path() : address.socket_address().address());
}

Value FromPeer(const AttributeContext::Peer& peer, const Form& form) {
  const auto& socket = peer.address().socket_address();
  const std::array<KeyValue, 6> pairs = {{
      {Name("address"), AddressOf(peer, form)},
      {Name("certificate"), form.Text(peer.certificate())},
      {Name("labels"), StringMap(peer.labels(), form)},
      {Name("port"), socket.port_specifier_case() == envoy::config::core::v3::SocketAddress::kPortValue
                         ? Value::Int(socket.port_value())
                         : form.Null(Type::Number())},
      {Name("principal"), form.Text(peer.principal())},
      {Name("service"), form.Text(peer.service())},
  }};
  static const auto& names = *new FixedNames(pairs);
  return names.Object(pairs, form.heap->arena());
}

Value TlsOf(const AttributeContext& attributes, const Form& form) {
  const std::array<KeyValue, 1> tls = {{{Name("sni"), form.Text(attributes.tls_session().sni())}}};
  static const auto& names = *new FixedNames(tls);
  return names.Object(tls, form.heap->arena());
}

Value TimeOf(const google::protobuf::Timestamp& time, const Form& form) {
  constexpr int64_t kMaxSeconds = 9'000'000'000;  // of which nanoseconds are no overflow
  if (time.seconds() <= 0 || time.seconds() > kMaxSeconds || time.nanos() < 0 || time.nanos() > 999'999'999) {
    return form.Null(Type::String());
  }
  std::string text;
  AppendTimestamp(time.seconds() * 1'000'000'000 + time.nanos(), &text);
  return Value::String(text, form.heap->arena());
}

std::string_view ValueOf(const HeaderValue& header) {
  return header.raw_value().empty() ? header.value() : header.raw_value();
}

bool IsJsonType(std::string_view type) {
  type = type.substr(0, type.find(';'));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
  const std::string lower = LowerCase(type);
  constexpr std::string_view kSuffix = "+json";
  return lower == "application/json" ||
         (lower.size() > kSuffix.size() && lower.compare(lower.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0);
}

// Half of a body is no JSON, whatever its type says.
Value BodyOf(const CheckRequest& request, JsonReader* reader, const Form& form) {
  const auto& http = request.attributes().request().http();
  const std::string& raw = http.raw_body().empty() ? http.body() : http.raw_body();
  const bool is_cut = EnvoyHeader(request, kPartialBody) == "true";
  const bool is_text = internal::FindInvalidUtf8(raw) == std::string_view::npos;
  Value json = Value::Null();
  JsonError error;
  const bool is_json = is_text && !is_cut && IsJsonType(EnvoyHeader(request, "content-type")) &&
                       reader->Read(raw, form.heap, &json, &error);
  const std::array<KeyValue, 5> pairs = {{
      {Name("base64"),
       is_text ? form.Null(Type::String()) : Value::String(absl::Base64Escape(raw), form.heap->arena())},
      {Name("is_json"), Value::Bool(is_json)},
      {Name("json"), is_json ? json : Value::Null()},
      {Name("text"), is_text ? form.Text(raw) : form.Null(Type::String())},
      {Name("truncated"), Value::Bool(is_cut)},
  }};
  static const auto& names = *new FixedNames(pairs);
  return names.Object(pairs, form.heap->arena());
}

using Parts = std::array<KeyValue, kEnvoyParts>;

// The attributes of which `is_needed` says so; the others are null.
template <typename IsNeeded>
Parts MakeParts(const CheckRequest& request, const IsNeeded& is_needed, JsonReader* reader, const Form& form) {
  const AttributeContext& attributes = request.attributes();
  const auto& http = attributes.request().http();
  const auto part = [&](Part which, auto make) {
    const auto n = static_cast<size_t>(which);
    return KeyValue{Name(kPartNames[n]), is_needed(n) ? make() : Value::Null()};
  };
  return {{
      part(Part::kBody, [&] { return BodyOf(request, reader, form); }),
      part(Part::kContextExtensions, [&] { return StringMap(attributes.context_extensions(), form); }),
      part(Part::kDestination, [&] { return FromPeer(attributes.destination(), form); }),
      part(Part::kId, [&] { return form.Text(http.id()); }),
      part(Part::kMetadata, [&] { return FromMetadata(attributes.metadata_context(), form.heap); }),
      part(Part::kProtocol, [&] { return form.Text(http.protocol()); }),
      part(Part::kRouteMetadata, [&] { return FromMetadata(attributes.route_metadata_context(), form.heap); }),
      part(Part::kSize, [&] { return http.size() < 0 ? form.Null(Type::Number()) : Value::Int(http.size()); }),
      part(Part::kSource, [&] { return FromPeer(attributes.source(), form); }),
      part(Part::kTime, [&] { return TimeOf(attributes.request().time(), form); }),
      part(Part::kTls, [&] { return TlsOf(attributes, form); }),
  }};
}

Value ObjectOf(const Parts& parts, Heap* heap) {
  static const auto& names = *new FixedNames(parts);
  return names.Object(parts, heap->arena());
}

// The parts of an empty question, as they are declared.
const Parts& Untold() {
  static Heap& heap = *new Heap;
  static const Parts& untold = *[] {
    JsonReader reader;
    return new Parts(MakeParts(CheckRequest(), [](size_t) { return true; }, &reader, {/*is_declared=*/true, &heap}));
  }();
  return untold;
}

// The attribute of an object; null where it is none, or has none of that name.
Value Get(const Value& object, std::string_view name) {
  if (!object.is_mapping()) return Value::Null();
  for (size_t n = 0; n < object.size(); ++n) {
    if (object.shape().keys[n].AsString() == name) return object.values()[n];
  }
  return Value::Null();
}

// Each name has a list there, also if it is given once.
Value ListsOf(const Value& query, Heap* heap) {
  std::vector<KeyValue> pairs;
  for (size_t n = 0; n < query.size(); ++n) {
    const Value& value = query.values()[n];
    pairs.push_back({query.shape().keys[n], value.is_sequence() ? value : MakeTuple({&value, 1}, heap->arena())});
  }
  return MakeObject(pairs, heap->arena());
}

}  // namespace

std::string_view EnvoyHeader(const CheckRequest& request, std::string_view name) {
  const auto& http = request.attributes().request().http();
  for (const HeaderValue& header : http.header_map().headers()) {
    if (EqualsLower(header.key(), name)) return ValueOf(header);
  }
  const auto found = http.headers().find(std::string(name));
  return found == http.headers().end() ? std::string_view() : found->second;
}

absl::StatusOr<RequestValue> MakeEnvoyHttpValue(const CheckRequest& request, EncodedSlash encoded_slash,
                                                const HttpNeeds& needs, bool makes_whole, Heap* heap) {
  const auto& http = request.attributes().request().http();
  HttpParts parts;
  parts.method = http.method();
  parts.target = http.path();
  parts.host = http.host();
  parts.scheme = http.scheme();
  for (const HeaderValue& header : http.header_map().headers()) {
    if (makes_whole || needs.HasHeader(header.key())) parts.headers.push_back({header.key(), ValueOf(header)});
  }
  if (http.header_map().headers().empty()) {
    for (const auto& [name, value] : http.headers()) {
      if (makes_whole || needs.HasHeader(name)) parts.headers.push_back({name, value});
    }
  }
  parts.address = AddressOf(request.attributes().source(), {needs.is_declared(), heap});
  parts.forwarded = ForwardedAddresses(EnvoyHeader(request, "x-forwarded-for"), heap);
  return AssembleHttpValue(parts, encoded_slash, needs, makes_whole, heap);
}

EnvoyParts EnvoyPartsReadBy(const Program& program) {
  EnvoyParts parts;
  for (const Path& path : program.paths()) {
    if (program.variables()[path.slot] != "envoy") continue;
    const absl::Span<const PathStep> steps = program.steps(path);
    // As a whole, or by what is no name.
    if (steps.empty() || !steps[0].key.is_string()) return kAllEnvoyParts;
    const auto name = std::find(std::begin(kPartNames), std::end(kPartNames), steps[0].key.AsString());
    if (name != std::end(kPartNames)) parts.set(static_cast<size_t>(name - std::begin(kPartNames)));
  }
  return parts;
}

EnvoyParts EnvoyPartsReadBy(const JsonProjection& scope) {
  const auto is_whole = [](const JsonProjection& needed) { return needed.needs_all() || needed.items() != nullptr; };
  if (is_whole(scope)) return kAllEnvoyParts;
  const JsonProjection* const envoy = scope.Find("envoy");
  if (envoy == nullptr) return {};
  if (is_whole(*envoy)) return kAllEnvoyParts;
  EnvoyParts parts;
  for (size_t n = 0; n < kEnvoyParts; ++n) parts[n] = envoy->Find(kPartNames[n]) != nullptr;
  return parts;
}

RequestValue MakeEnvoyValue(const CheckRequest& request, const EnvoyParts& parts, bool makes_whole, JsonReader* reader,
                            Heap* heap) {
  Parts pairs =
      MakeParts(request, [&](size_t n) { return makes_whole || parts[n]; }, reader, {/*is_declared=*/false, heap});
  RequestValue made;
  if (makes_whole) made.whole = ObjectOf(pairs, heap);
  for (size_t n = 0; n < kEnvoyParts; ++n) {
    if (!parts[n]) pairs[n].value = Value::Null();
  }
  made.needed = ObjectOf(pairs, heap);
  return made;
}

Value MakeDeclaredEnvoyValue(const CheckRequest& request, const EnvoyParts& parts, JsonReader* reader, Heap* heap) {
  Parts pairs = MakeParts(request, [&](size_t n) { return parts[n]; }, reader, {/*is_declared=*/true, heap});
  const Parts& untold = Untold();
  for (size_t n = 0; n < kEnvoyParts; ++n) {
    if (!parts[n]) pairs[n].value = untold[n].value;
  }
  return ObjectOf(pairs, heap);
}

absl::StatusOr<Value> MakeOpaInput(const CheckRequest& request, const Value& http, const Value& envoy,
                                   JsonReader* reader, Heap* heap) {
  // Typed metadata is of types that nobody here knows, which have no JSON form.
  AttributeContext attributes = request.attributes();
  if (attributes.has_metadata_context()) attributes.mutable_metadata_context()->clear_typed_filter_metadata();
  if (attributes.has_route_metadata_context()) {
    attributes.mutable_route_metadata_context()->clear_typed_filter_metadata();
  }
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(attributes, &json).ok()) {
    return absl::InvalidArgumentError("the request has no JSON form");
  }
  Value read;
  JsonError error;
  if (!reader->Read(json, heap, &read, &error)) return absl::InvalidArgumentError(error.detail);
  const std::array<KeyValue, 2> version = {{
      {Name("encoding"), Name("protojson")},
      {Name("ext_authz"), Name("v3")},
  }};
  const Value body = Get(envoy, "body");
  const std::array<KeyValue, 7> pairs = {{
      {Name("attributes"), read},
      {Name("parsed_body"), Get(body, "json")},
      {Name("parsed_path"), Get(http, "path_segments")},
      {Name("parsed_query"), ListsOf(Get(http, "query"), heap)},
      {Name("source_principal"), Get(Get(envoy, "source"), "principal")},
      {Name("truncated_body"), Value::Bool(Get(body, "truncated").is_true())},
      {Name("version"), MakeObject(version, heap->arena())},
  }};
  return MakeObject(pairs, heap->arena());
}

}  // namespace hcl::serve
