// Summaries of bundles. Tested by serve/bundle_summary_test.cc.

#include "hclvm/serve/bundle_summary.h"

#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/digest.h"
#include "hclvm/serve/manifest.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/type_text.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr size_t kShownDigits = 12;  // of a digest, in texts

FileSummary::Kind KindOf(std::string_view path) {
  if (IsOwnFile(path) || path == kServiceFileName) return FileSummary::Kind::kBundle;
  const std::string_view name = path.substr(path.rfind('/') + 1);  // the whole where there is none
  if (IsModuleFileName(name)) return FileSummary::Kind::kPolicy;
  return internal::IsTestFileName(name) ? FileSummary::Kind::kTest : FileSummary::Kind::kData;
}

std::string_view WordOf(FileSummary::Kind kind) {
  switch (kind) {
    case FileSummary::Kind::kPolicy:
      return "policy";
    case FileSummary::Kind::kTest:
      return "test";
    case FileSummary::Kind::kBundle:
      return "bundle";
    case FileSummary::Kind::kData:
      break;
  }
  return "data";
}

std::map<std::string, VariableSummary> VariablesOf(const Program& program) {
  std::map<std::string, VariableSummary> variables;
  const auto* const module = static_cast<const internal::ProgramTables&>(program).module();
  if (module == nullptr) return variables;
  for (const internal::ModuleVariable& variable : module->variables) {
    VariableSummary& summary = variables[variable.name];
    internal::TypeTextOptions one_line;
    one_line.width = std::numeric_limits<size_t>::max();
    one_line.hides_values = variable.sensitive;
    summary.type = internal::TypeText(variable.type, variable.defaults.get(), one_line);
    summary.required = !variable.default_value.has_value();
    summary.nullable = variable.nullable;
    summary.sensitive = variable.sensitive;
    summary.ephemeral = variable.ephemeral;
    summary.deprecated = !variable.deprecated.empty();
    if (!summary.required && !variable.sensitive) summary.default_value = internal::ValueText(*variable.default_value);
  }
  return variables;
}

std::string Json(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

std::string_view Word(bool value) { return value ? "true" : "false"; }

// A variable in one line: what whoever gives its value has to know.
std::string Declared(const VariableSummary& variable) {
  std::string out = variable.type;
  if (variable.required) {
    out.append(", required");
  } else {
    absl::StrAppend(&out, ", default ", variable.sensitive ? "(sensitive)" : variable.default_value);
  }
  if (variable.nullable) out.append(", may be null");
  if (variable.sensitive) out.append(variable.ephemeral ? ", ephemeral" : ", sensitive");
  if (variable.deprecated) out.append(", deprecated");
  return out;
}

std::string Bytes(uint64_t count) { return absl::StrCat(count, count == 1 ? " byte" : " bytes"); }

std::string Described(const FileSummary& file) {
  return absl::StrCat(Bytes(file.size), ", sha256 ", file.digest.substr(0, kShownDigits));
}

std::string ListOf(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) absl::StrAppend(&out, out.size() > 1 ? "," : "", Json(item));
  return out + "]";
}

std::string Count(size_t count, const char* one, const char* many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

using Names = std::map<std::string, std::string>;

void Compare(const std::string& kind, const Names& before, const Names& after, std::vector<BundleChange>* changes) {
  Names all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [name, unused] : all) {
    const auto old_one = before.find(name);
    const auto new_one = after.find(name);
    BundleChange change = {kind, name, old_one == before.end() ? "" : old_one->second,
                           new_one == after.end() ? "" : new_one->second};
    if (change.before != change.after) changes->push_back(std::move(change));
  }
}

Names ManifestNames(const BundleSummary& summary) {
  Names names;
  if (!summary.has_manifest) return names;
  names["revision"] = summary.revision;
  if (!summary.roots.empty()) names["roots"] = ListOf(summary.roots);
  if (!summary.metadata.empty()) names["metadata"] = summary.metadata;
  if (summary.has_checksums) names["checksums"] = "there";
  if (summary.has_signature) names["signature"] = "there";
  return names;
}

Names ModuleNames(const BundleSummary& summary) {
  Names names;
  for (const auto& [name, module] : summary.modules) {
    names[name.empty() ? "(top)" : name] = "there";
  }
  return names;
}

