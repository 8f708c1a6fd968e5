// The request as a value. Tested by serve/http_value_test.cc.
//
// A client can send any header, also those of the other dialect: these are among `http.headers`, where they mean what
// any header of a client means. Those of this dialect are the proxy's. They are not among the others, and one that is
// there twice is refused, since a proxy sets each of them once.

#include "hclvm/serve/http_value.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/unicode.h"
#include "hclvm/serve/fixed_names.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

// Names of headers, in lower case; empty: there is none.
struct DialectHeaders {
  std::string_view method;
  std::string_view uri;
  std::string_view host;
  std::string_view scheme;
  std::string_view addresses;  // of the client, and of the proxies in between

  bool Has(std::string_view name) const {
    return EqualsLower(name, method) || EqualsLower(name, uri) || EqualsLower(name, host) ||
           EqualsLower(name, scheme) || EqualsLower(name, addresses);
  }
};

constexpr DialectHeaders kNginx = {"x-original-method", "x-original-uri", "x-original-host", "x-original-proto",
                                   "x-original-for"};
constexpr DialectHeaders kForwarded = {"x-forwarded-method", "x-forwarded-uri", "x-forwarded-host", "x-forwarded-proto",
                                       "x-forwarded-for"};

constexpr std::string_view kPrefix = "/auth";

// Where these are among the attributes of a request.
constexpr size_t kHeadersAt = 1;
constexpr size_t kQueryAt = 6;

// As many as most requests have.
using Items = absl::InlinedVector<KeyValue, 32>;

// Leaves the order of those that have the same name. A few are sorted in place, which takes no memory.
void SortByName(Items* items) {
  const auto is_before = [](const KeyValue& a, const KeyValue& b) { return a.key.AsString() < b.key.AsString(); };
  constexpr size_t kFew = 32;
  if (items->size() > kFew) return std::stable_sort(items->begin(), items->end(), is_before);
  for (auto next = items->begin(); next != items->end(); ++next) {
    std::rotate(std::upper_bound(items->begin(), next, *next, is_before), next, next + 1);
  }
}

// Names and values as an object: a text where a name is there once, a list of texts where it is there more often.
Value Grouped(Items* items, Heap* heap) {
  const auto name_of = [](const KeyValue& item) { return item.key.AsString(); };
  SortByName(items);
  std::vector<Value> values;
  size_t count = 0;
  for (size_t begin = 0; begin < items->size();) {
    size_t end = begin + 1;
    while (end < items->size() && name_of((*items)[end]) == name_of((*items)[begin])) ++end;
    KeyValue item = (*items)[begin];
    if (end - begin > 1) {
      values.clear();
      for (size_t n = begin; n < end; ++n) values.push_back((*items)[n].value);
      item.value = MakeTuple(values, heap->arena());
    }
    (*items)[count++] = item;
    begin = end;
  }
  return MakeObject(absl::MakeConstSpan(*items).first(count), heap->arena());
}

// The header of that name. Empty where it is not there; fails where it is there twice, or has to be there and is not.
absl::StatusOr<std::string_view> Single(const HttpRequest& request, std::string_view name, bool required) {
  const size_t count = request.Count(name);
  if (count > 1) return absl::InvalidArgumentError(absl::StrCat("the header ", ToAbsl(name), " is there twice"));
  if (count == 1 && !request.Find(name)->empty()) return *request.Find(name);
  if (required) return absl::InvalidArgumentError(absl::StrCat("the header ", ToAbsl(name), " is missing"));
  return std::string_view();
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

Value HeadersOf(const std::vector<HttpHeader>& headers, const HttpNeeds& needs, Heap* heap) {
  Items items;
  items.reserve(headers.size());
  for (const HttpHeader& header : headers) {
    if (!needs.HasHeader(header.name)) continue;
    const bool is_lower = EqualsLower(header.name, header.name);
    const Value name = HttpText(is_lower ? header.name : std::string_view(LowerCase(header.name)), heap);
    items.push_back({name, HttpText(header.value, heap)});
  }
  return Grouped(&items, heap);
}

bool IsWhole(const JsonProjection& needed) { return needed.needs_all() || needed.items() != nullptr; }

// What is needed of an attribute where so much is needed of an object; null: nothing.
const JsonProjection* PartOf(const JsonProjection* needed, std::string_view name) {
  return needed == nullptr || IsWhole(*needed) ? needed : needed->Find(name);
}

std::string_view EndpointOf(std::string_view target) {
  const std::string_view path = SplitTarget(target).first;
  return path.substr(std::min(kPrefix.size(), path.size()));
}

}  // namespace

