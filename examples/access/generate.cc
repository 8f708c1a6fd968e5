// Writes the access example's requests to standard output:
// generate [COUNT [FIRST]], 2,000 lines with ids from 1 unless told otherwise.
//
// The same arguments give the same bytes everywhere: the generator has its own
// random numbers. The mix is chosen so that the requests reach every rule of
// policy.hcl; access_test checks that.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Strings = std::vector<std::string>;

// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // A number in [0, bound). The bias is irrelevant here.
  int Below(int bound) {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<uint64_t>(bound));
  }

  bool OneIn(int n) { return Below(n) == 0; }

  const std::string& Pick(const Strings& choices) {
    return choices[static_cast<size_t>(Below(static_cast<int>(choices.size())))];
  }

  // Each of the choices with a chance of one in `n`, in order.
  Strings Some(const Strings& choices, int n) {
    Strings result;
    for (const std::string& choice : choices) {
      if (OneIn(n)) result.push_back(choice);
    }
    return result;
  }

 private:
  uint64_t state_;
};

// The texts are plain ASCII without quotes or backslashes, so that quoting is
// all they need.
std::string Quote(const std::string& text) { return "\"" + text + "\""; }

std::string Array(const Strings& texts) {
  std::string result = "[";
  for (size_t i = 0; i < texts.size(); ++i) {
    result += (i == 0 ? "" : ",") + Quote(texts[i]);
  }
  return result + "]";
}

std::string Number(int value) { return std::to_string(value); }

std::string Bool(bool value) { return value ? "true" : "false"; }

// At least `width` digits.
std::string PadTo(int value, size_t width) {
  const std::string digits = std::to_string(value);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

const Strings kDepartments = {"finance", "sales", "it", "legal"};
const Strings kGroups = {"ledger", "payroll", "quarter-end", "vendors"};
const Strings kRegions = {"eu", "eu", "eu", "eu", "us", "apac"};

std::string Address(Random& random) {
  const Strings kNetworks = {"10.1.2.", "10.20.0.", "172.16.5.", "81.2.69.", "81.2.70.", "192.0.2."};
  if (random.OneIn(25)) return random.Pick({"203.0.113.9", "198.51.100.40", "192.0.2.7", "192.0.2.66"});
  const std::string& network = random.Pick(kNetworks);
  return network + Number(random.Below(60));
}

std::string Token(Random& random) {
  const Strings kScopes = {"invoice:read", "invoice:create", "report:read", "report:create", "contract:list"};
  int age = random.Below(50);
  if (random.OneIn(8)) age += 45;
  if (random.OneIn(16)) age += 700;
  return "{\"age_minutes\":" + Number(age) + ",\"scopes\":" + Array(random.Some(kScopes, 2)) + "}";
}

std::string User(Random& random, int id, const std::string& region, const std::string& department) {
  const Strings kNames = {"Ana", "Bo", "Chen", "Dara", "Emeka", "Finn", "Gita", "Hana"};
  const Strings kRoles = {"admin", "auditor", "global", "manager", "oncall"};
  const std::string name = random.Pick(kNames);
  std::string email = name + Number(id) + "@example.com";
  if (random.OneIn(6)) email = name + "+Ext@partner.example.org";
  if (random.OneIn(5)) email = "batch-" + Number(id) + "@jobs.svc.example.com";
  std::string json = "{";
  if (random.OneIn(6)) {
    json += "\"break_glass\":{\"ticket\":\" inc-" + Number(4000 + random.Below(900));
    json += " \",\"until_hour\":" + Number(random.Below(24)) + "},";
  }
  json += "\"clearance\":" + Number(random.Below(4));
  json += ",\"department\":" + Quote(random.OneIn(3) ? random.Pick(kDepartments) : department);
  json += ",\"email\":" + Quote(email);
  json += ",\"groups\":" + Array(random.Some(kGroups, 3));
  json += ",\"id\":" + Quote("u-" + PadTo(id, 3));
  json += ",\"mfa\":" + Bool(!random.OneIn(3));
  json += ",\"name\":" + (random.OneIn(5) ? "null" : Quote(name));
  json += ",\"region\":" + Quote(region);
  json += ",\"roles\":" + Array(random.Some(kRoles, 4));
  json += ",\"status\":" + Quote(random.OneIn(20) ? random.Pick({"suspended", "left"}) : "active");
  json += ",\"years\":" + Number(random.Below(12));
  return json + "}";
}

std::string Tags(Random& random) {
  std::string json;
  if (random.OneIn(2)) json += ",\"case\":" + Quote("2024-" + Number(10 + random.Below(80)));
  if (random.OneIn(2)) json += ",\"legal_hold\":" + Quote(random.OneIn(3) ? "false" : "true");
  if (random.OneIn(2)) json += ",\"project\":" + Quote(random.Pick({"atlas", "borealis"}));
  return "{" + (json.empty() ? json : json.substr(1)) + "}";
}

std::string Resource(Random& random, int owner, const std::string& region, const std::string& department) {
  const Strings kTypes = {"contract", "invoice", "report"};
  const Strings kClassifications = {"public", "internal", "internal", "confidential", "restricted"};
  const std::string type = random.Pick(kTypes);
  int amount = random.Below(900000);
  if (random.OneIn(2)) amount += 1500000 * random.Below(4);
  std::string json = "{\"amount\":" + Number(amount);
  json += ",\"classification\":" + Quote(random.Pick(kClassifications));
  json += ",\"department\":" + Quote(department);
  json += ",\"id\":" + Quote(type.substr(0, 3) + "-" + Number(random.Below(10000)));
  json += ",\"owner\":" + Quote("u-" + PadTo(owner, 3));
  json += ",\"region\":" + Quote(region);
  json += ",\"shared_with\":" + Array(random.Some(kGroups, 3));
  json += ",\"size_mb\":" + Number(random.Below(100));
  if (!random.OneIn(3)) json += ",\"tags\":" + Tags(random);
  json += ",\"type\":" + Quote(type);
  return json + "}";
}

std::string Line(Random& random, int number) {
  const Strings kActions = {"approve", "approve", "create", "create", "delete", "list", "read", "read", "update"};
  const Strings kWeekdays = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  const int user = random.Below(200);
  const int owner = random.OneIn(5) ? user : random.Below(200);
  const std::string region = random.Pick(kRegions);
  const std::string department = random.Pick(kDepartments);
  const std::string user_region = random.OneIn(3) ? random.Pick(kRegions) : region;

  std::string json = "{\"now\":{\"hour\":" + Number(random.Below(24));
  json += ",\"weekday\":" + Quote(random.Pick(kWeekdays)) + "}";
  json += ",\"request\":{\"action\":" + Quote(random.Pick(kActions));
  json += ",\"id\":" + Quote("r-" + PadTo(number, 5));
  json += ",\"ip\":" + Quote(Address(random));
  json += ",\"token\":" + Token(random) + "}";
  json += ",\"resource\":" + Resource(random, owner, region, department);
  json += ",\"user\":" + User(random, user, user_region, department);
  return json + "}\n";
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2000;
  const int first = argc > 2 ? std::atoi(argv[2]) : 1;
  Random random(20240229);
  for (int n = 0; n < count; ++n) {
    std::fputs(Line(random, first + n).c_str(), stdout);
  }
}