Names EntryNames(const BundleSummary& summary) {
  Names names;
  for (const auto& [unused, module] : summary.modules) names.insert(module.entries.begin(), module.entries.end());
  return names;
}

Names VariableNames(const BundleSummary& summary) {
  Names names;
  for (const auto& [module, tables] : summary.modules) {
    for (const auto& [name, variable] : tables.variables) {
      names[module.empty() ? name : absl::StrCat(module, "/", name)] = Declared(variable);
    }
  }
  return names;
}

// What the manifest and its signature say is compared by itself.
Names FileNames(const BundleSummary& summary, FileSummary::Kind kind) {
  Names names;
  for (const auto& [path, file] : summary.files) {
    if (file.kind == kind && !IsOwnFile(path)) names[path] = Described(file);
  }
  return names;
}

}  // namespace

BundleSummary SummarizeBundle(const BundleFiles& files, const Bundle& bundle, const CompileOptions& options) {
  BundleSummary summary;
  const Manifest& manifest = bundle.manifest();
  summary.revision = manifest.revision;
  summary.has_manifest = files.count(kManifestName) > 0;
  summary.has_checksums = manifest.files.has_value();
  summary.has_signature = files.count(kSignatureName) > 0;
  summary.roots = manifest.roots;
  summary.metadata = manifest.metadata;
  for (const auto& [path, text] : files) {
    summary.bytes += text.size();
    summary.files[path] = {text.size(), Sha256Hex(text), KindOf(path)};
  }
  const std::map<std::string, std::vector<ModuleFile>> modules = ModulesOf(files);
  size_t at = 0;  // the entries of a module stand together
  for (uint32_t n = 0; n < bundle.modules().size(); ++n) {
    const BundleModule& module = bundle.modules()[n];
    ModuleSummary& own = summary.modules[module.name];
    own.variables = VariablesOf(*module.program);
    Diagnostics unused;
    std::vector<internal::TypedName> names;
    internal::CheckModuleTypes(modules.at(module.name), options, /*strict=*/false, &unused, &names);
    std::map<std::string_view, const internal::TypedName*> types;
    for (const internal::TypedName& one : names) {
      if (one.kind == internal::TypedName::Kind::kAttribute) types[one.name] = &one;
    }
    for (; at < bundle.entries().size() && bundle.entries()[at].module == n; ++at) {
      const BundleEntry& entry = bundle.entries()[at];
      const auto found = types.find(entry.entry->path);
      own.entries[entry.name] =
          found == types.end() ? "any" : found->second->type + (found->second->nullable ? " or null" : "");
    }
  }
  return summary;
}

std::string SummaryText(const BundleSummary& summary) {
  std::string out = absl::StrCat("revision   ", summary.revision, summary.has_manifest ? "" : " (there is no manifest)",
                                 "\nchecksums  ", summary.has_checksums ? "yes" : "no", "\nsignature  ",
                                 summary.has_signature ? "yes; hclvm bundle verify says by which key" : "no", "\n");
  if (!summary.roots.empty()) absl::StrAppend(&out, "roots      ", ListOf(summary.roots), "\n");
  if (!summary.metadata.empty()) absl::StrAppend(&out, "metadata   ", summary.metadata, "\n");
  absl::StrAppend(&out, "size       ", Count(summary.files.size(), "file", "files"), ", ", Bytes(summary.bytes), "\n");
  for (const auto& [name, module] : summary.modules) {
    absl::StrAppend(&out, "\nmodule ", name.empty() ? "(top)" : name, "\n");
    for (const auto& [variable, declared] : module.variables) {
      absl::StrAppend(&out, "  variable ", variable, ": ", Declared(declared), "\n");
    }
    for (const auto& [entry, type] : module.entries) absl::StrAppend(&out, "  entry ", entry, ": ", type, "\n");
  }
  out.append("\nfiles\n");
  for (const auto& [path, file] : summary.files) {
    absl::StrAppend(&out, "  ", path, ": ", ToAbsl(WordOf(file.kind)), ", ", Described(file), "\n");
  }
  return internal::PrintableLines(out);
}

