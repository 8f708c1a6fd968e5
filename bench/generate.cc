// Writes the inputs of the benchmarks into a folder: generate FOLDER.
//
// - workloads.json: the expressions W0..W9.
// - W0.ndjson .. W9.ndjson: 16 scopes for each expression, one JSON object a line; a benchmark goes round them.
// - B01.ndjson .. B30.ndjson: the same for the policies in bench/breadth.
// - parse.hcl, parse.json: 5,000 blocks of 6 attributes, in both syntaxes.
// - decode.hcl, decode.hcldec: 1,000 blocks with a nested block, and the spec that decodes them.
//
// The files are the same bytes everywhere; bench/inputs_test.sh compares their checksums. They are files because the
// peers in other languages read them, too.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "hclvm/bench/breadth/scopes.h"

namespace {

constexpr int kScopes = 16;
constexpr int kParseBlocks = 5000;
constexpr int kDecodeBlocks = 1000;

constexpr absl::string_view kPolicy =
    R"(!contains(["10.0.1.4", "10.0.1.5", "10.0.1.6"], request.ip) && )"
    R"(((startswith(request.path, "v1") && contains(["v1", "v2", "admin"], request.token)) || )"
    R"((startswith(request.path, "v2") && contains(["v2", "admin"], request.token)) || )"
    R"((startswith(request.path, "/admin") && request.token == "admin" && )"
    R"(contains(["10.0.1.1", "10.0.1.2", "10.0.1.3"], request.ip))))";

constexpr std::pair<absl::string_view, absl::string_view> kWorkloads[] = {
    {"W0", "flag"},
    {"W1", kPolicy},
    {"W2", "(a + b * 2 - c) / 4 > d % 7 && a * a + b * b < 1000000"},
    {"W3", R"("arn:aws:iam::${account}:role/${env}-${name}")"},
    {"W4", "[for u in users : u.name if u.age >= 18]"},
    {"W5", R"(env == "prod" ? replicas * 2 : (env == "stage" ? replicas : 1))"},
    {"W6", R"(config.service.http.listeners[2].tls.min_version == "1.3")"},
    {"W7", R"({ for k, v in tags : upper(k) => "${prefix}-${v}" })"},
    {"W8", "limits[user.tier].rps * 60 >= quota[user.id]"},
    {"W9", kPolicy},  // over requests that take every branch
};

constexpr absl::string_view kTiers[] = {"free", "basic", "pro", "team", "enterprise"};

// `text` in quotes; it contains no control characters.
std::string Quote(absl::string_view text) {
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

// The scopes, each as the JSON object of one line. `i` is in [0, kScopes).

std::string Scope0(int i) { return absl::StrCat(R"({"flag": )", i % 2 == 0 ? "true" : "false", "}"); }

std::string Request(int host, absl::string_view path, absl::string_view token) {
  return absl::StrFormat(R"({"request": {"ip": "10.0.1.%d", "path": "%s", "token": "%s"}})", host, path, token);
}

std::string Scope1(int i) { return Request(1 + (i + 1) % 3, absl::StrCat("/admin/edit", i), "admin"); }

std::string Scope2(int i) {
  return absl::StrFormat(R"({"a": %d, "b": %d, "c": %d, "d": %d})", 17 + i, 23 + i, 5 + i, 100 + i);
}

std::string Scope3(int i) {
  constexpr absl::string_view kEnvironments[] = {"prod", "stage", "dev", "qa"};
  return absl::StrFormat(R"({"account": "%012d", "env": "%s", "name": "service-role-%02d"})", 123456789012 + i,
                         kEnvironments[i % 4], i);
}

std::string Scope4(int i) {
  std::vector<std::string> users;
  for (int j = 0; j < 100; ++j) {
    users.push_back(absl::StrFormat(R"({"name": "user%03d", "age": %d, "email": "user%03d@example.com"})", j,
                                    (j * 7 + i * 3) % 60 + 5, j));
  }
  return absl::StrCat(R"({"users": [)", absl::StrJoin(users, ", "), "]}");
}

std::string Scope5(int i) {
  constexpr absl::string_view kEnvironments[] = {"prod", "stage", "dev"};
  return absl::StrFormat(R"({"env": "%s", "replicas": %d})", kEnvironments[i % 3], i + 2);
}

std::string Scope6(int i) {
  std::vector<std::string> listeners;
  for (int j = 0; j < 4; ++j) {
    listeners.push_back(
        absl::StrFormat(R"({"port": %d, "address": "0.0.0.0", "tls": {"min_version": "%s", "cert": "c.pem"}})",
                        8000 + j, (i + j) % 2 == 0 ? "1.3" : "1.2"));
  }
  return absl::StrCat(R"({"config": {"region": "eu", "service": {"name": "svc", "http": {"listeners": [)",
                      absl::StrJoin(listeners, ", "), R"(], "timeout": 30, "host": "h"}}}})");
}

std::string Scope7(int i) {
  std::vector<std::string> tags;
  for (int j = 0; j < 20; ++j) {
    tags.push_back(absl::StrFormat(R"("tag_key_%02d": "value-%02d-%02d")", j, i, j));
  }
  return absl::StrFormat(R"({"tags": {%s}, "prefix": "pfx%d"})", absl::StrJoin(tags, ", "), i);
}

std::string Scope8(int i) {
  std::vector<std::string> limits;
  for (int k = 0; k < 5; ++k) {
    limits.push_back(absl::StrFormat(R"("%s": {"rps": %d, "burst": %d})", kTiers[k], 10 * (k + 1), 100 * (k + 1)));
  }
  std::vector<std::string> quota;
  for (int j = 0; j < 1000; ++j) {
    quota.push_back(absl::StrFormat(R"("user%04d": %d)", j, j * 13 % 20000));
  }
  return absl::StrFormat(R"({"limits": {%s}, "quota": {%s}, "user": {"id": "user%04d", "tier": "%s"}})",
                         absl::StrJoin(limits, ", "), absl::StrJoin(quota, ", "), i * 61 % 1000, kTiers[i % 5]);
}

std::string Scope9(int i) {
  constexpr absl::string_view kPaths[] = {"v1/a", "v2/b", "/admin/x", "/other"};
  constexpr absl::string_view kTokens[] = {"v1", "v2", "admin", "none"};
  return Request(1 + i * 5 % 7, kPaths[i % 4], kTokens[i / 4]);
}

constexpr std::string (*kScopeFunctions[])(int) = {Scope0, Scope1, Scope2, Scope3, Scope4,
                                                   Scope5, Scope6, Scope7, Scope8, Scope9};

std::string Scopes(hcl::bench::ScopeFunction scope) {
  std::string lines;
  for (int i = 0; i < kScopes; ++i) absl::StrAppend(&lines, scope(i), "\n");
  return lines;
}

std::string Workloads() {
  std::vector<std::string> lines;
  for (const auto& [name, expression] : kWorkloads) {
    lines.push_back(absl::StrCat(" ", Quote(name), ": ", Quote(expression)));
  }
  return absl::StrCat("{\n", absl::StrJoin(lines, ",\n"), "\n}");
}

// The expressions of block `i` of the parse input, as native source.
struct ParseBlock {
  explicit ParseBlock(int i)
      : count(absl::StrFormat("var.n * %d + %d", i % 9 + 1, i % 5)),
        arn(absl::StrFormat("arn:${account}:role/${env}-%d", i)),
        port(absl::StrFormat("base.port + %d", i % 7)),
        size(absl::StrFormat(R"(env == "prod" ? %d : max(1, local.sizes[%d].v))", i % 17 + 2, i % 4)) {}

  std::string count;
  std::string arn;
  std::string port;
  std::string size;
};

// Numbers vary with the block and repeat with different periods, so that neither texts nor branches are all alike.
std::string ParseNative() {
  std::string text;
  for (int i = 0; i < kParseBlocks; ++i) {
    const ParseBlock block(i);
    absl::StrAppend(&text, "resource \"svc\" \"r", i, "\" {\n");
    absl::StrAppendFormat(&text, "  name  = \"service-%05d\"\n", i);
    absl::StrAppend(&text, "  count = ", block.count, "\n");
    absl::StrAppend(&text, "  arn   = \"", block.arn, "\"\n");
    absl::StrAppendFormat(&text, "  ports = [%d, %d, %s]\n", 8000 + i % 100, 9000 + i % 100, block.port);
    absl::StrAppend(&text, "  size  = ", block.size, "\n");
    absl::StrAppendFormat(&text, "  tags  = { team = \"t%d\", id = %d }\n}\n", i % 11, i);
  }
  return text;
}

// The same blocks as in the native text, block for block, so that the two parsers can be compared; expressions stand in
// strings, as the syntax has them.
std::string ParseJson() {
  std::vector<std::string> blocks;
  for (int i = 0; i < kParseBlocks; ++i) {
    const ParseBlock block(i);
    std::string text = absl::StrCat("   \"r", i, "\": {\n");
    absl::StrAppendFormat(&text, "    \"name\": \"service-%05d\",\n", i);
    absl::StrAppend(&text, "    \"count\": \"${", block.count, "}\",\n");
    absl::StrAppend(&text, "    \"arn\": \"", block.arn, "\",\n");
    absl::StrAppendFormat(&text, "    \"ports\": [\n     %d,\n     %d,\n     \"${%s}\"\n    ],\n", 8000 + i % 100,
                          9000 + i % 100, block.port);
    absl::StrAppend(&text, "    \"size\": ", Quote(absl::StrCat("${", block.size, "}")), ",\n");
    absl::StrAppendFormat(&text,
                          "    \"tags\": {\n     \"team\": \"t%d\",\n     "
                          "\"id\": %d\n    }\n   }",
                          i % 11, i);
    blocks.push_back(std::move(text));
  }
  return absl::StrCat("{\n \"resource\": {\n  \"svc\": {\n", absl::StrJoin(blocks, ",\n"), "\n  }\n }\n}");
}

// Constants and expressions, lists and maps, and a nested block: conversions that are made while compiling stand beside
// those that are left to the program.
std::string DecodeNative() {
  std::string text;
  for (int i = 0; i < kDecodeBlocks; ++i) {
    absl::StrAppend(&text, "service \"s", i, "\" {\n");
    absl::StrAppend(&text, "  name    = \"svc-${env}-", i, "\"\n");
    absl::StrAppend(&text, "  port    = ", 8000 + i, "\n");
    absl::StrAppend(&text, "  enabled = ", i % 2 != 0 ? "true" : "env == \"prod\"", "\n");
    absl::StrAppend(&text, "  weight  = base * ", i % 10 + 1, "\n");
    absl::StrAppend(&text, "  hosts   = [\"h", i, ".example.com\", \"${env}.example.com\"]\n");
    absl::StrAppend(&text, "  labels  = { team = \"t", i % 11, "\", tier = env }\n");
    absl::StrAppend(&text, "  limits {\n    cpu = ", i % 8 + 1, "\n    mem = base * ", i % 4 + 1, " + 128\n  }\n}\n");
  }
  return text;
}

constexpr absl::string_view kDecodeSpec = R"(variables {
  env  = "prod"
  base = 7
}
object {
  block_map "service" {
    labels = ["id"]
    object {
      attr "name"    { type = string }
      attr "port"    { type = number }
      attr "enabled" { type = bool }
      attr "weight"  { type = number }
      attr "hosts"   { type = list(string) }
      attr "labels"  { type = map(string) }
      block "limits" {
        object {
          attr "cpu" { type = number }
          attr "mem" { type = number }
        }
      }
    }
  }
}
)";

