// Settings of a session, as clients give them. docs/editors.md describes them.
//
// Tested by lsp/documents/settings_test.cc.

#ifndef HCLVM_LSP_DOCUMENTS_SETTINGS_H_
#define HCLVM_LSP_DOCUMENTS_SETTINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// Plain data. Paths are as they are written: those that are relative begin at the root of the workspace.
struct Settings {
  // Configs whose name or path matches a pattern are described by a spec file.
  struct Spec {
    std::string files;  // "*.service.hcl"
    std::string spec;   // "service.hcldec"
  };

  bool strict = false;        // warnings are errors
  bool type_hints = true;     // inlay hints show types
  bool is_hashicorp = false;  // the dialect
  std::string functions;      // a description of the host's functions; empty: none
  std::string request_file;   // recorded requests; empty: no request is chosen
  uint32_t request_line = 1;  // the chosen one
  std::vector<Spec> specs;
};

// Reads what is there; all else has its default. Adds a sentence for each member that is unknown or of another type.
Settings ReadSettings(const Json& json, std::vector<std::string>* complaints);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_DOCUMENTS_SETTINGS_H_
