// Makes tables and charts of measurements:
//
//   report RESULTS              prints the tables
//   report RESULTS DOCS_FOLDER  also puts them between the markers in DOCS_FOLDER/performance.md, and writes
//                               DOCS_FOLDER/evaluate.svg and DOCS_FOLDER/parse.svg
//
// There are two families of workloads, W and P with their budgets and B; what was not measured is neither printed nor
// written. The means of B also go between the markers in the README.md beside the folder.
//
// RESULTS is a file of bench/peers/run; bench/peers/results.h has its form. Exit status 1 and a message if something
// cannot be read or written. Tested by bench/peers/report_test.sh.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/bench/peers/breadth_section.h"
#include "hclvm/bench/peers/chart.h"
#include "hclvm/bench/peers/results.h"
#include "hclvm/bench/peers/tables.h"

namespace hcl::bench {
namespace {

bool Fail(const std::string& message) {
  std::cerr << "report: " << message << "\n";
  return false;
}

bool ReadFile(const std::string& path, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream buffer;
  buffer << file.rdbuf();
  *text = buffer.str();
  return file.is_open() ? true : Fail("cannot read " + path);
}

bool WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? true : Fail("cannot write " + path);
}

bool WriteCharts(const Results& results, const std::string& folder) {
  const char* evaluate = "One evaluation, nanoseconds (logarithmic)";
  const char* parse = "Reading 1.25 MB to a tree, nanoseconds (logarithmic)";
  return WriteFile(folder + "/evaluate.svg", Chart(results, EvaluateWorkloads(), evaluate)) &&
         WriteFile(folder + "/parse.svg", Chart(results, ParseWorkloads(), parse));
}

// Names of markers, and what goes between them.
using Sections = std::vector<std::pair<std::string, std::string>>;

Sections MakeSections(const Results& results) {
  Sections sections;
  if (!PeersOf(results, EvaluateWorkloads()).empty()) sections.emplace_back("peers", PeerSection(results));
  if (!MeasuredBreadth(results).empty()) sections.emplace_back("breadth", BreadthSection(results));
  return sections;
}

// A page is changed between its markers only: the rest is written by people.
bool Replace(const std::string& page, const std::string& name, const std::string& replacement, std::string* text) {
  return ReplaceBetween(name, replacement, text) ||
         Fail(page + " lacks the markers " + name + ":begin and " + name + ":end");
}

// Nothing is written unless all markers are there.
bool WriteDocs(const Results& results, const Sections& sections, const std::string& folder) {
  const std::string page = folder + "/performance.md";
  const std::string readme = folder + "/../README.md";
  std::string text;
  std::string readme_text;
  bool charts = false;
  bool summary = false;
  if (!ReadFile(page, &text)) return false;
  for (const auto& [name, tables] : sections) {
    if (!Replace(page, name, tables, &text)) return false;
    charts |= name == "peers";
    summary |= name == "breadth";
  }
  if (summary &&
      (!ReadFile(readme, &readme_text) || !Replace(readme, "breadth", BreadthSummary(results), &readme_text))) {
    return false;
  }
  return WriteFile(page, text) && (!charts || WriteCharts(results, folder)) &&
         (!summary || WriteFile(readme, readme_text));
}

bool Run(const std::string& path, const std::string& docs) {
  std::string text;
  std::string error;
  Results results;
  if (!ReadFile(path, &text)) return false;
  if (!ReadResults(text, &results, &error)) return Fail(path + ": " + error);
  const Sections sections = MakeSections(results);
  for (const auto& [name, tables] : sections) std::cout << (name == sections.front().first ? "" : "\n") << tables;
  return docs.empty() || WriteDocs(results, sections, docs);
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: report RESULTS [DOCS_FOLDER]\n";
    return 2;
  }
  return hcl::bench::Run(argv[1], argc == 3 ? argv[2] : "") ? 0 : 1;
}
