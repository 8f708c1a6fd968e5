// Makes tables and charts of measurements:
//
//   report RESULTS              prints the tables
//   report RESULTS DOCS_FOLDER  also puts them between the markers in DOCS_FOLDER/performance.md, and writes
//                               DOCS_FOLDER/evaluate.svg and DOCS_FOLDER/parse.svg
//
// RESULTS is a file of bench/peers/run; bench/peers/results.h has its form. Exit status 1 and a message if something
// cannot be read or written. Tested by bench/peers/report_test.sh.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

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

// The page is changed between its markers only: the rest is written by people. Nothing is written unless the markers
// are there.
bool WriteDocs(const Results& results, const std::string& tables, const std::string& folder) {
  const std::string page = folder + "/performance.md";
  std::string text;
  if (!ReadFile(page, &text)) return false;
  if (!ReplaceBetween("peers", tables, &text)) return Fail(page + " lacks the markers peers:begin and peers:end");
  const char* evaluate = "One evaluation, nanoseconds (logarithmic)";
  const char* parse = "Reading 1.25 MB to a tree, nanoseconds (logarithmic)";
  return WriteFile(page, text) && WriteFile(folder + "/evaluate.svg", Chart(results, EvaluateWorkloads(), evaluate)) &&
         WriteFile(folder + "/parse.svg", Chart(results, ParseWorkloads(), parse));
}

bool Run(const std::string& path, const std::string& docs) {
  std::string text;
  std::string error;
  Results results;
  if (!ReadFile(path, &text)) return false;
  if (!ReadResults(text, &results, &error)) return Fail(path + ": " + error);
  const std::string tables = AllTables(results);
  std::cout << tables;
  return docs.empty() || WriteDocs(results, tables, docs);
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