std::string SummaryJson(const BundleSummary& summary) {
  std::string out = absl::StrCat(
      "{\"revision\":", Json(summary.revision), ",\"manifest\":", ToAbsl(Word(summary.has_manifest)),
      ",\"checksums\":", ToAbsl(Word(summary.has_checksums)), ",\"signature\":", ToAbsl(Word(summary.has_signature)),
      ",\"roots\":", ListOf(summary.roots), ",\"metadata\":", summary.metadata.empty() ? "null" : summary.metadata,
      ",\"bytes\":", summary.bytes, ",\"modules\":[");
  for (const auto& [name, module] : summary.modules) {
    absl::StrAppend(&out, out.back() == '[' ? "" : ",", "{\"name\":", Json(name), ",\"variables\":[");
    for (const auto& [variable, declared] : module.variables) {
      absl::StrAppend(&out, out.back() == '[' ? "" : ",", "{\"name\":", Json(variable),
                      ",\"type\":", Json(declared.type), ",\"required\":", ToAbsl(Word(declared.required)));
      if (!declared.default_value.empty()) absl::StrAppend(&out, ",\"default\":", Json(declared.default_value));
      absl::StrAppend(&out, ",\"nullable\":", ToAbsl(Word(declared.nullable)),
                      ",\"sensitive\":", ToAbsl(Word(declared.sensitive)),
                      ",\"ephemeral\":", ToAbsl(Word(declared.ephemeral)),
                      ",\"deprecated\":", ToAbsl(Word(declared.deprecated)), "}");
    }
    out.append("],\"entries\":[");
    for (const auto& [entry, type] : module.entries) {
      absl::StrAppend(&out, out.back() == '[' ? "" : ",", "{\"name\":", Json(entry), ",\"type\":", Json(type), "}");
    }
    out.append("]}");
  }
  out.append("],\"files\":[");
  for (const auto& [path, file] : summary.files) {
    absl::StrAppend(&out, out.back() == '[' ? "" : ",", "{\"path\":", Json(path), ",\"kind\":\"",
                    ToAbsl(WordOf(file.kind)), "\",\"bytes\":", file.size, ",\"sha256\":\"", file.digest, "\"}");
  }
  return out + "]}\n";
}

std::vector<BundleChange> CompareBundles(const BundleSummary& before, const BundleSummary& after) {
  std::vector<BundleChange> changes;
  Compare("manifest", ManifestNames(before), ManifestNames(after), &changes);
  Compare("module", ModuleNames(before), ModuleNames(after), &changes);
  Compare("entry", EntryNames(before), EntryNames(after), &changes);
  Compare("variable", VariableNames(before), VariableNames(after), &changes);
  for (const FileSummary::Kind kind :
       {FileSummary::Kind::kBundle, FileSummary::Kind::kPolicy, FileSummary::Kind::kTest, FileSummary::Kind::kData}) {
    Compare(absl::StrCat(ToAbsl(WordOf(kind)), " file"), FileNames(before, kind), FileNames(after, kind), &changes);
  }
  return changes;
}

std::string ChangesText(const BundleSummary& before, const BundleSummary& after,
                        const std::vector<BundleChange>& changes) {
  std::string out = absl::StrCat(before.revision, " -> ", after.revision, ": ",
                                 changes.empty() ? "the same" : Count(changes.size(), "change", "changes"), "\n");
  for (const BundleChange& change : changes) {
    const bool is_new = change.before.empty(), is_gone = change.after.empty();
    absl::StrAppend(&out, is_new ? "+ " : is_gone ? "- " : "~ ", change.kind, " ", change.name);
    if (change.kind != "module") {
      absl::StrAppend(&out, ": ", change.before, is_new || is_gone ? "" : " -> ", change.after);
    }
    out.push_back('\n');
  }
  return internal::PrintableLines(out);
}

std::string ChangesJson(const BundleSummary& before, const BundleSummary& after,
                        const std::vector<BundleChange>& changes) {
  std::string out = absl::StrCat("{\"before\":", Json(before.revision), ",\"after\":", Json(after.revision),
                                 ",\"same\":", ToAbsl(Word(changes.empty())), ",\"changes\":[");
  for (const BundleChange& change : changes) {
    absl::StrAppend(&out, out.back() == '[' ? "" : ",", "{\"kind\":", Json(change.kind),
                    ",\"name\":", Json(change.name));
    if (!change.before.empty()) absl::StrAppend(&out, ",\"before\":", Json(change.before));
    if (!change.after.empty()) absl::StrAppend(&out, ",\"after\":", Json(change.after));
    out.push_back('}');
  }
  return out + "]}\n";
}

}  // namespace hcl::serve
