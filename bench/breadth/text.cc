#include "hclvm/bench/breadth/text.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "hclvm/bench/breadth/contains.h"

namespace hcl::bench {

std::string B21::Evaluate() const {
  std::string text = absl::StrCat("upstream ", name, " {\n");
  for (const Server& server : servers) {
    absl::StrAppend(&text, "  server ", server.host, ":", server.port);
    if (server.weight != 1) absl::StrAppend(&text, " weight=", server.weight);
    if (server.backup) text += " backup";
    text += ";\n";
  }
  if (sticky) text += "  ip_hash;\n";
  text += "}\n";
  return text;
}

namespace {

// Text between quotes, with the escapes of HCL's jsonencode. Runs that need none are appended at once.
void AppendQuoted(absl::string_view text, std::string* out) {
  out->push_back('"');
  size_t done = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&') continue;
    out->append(text.data() + done, i - done);
    done = i + 1;
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      out->append("\\n");
    } else if (c == '\r') {
      out->append("\\r");
    } else if (c == '\t') {
      out->append("\\t");
    } else {
      absl::StrAppend(out, "\\u", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad4));
    }
  }
  out->append(text.data() + done, text.size() - done);
  out->push_back('"');
}

}  // namespace

// Properties stand in the order of their names.
std::string B22::Evaluate() const {
  std::string json = absl::StrCat(R"({"actor":{"id":)", user.id, R"(,"name":)");
  AppendQuoted(user.name, &json);
  json += R"(},"comment":)";
  if (event.comment.has_value()) {
    AppendQuoted(*event.comment, &json);
  } else {
    json += "null";
  }
  json += R"(,"id":)";
  AppendQuoted(event.id, &json);
  json += R"(,"items":[)";
  for (const Item& item : event.items) {
    absl::StrAppend(&json, &item == &event.items.front() ? "" : ",", R"({"quantity":)", item.quantity, R"(,"sku":)");
    AppendQuoted(item.sku, &json);
    json += "}";
  }
  json += R"(],"kind":)";
  AppendQuoted(absl::AsciiStrToUpper(event.kind), &json);
  absl::StrAppend(&json, R"(,"urgent":)", event.priority > 7 ? "true" : "false", "}");
  return json;
}

std::string B23::Evaluate() const {
  std::vector<absl::string_view> parameters = absl::StrSplit(absl::StripPrefix(request.query, "?"), '&');
  std::sort(parameters.begin(), parameters.end());
  std::string query;
  for (absl::string_view parameter : parameters) {
    const size_t sign = std::min(parameter.find('='), parameter.size());
    const std::string name = absl::AsciiStrToLower(parameter.substr(0, sign));
    if (!Contains(known, name)) continue;
    absl::string_view value = absl::ClippedSubstr(parameter, sign + 1);
    value = value.substr(0, value.find('='));
    absl::StrAppend(&query, query.empty() ? "" : "&", name, "=", value);
  }
  return query;
}

namespace {

// "4.10.2" as a number to compare by.
int64_t ParseVersion(absl::string_view text) {
  int64_t version = 0;
  int64_t part = 0;
  for (const char c : text) {
    if (c == '.') {
      version = (version + part) * 1000;
      part = 0;
    } else {
      part = part * 10 + (c - '0');
    }
  }
  return version + part;
}

}  // namespace

// An unknown platform is an error in HCL, and none of the scopes has that.
std::vector<std::string> B24::Evaluate() const {
  std::vector<std::string> names;
  for (const Client& client : clients) {
    const auto needs = minimum.find(client.platform);
    if (needs != minimum.end() && ParseVersion(client.version) < ParseVersion(needs->second)) {
      names.push_back(client.name);
    }
  }
  return names;
}

std::vector<B25::Row> B25::Evaluate() const {
  std::vector<Row> rows;
  rows.reserve(users.size());
  for (const User& user : users) {
    const std::string email = absl::AsciiStrToLower(absl::StripAsciiWhitespace(user.email));
    const std::vector<absl::string_view> parts = absl::StrSplit(email, '@');
    const absl::string_view domain = parts.size() > 1 ? parts[1] : "";
    const absl::string_view local = parts[0].substr(0, parts[0].find('+'));
    std::string host = absl::AsciiStrToLower(absl::StripAsciiWhitespace(user.host));
    if (absl::EndsWith(host, ".")) host.pop_back();
    rows.push_back({std::string(domain), absl::StrCat(local, "@", domain), absl::EndsWith(email, "@example.com"),
                    std::move(host)});
  }
  return rows;
}

}  // namespace hcl::bench
