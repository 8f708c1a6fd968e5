// The scopes of the breadth workloads B01 to B30, as JSON objects of one line.
//
// Choices vary with the scope, so that conditions hold in some and not in others, and what is optional is missing now
// and then. bench/generate.cc writes them into files. Tested by bench/inputs_test.sh.

#ifndef HCLVM_BENCH_BREADTH_SCOPES_H_
#define HCLVM_BENCH_BREADTH_SCOPES_H_

#include <string>

namespace hcl::bench {

// `scope` is in [0, kScopeCount).
using ScopeFunction = std::string (*)(int scope);

// scopes_access.cc
std::string ScopeB01(int scope);
std::string ScopeB02(int scope);
std::string ScopeB03(int scope);
std::string ScopeB04(int scope);
std::string ScopeB05(int scope);
// scopes_rules.cc
std::string ScopeB06(int scope);
std::string ScopeB07(int scope);
std::string ScopeB08(int scope);
std::string ScopeB09(int scope);
std::string ScopeB10(int scope);
// scopes_settings.cc
std::string ScopeB11(int scope);
std::string ScopeB12(int scope);
std::string ScopeB13(int scope);
std::string ScopeB14(int scope);
std::string ScopeB15(int scope);
// scopes_money.cc
std::string ScopeB16(int scope);
std::string ScopeB17(int scope);
std::string ScopeB18(int scope);
std::string ScopeB19(int scope);
std::string ScopeB20(int scope);
// scopes_text.cc
std::string ScopeB21(int scope);
std::string ScopeB22(int scope);
std::string ScopeB23(int scope);
std::string ScopeB24(int scope);
std::string ScopeB25(int scope);
// scopes_lists.cc
std::string ScopeB26(int scope);
std::string ScopeB27(int scope);
std::string ScopeB28(int scope);
std::string ScopeB29(int scope);
std::string ScopeB30(int scope);

// B01 is the first.
inline constexpr ScopeFunction kBreadthScopes[] = {
    ScopeB01, ScopeB02, ScopeB03, ScopeB04, ScopeB05, ScopeB06, ScopeB07, ScopeB08, ScopeB09, ScopeB10,
    ScopeB11, ScopeB12, ScopeB13, ScopeB14, ScopeB15, ScopeB16, ScopeB17, ScopeB18, ScopeB19, ScopeB20,
    ScopeB21, ScopeB22, ScopeB23, ScopeB24, ScopeB25, ScopeB26, ScopeB27, ScopeB28, ScopeB29, ScopeB30,
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_SCOPES_H_
