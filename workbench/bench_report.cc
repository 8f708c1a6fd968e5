// Reports of RequestBench. Tested by workbench/request_bench_test.cc.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/request_bench.h"

namespace hcl::internal {
namespace {

const Value* Member(const Value& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const int64_t at = object.shape().Find(name);
  return at < 0 ? nullptr : &object.values()[static_cast<size_t>(at)];
}

bool ReadNumber(const Value& object, std::string_view name, double* number) {
  const Value* const member = Member(object, name);
  if (member == nullptr || !member->is_number()) return false;
  *number = member->AsNumber().ToDouble();
  return true;
}

bool ReadCount(const Value& object, std::string_view name, uint64_t* count) {
  double number = 0;
  if (!ReadNumber(object, name, &number) || number < 0 || number > 1e15) return false;
  *count = static_cast<uint64_t>(number);
  return true;
}

std::string AllocationsText(const EntryBench& entry) {
  return entry.allocations < 0 ? "?" : absl::StrFormat("%.2f", entry.allocations);
}

std::string_view NameOf(BenchChange change) {
  switch (change) {
    case BenchChange::kSame:
      return "same";
    case BenchChange::kFaster:
      return "faster";
    case BenchChange::kSlower:
      return "SLOWER";
  }
  return "";
}

// Rows of cells in columns; the first one is aligned to the left.
std::string InColumns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  }
  std::string out;
  for (const std::vector<std::string>& row : rows) {
    for (size_t n = 0; n < row.size(); ++n) {
      const std::string blanks(widths[n] - row[n].size(), ' ');
      absl::StrAppend(&out, n > 0 ? "  " : "", n > 0 ? blanks : "", row[n], n > 0 ? "" : blanks);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string BenchJson(const BenchReport& report) {
  std::string out = absl::StrFormat("{\"reference_ns\":%.4f,\"entries\":[", report.reference_ns);
  for (const EntryBench& entry : report.entries) {
    out += out.back() == '[' ? "{\"entry\":" : ",{\"entry\":";
    AppendJsonString(entry.entry, &out);
    absl::StrAppendFormat(&out, ",\"requests\":%d,\"failed\":%d,\"samples\":%d", entry.requests, entry.failed,
                          entry.samples);
    absl::StrAppendFormat(
        &out, ",\"ns\":%.2f,\"ns_min\":%.2f,\"ns_low\":%.2f,\"ns_high\":%.2f,\"fuel\":%.2f,\"allocations\":%s}",
        entry.ns, entry.ns_min, entry.ns_low, entry.ns_high, entry.fuel,
        entry.allocations < 0 ? "null" : absl::StrFormat("%.4f", entry.allocations));
  }
  return out + "]}\n";
}

bool ReadBenchJson(std::string_view json, BenchReport* report) {
  Heap heap;
  JsonReader reader;
  JsonError error;
  Value value;
  *report = BenchReport();
  if (!reader.Read(json, &heap, &value, &error)) return false;
  const Value* const entries = Member(value, "entries");
  if (entries == nullptr || !entries->is_tuple() || !ReadNumber(value, "reference_ns", &report->reference_ns)) {
    return false;
  }
  for (const Value& one : entries->elements()) {
    EntryBench& entry = report->entries.emplace_back();
    const Value* const name = Member(one, "entry");
    uint64_t samples = 0;
    const bool is_read = name != nullptr && name->is_string() && ReadCount(one, "requests", &entry.requests) &&
                         ReadCount(one, "failed", &entry.failed) && ReadCount(one, "samples", &samples) &&
                         ReadNumber(one, "ns", &entry.ns) && ReadNumber(one, "ns_min", &entry.ns_min) &&
                         ReadNumber(one, "ns_low", &entry.ns_low) && ReadNumber(one, "ns_high", &entry.ns_high) &&
                         ReadNumber(one, "fuel", &entry.fuel);
    if (!is_read) return false;
    entry.entry = std::string(name->AsString());
    entry.samples = samples;
    if (!ReadNumber(one, "allocations", &entry.allocations)) entry.allocations = -1;
  }
  return true;
}

std::string BenchText(const BenchReport& report, const BenchReport* before, size_t* slower) {
  *slower = 0;
  std::vector<std::vector<std::string>> rows = {
      {"entry", "requests", "ns", "fastest", "middle half", "allocations", "fuel"}};
  if (before != nullptr) rows[0].insert(rows[0].end(), {"before", "change", ""});
  std::string notes;
  for (const EntryBench& entry : report.entries) {
    std::vector<std::string>& row = rows.emplace_back();
    row = {Printable(entry.entry),
           absl::StrCat(entry.requests),
           absl::StrFormat("%.0f", entry.ns),
           absl::StrFormat("%.0f", entry.ns_min),
           absl::StrFormat("%.0f..%.0f", entry.ns_low, entry.ns_high),
           AllocationsText(entry),
           absl::StrFormat("%.0f", entry.fuel)};
    if (entry.failed > 0)
      absl::StrAppend(&notes, Printable(entry.entry), ": ", entry.failed,
                      entry.failed == 1 ? " request fails\n" : " requests fail\n");
    if (before == nullptr) continue;
    const auto old_entry = std::find_if(before->entries.begin(), before->entries.end(),
                                        [&](const EntryBench& one) { return one.entry == entry.entry; });
    if (old_entry == before->entries.end()) {
      row.insert(row.end(), {"-", "-", "new"});
      continue;
    }
    const BenchChange change = CompareBench(*before, *old_entry, report, entry);
    *slower += change == BenchChange::kSlower ? 1 : 0;
    row.insert(row.end(),
               {absl::StrFormat("%.0f", old_entry->ns_min),
                old_entry->ns_min > 0 ? absl::StrFormat("%+.1f %%", 100 * (entry.ns_min / old_entry->ns_min - 1)) : "-",
                std::string(NameOf(change))});
    if (old_entry->fuel != 0 && absl::StrFormat("%.2f", old_entry->fuel) != absl::StrFormat("%.2f", entry.fuel)) {
      absl::StrAppendFormat(&notes, "%s: fuel was %.2f\n", Printable(entry.entry), old_entry->fuel);
    }
    if (old_entry->requests != entry.requests) {
      absl::StrAppend(&notes, Printable(entry.entry), ": the other run had ", old_entry->requests, " requests\n");
    }
  }
  if (before != nullptr && before->reference_ns > 0 && report.reference_ns > 0) {
    const double speed = report.reference_ns / before->reference_ns;
    if (speed > 1.03 || speed < 0.97) {
      absl::StrAppendFormat(&notes, "the machine takes %.0f %% %s time now for the same work\n",
                            100 * (speed > 1 ? speed - 1 : 1 - speed), speed > 1 ? "more" : "less");
    }
  }
  std::string out = InColumns(rows) + notes;
  return out;
}

}  // namespace hcl::internal