HttpNeeds HttpNeeds::All() {
  HttpNeeds needs;
  needs.AddAll();
  return needs;
}

// As a whole, or by what is no name: then all of it.
void HttpNeeds::Add(const Program& program) {
  for (const Path& path : program.paths()) {
    if (program.variables()[path.slot] != "http") continue;
    const absl::Span<const PathStep> steps = program.steps(path);
    if (steps.empty() || !steps[0].key.is_string()) return AddAll();
    query_ = query_ || steps[0].key.AsString() == "query";
    if (steps[0].key.AsString() != "headers") continue;
    if (steps.size() == 1 || !steps[1].key.is_string()) {
      all_headers_ = true;
    } else {
      headers_.emplace_back(steps[1].key.AsString());
    }
  }
}

void HttpNeeds::Add(const JsonProjection& scope) {
  const JsonProjection* const http = PartOf(&scope, "http");
  const JsonProjection* const headers = PartOf(http, "headers");
  query_ = query_ || PartOf(http, "query") != nullptr;
  if (headers == nullptr) return;
  if (IsWhole(*headers)) return void(all_headers_ = true);
  headers->ForEach([this](std::string_view name, const JsonProjection&) { headers_.emplace_back(name); });
}

bool HttpNeeds::HasHeader(std::string_view name) const {
  return all_headers_ || std::any_of(headers_.begin(), headers_.end(),
                                     [name](const std::string& needed) { return EqualsLower(name, needed); });
}

Value HttpText(std::string_view text, Heap* heap) {
  if (internal::IsKnownNfc(text)) return Value::String(text, heap->arena());
  return Value::String(internal::ToNfc(text), heap->arena());
}

Value HttpTexts(absl::Span<const Value> texts, bool is_declared, Heap* heap) {
  return is_declared ? MakeList(Type::String(), texts, heap->arena()) : MakeTuple(texts, heap->arena());
}

std::vector<Value> ForwardedAddresses(std::string_view addresses, Heap* heap) {
  std::vector<Value> found;
  for (size_t begin = 0; begin < addresses.size();) {
    const size_t end = std::min(addresses.find(',', begin), addresses.size());
    const std::string_view address = Trimmed(addresses.substr(begin, end - begin));
    if (!address.empty()) found.push_back(HttpText(address, heap));
    begin = end + 1;
  }
  return found;
}

