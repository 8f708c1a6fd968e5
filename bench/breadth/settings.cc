#include "hclvm/bench/breadth/settings.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/bench/breadth/contains.h"

namespace hcl::bench {

B11::Answer B11::Evaluate() const {
  const bool prod = env == "prod";
  Answer answer;
  answer.name = absl::StrCat(app.name, "-", env);
  answer.replicas = prod ? std::max<int64_t>(3, app.replicas) : 1;
  answer.image = absl::StrCat(registry, "/", app.name, ":", app.version);
  answer.port = app.port.value_or(8080);
  answer.host = prod ? absl::StrCat(app.name, ".example.com") : absl::StrCat(app.name, ".", env, ".example.com");
  answer.memory_mb = app.size == "large" ? 4096 : app.size == "medium" ? 1024 : 256;
  answer.is_public = env != "dev" && Contains(app.labels, "public");
  answer.health = app.health.has_value() ? app.health->path : "/healthz";
  const auto team = teams.find(app.name);
  answer.labels = {app.name, env, team == teams.end() ? "platform" : team->second};
  answer.log_level = prod ? "warn" : env == "stage" ? "info" : "debug";
  return answer;
}

namespace {

const char* StorageOf(const std::optional<std::string>& storage) {
  if (storage.has_value() && *storage == "rare") return "NEARLINE";
  return storage.has_value() && *storage == "archive" ? "ARCHIVE" : "STANDARD";
}

}  // namespace

std::map<std::string, B13::Local> B13::Evaluate() const {
  const bool prod = environment == "prod";
  const std::string prefix = absl::StrCat(project, "-", environment, "-");
  std::map<std::string, Local> locals;
  for (const auto& [name, bucket] : buckets) {
    if (!bucket.enabled) continue;
    Local local;
    local.storage = StorageOf(bucket.storage);
    local.days = prod ? bucket.days.value_or(365) : std::min<int64_t>(bucket.days.value_or(30), 30);
    local.tags = tags;
    if (bucket.tags.has_value()) {
      for (const auto& [key, value] : *bucket.tags) local.tags[key] = value;
    }
    local.tags["Name"] = name;
    local.versioning = bucket.versioning.value_or(prod);
    locals.emplace(absl::AsciiStrToLower(absl::StrCat(prefix, name)), std::move(local));
  }
  return locals;
}

B14::Answer B14::Evaluate() const {
  Answer answer;
  if (settings.retry.has_value()) {
    answer.backoff = settings.retry->attempts * settings.retry->pause_ms;
    answer.retries = settings.retry->attempts;
  } else {
    answer.retries = profile.retries.value_or(0);
  }
  answer.limit = settings.limit.has_value() ? *settings.limit : profile.limit.value_or(100);
  answer.owner = settings.owner.has_value() && !settings.owner->empty() ? *settings.owner : "nobody";
  if (settings.proxy.has_value()) {
    answer.proxy = absl::StrCat("http://", settings.proxy->host, ":", settings.proxy->port.value_or(3128));
  }
  answer.timeout = settings.timeout.has_value() ? *settings.timeout : profile.timeout.value_or(30);
  answer.tls =
      settings.tls.has_value() ? settings.tls->enabled && settings.tls->cert.has_value() : profile.tls.value_or(false);
  return answer;
}

B15::Answer B15::Evaluate() const {
  const std::optional<std::string>* const level = doc.logging.has_value() ? &doc.logging->level : nullptr;
  const bool has_level = level != nullptr && level->has_value();
  const std::vector<Sink>* const sinks =
      doc.logging.has_value() && doc.logging->sinks.has_value() ? &*doc.logging->sinks : nullptr;
  const auto found = doc.sites.find(site);
  const Site* const place = found == doc.sites.end() ? nullptr : &found->second;
  Answer answer;
  const bool has_format = sinks != nullptr && !sinks->empty() && sinks->front().format.has_value();
  answer.format = has_format ? absl::AsciiStrToUpper(*sinks->front().format) : "JSON";
  answer.level = has_level ? **level : doc.level.value_or("info");
  const auto limit = doc.limits.find(plan);
  answer.limit = limit == doc.limits.end() ? 100 : limit->second;
  answer.region =
      place != nullptr && place->region.has_value() ? place->region->name : doc.region.value_or("eu-west-1");
  if (sinks == nullptr) {
    answer.sinks = {"stdout"};
  } else {
    answer.sinks.reserve(sinks->size());
    for (const Sink& sink : *sinks) answer.sinks.push_back(absl::AsciiStrToLower(sink.type));
  }
  answer.verbose = (has_level && **level == "debug") || (place != nullptr && place->debug.value_or(false));
  return answer;
}

}  // namespace hcl::bench
