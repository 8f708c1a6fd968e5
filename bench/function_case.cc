// The scope of the cases.

#include "hclvm/bench/function_case.h"

#include <string>
#include <string_view>

namespace hcl::bench {

const char* const kFunctionScope = R"({
  "role": "operator", "ip": "10.20.30.40", "name": "service-00042", "arn": "arn:aws:s3:::bucket/key",
  "text": "  Hello, World \n", "path": "/srv/app/config/main.hcl", "lines": "first\nsecond\nthird\n",
  "digits": "8080", "base64": "c2VydmljZS0wMDA0Mg==", "csv": "id,name\n1,ann\n2,bob\n",
  "time": "2024-03-01T12:30:00Z", "now": "2024-03-01T14:00:00+01:00", "network": "10.20.0.0/16",
  "yes": "true", "count": 42, "port": -8080, "price": 12.75,
  "list": ["admin", "auditor", "developer", "guest", "operator", "owner", "reader", "writer"],
  "others": ["operator", "nobody", "guest", "root"], "repeated": ["b", "a", "c", "a", "b", "", "d", "c"],
  "numbers": [3, 17, 8, 42, 5, 23, 11, 2], "flags": [true, true, false, true],
  "nested": [["a", "b"], ["c"], [], ["d", "e", "f"]],
  "tags": {"cost": "r-17", "env": "prod", "owner": "ann", "region": "eu-west-1", "team": "core"},
  "more": {"env": "test", "tier": "gold"},
  "groups": {"ann": ["dev", "ops"], "bob": ["ops"], "eve": ["dev", "qa"]}
})";

std::string ToJson(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '\n') {
      json += "\\n";
    } else {
      if (c == '"' || c == '\\') json += '\\';
      json += c;
    }
  }
  return json + "\"";
}

}  // namespace hcl::bench