absl::StatusOr<RequestValue> AssembleHttpValue(const HttpParts& parts, EncodedSlash encoded_slash,
                                               const HttpNeeds& needs, bool makes_whole, Heap* heap) {
  // No client sends a fragment. Some servers take it for a part of the path, and others do not.
  if (parts.target.find('#') != std::string_view::npos) {
    return absl::InvalidArgumentError("the target of the request has a fragment");
  }
  const auto [path, query] = SplitTarget(parts.target);
  const auto segments = PathSegments(path, encoded_slash);
  const bool reads_query = makes_whole || needs.query();
  const auto parameters = QueryParameters(reads_query ? query : std::string_view());
  if (!segments || !parameters || (!reads_query && HasTooManyParameters(query))) {
    return absl::InvalidArgumentError("the path or the query of the request is ambiguous or too long");
  }
  absl::InlinedVector<Value, 16> segment_values;
  for (const std::string& segment : *segments) segment_values.push_back(Value::String(segment, heap->arena()));
  const auto query_of = [&parameters = *parameters, heap](const HttpNeeds& of) {
    Items items;
    for (const auto& [name, value] : parameters) {
      if (!of.query()) break;
      items.push_back({Value::String(name, heap->arena()), Value::String(value, heap->arena())});
    }
    return Grouped(&items, heap);
  };

  const auto name = [](std::string_view text) { return Value::StringView(text); };
  const Value no_text = Value::Null(needs.is_declared() ? Type::String() : Type::Dynamic());
  const std::array<KeyValue, 3> source = {{
      {name("address"), parts.address.is_null() ? no_text : parts.address},
      {name("forwarded"), HttpTexts(parts.forwarded, needs.is_declared(), heap)},
      {name("proxy"), parts.proxy.empty() ? no_text : HttpText(parts.proxy, heap)},
  }};
  static const auto& source_names = *new FixedNames(source);
  std::array<KeyValue, 9> pairs = {{
      {name("endpoint"), HttpText(parts.endpoint, heap)},
      {name("headers"), HeadersOf(parts.headers, needs, heap)},
      {name("host"), HttpText(parts.host, heap)},
      {name("method"), HttpText(parts.method, heap)},
      {name("path"), HttpText(path, heap)},
      {name("path_segments"), HttpTexts(segment_values, needs.is_declared(), heap)},
      {name("query"), query_of(needs)},
      {name("scheme"), parts.scheme.empty() ? no_text : HttpText(parts.scheme, heap)},
      {name("source"), source_names.Object(source, heap->arena())},
  }};
  static const auto& names = *new FixedNames(pairs);
  RequestValue made;
  made.needed = names.Object(pairs, heap->arena());
  if (!makes_whole) return made;
  if (needs.needs_all()) return made.whole = made.needed, made;
  pairs[kHeadersAt].value = HeadersOf(parts.headers, HttpNeeds::All(), heap);
  pairs[kQueryAt].value = query_of(HttpNeeds::All());
  made.whole = names.Object(pairs, heap->arena());
  return made;
}

absl::StatusOr<RequestValue> MakeHttpValue(const HttpRequest& request, EncodedSlash encoded_slash,
                                           const HttpNeeds& needs, bool makes_whole, Heap* heap) {
  const DialectHeaders& dialect = request.listener.dialect == AuthDialect::kNginx ? kNginx : kForwarded;
  const auto method = Single(request, dialect.method, /*required=*/true);
  if (!method.ok()) return method.status();
  const auto uri = Single(request, dialect.uri, /*required=*/true);
  if (!uri.ok()) return uri.status();
  auto host = Single(request, dialect.host, /*required=*/false);
  if (!host.ok()) return host.status();
  if (host->empty()) host = Single(request, "host", /*required=*/false);
  if (!host.ok()) return host.status();
  const auto scheme = Single(request, dialect.scheme, /*required=*/false);
  if (!scheme.ok()) return scheme.status();
  const auto addresses = Single(request, dialect.addresses, /*required=*/false);
  if (!addresses.ok()) return addresses.status();

  HttpParts parts;
  parts.method = *method;
  parts.target = *uri;
  parts.host = *host;
  parts.scheme = *scheme;
  parts.endpoint = EndpointOf(request.target);
  parts.proxy = request.principal;
  for (const HttpHeader& header : request.headers) {
    if ((makes_whole || needs.HasHeader(header.name)) && !dialect.Has(header.name)) parts.headers.push_back(header);
  }
  // The last address is the one that the proxy itself has seen; those before are what was told to it.
  parts.forwarded = ForwardedAddresses(*addresses, heap);
  parts.address = parts.forwarded.empty() ? Value::Null() : parts.forwarded.back();
  return AssembleHttpValue(parts, encoded_slash, needs, makes_whole, heap);
}

}  // namespace hcl::serve