// Writes `text` to FOLDER/NAME. False, after a message, if that fails.
bool WriteFile(const std::string& folder, const std::string& name, absl::string_view text) {
  const std::string path = absl::StrCat(folder, "/", name);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) std::cerr << "cannot write " << path << "\n";
  return static_cast<bool>(file);
}

}  // namespace

// All files are written even if one fails, so that one run names everything that cannot be written.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate FOLDER\n";
    return 2;
  }
  const std::string folder = argv[1];
  bool ok = WriteFile(folder, "workloads.json", Workloads());
  for (int w = 0; w < 10; ++w) {
    ok &= WriteFile(folder, absl::StrCat("W", w, ".ndjson"), Scopes(kScopeFunctions[w]));
  }
  int number = 0;
  for (const hcl::bench::ScopeFunction scope : hcl::bench::kBreadthScopes) {
    ok &= WriteFile(folder, absl::StrFormat("B%02d.ndjson", ++number), Scopes(scope));
  }
  ok &= WriteFile(folder, "parse.hcl", ParseNative());
  ok &= WriteFile(folder, "parse.json", ParseJson());
  ok &= WriteFile(folder, "decode.hcl", DecodeNative());
  ok &= WriteFile(folder, "decode.hcldec", kDecodeSpec);
  return ok ? 0 : 1;
}
