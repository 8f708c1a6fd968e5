#include "hclvm/bench/input_files.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hcl::bench {

// An empty file counts as missing: no benchmark has a use for one.
std::string ReadInput(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file.is_open() || text.str().empty()) {
    std::fprintf(stderr, "cannot read %s; start this with bazel run\n", path.c_str());
    std::exit(1);
  }
  return text.str();
}

}  // namespace hcl::bench
