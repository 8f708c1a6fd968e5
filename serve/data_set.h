// DataSet: variables that all requests share, beside the policies: lists of users, roles, limits (docs/service.md,
// "Data").
//
// Tested by serve/data_set_test.cc.

#ifndef HCLVM_SERVE_DATA_SET_H_
#define HCLVM_SERVE_DATA_SET_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/base/limits.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/vm/base_layer.h"

namespace hcl::serve {

struct DataOptions {
  Limits limits;                         // of reading, and of what is made of the data once; not those of a request
  std::vector<std::string> replaceable;  // variables that a request may give as well
  bool check_all = false;                // all of the data has to fit, and not only what an entry reads
};

// Immutable and thread-safe.
struct DataSet {
  std::string revision;  // "data:" and a digest of the texts; it has no order
  std::shared_ptr<const BaseData> data;
};

// What data are to the modules of a bundle. Immutable and thread-safe.
struct DataLayers {
  std::vector<std::shared_ptr<const BaseLayer>> of_modules;  // null: the module reads nothing of them
};

// The texts at `paths`: a file is an object, variable name to value; of a directory, each NAME.json in it is the value
// of the variable NAME. Other files in a directory and those whose names begin with a dot are left alone. Fails as
// ReadWholeFile() does, and with kNotFound where a directory has no data. Thread-safe.
absl::StatusOr<std::vector<BaseText>> ReadDataTexts(const std::vector<std::string>& paths,
                                                    const BundleLimits& limits = {});

// Reads the texts. Null where anything is wrong with them, which *failure says. Thread-safe.
std::shared_ptr<const DataSet> MakeDataSet(absl::Span<const BaseText> texts, const DataOptions& options,
                                           BundleFailure* failure);

// Converts and validates what the modules of the bundle declare. Null where something does not fit, which *failure
// says. Thread-safe.
std::shared_ptr<const DataLayers> MakeDataLayers(const Bundle& bundle, const DataSet& data, const DataOptions& options,
                                                 BundleFailure* failure);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DATA_SET_H_
