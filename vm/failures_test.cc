// Which failures get texts: two runs over random sequences of what an evaluation does with its failures.

#include "hclvm/vm/failures.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::internal {
namespace {

using Mode = Failures::Mode;

// What a run makes of random steps: it fails, drops what failed since some position, moves the last failure, or
// replaces failures by one that quotes them.
class Script {
 public:
  explicit Script(uint32_t seed) : random_(seed) {}

  void Run(Failures* failures) {
    failures->StartRun();
    for (int step = 0; step < 200; ++step) {
      const size_t count = failures->count();
      switch (Pick(8)) {
        case 0:
          if (count > 0) failures->Remove(count - 1 - Pick(std::min<size_t>(count, 5)));
          break;
        case 1: {
          if (count < 3) break;
          const size_t begin = count - 1 - Pick(std::min<size_t>(count - 1, 4));
          failures->Remove(begin, begin + Pick(count - begin));
          break;
        }
        case 2:
          if (count > 0) Try(failures, count - 1 - Pick(std::min<size_t>(count, 5)));
          break;
        default:
          Fail(failures, std::to_string(step));
      }
    }
  }

  int texts() const { return texts_; }

 private:
  size_t Pick(size_t n) { return static_cast<size_t>(random_()) % n; }

  void Fail(Failures* failures, std::string text) {
    if (failures->quiet()) return failures->AddQuietly();
    ++texts_;
    Diagnostic diagnostic(DiagnosticCode::kUnknownVariable);
    diagnostic.detail = std::move(text);
    failures->Add(std::move(diagnostic));
  }

  void Try(Failures* failures, size_t begin) {
    if (failures->dropped()) return failures->ReplaceQuietly(begin);
    std::string text = "(";
    for (const Diagnostic* d : failures->KeptFrom(begin)) text += d->detail + ",";
    failures->Remove(begin);
    Fail(failures, text + ")");
  }

  std::mt19937 random_;
  int texts_ = 0;
};

std::string Texts(const Diagnostics& diagnostics) {
  std::string texts = std::to_string(diagnostics.count()) + ":";
  for (const Diagnostic& d : diagnostics.kept()) texts += " " + d.detail;
  return texts;
}

TEST(Failures, CountingFirstGivesWhatWritingAllGives) {
  int all = 0, counted = 0;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    Diagnostics expected(1000);
    Failures writing(&expected);
    Script once(seed);
    once.Run(&writing);
    all += once.texts();

    Diagnostics actual(1000);
    Failures failures(&actual);
    failures.Begin(Mode::kCount);
    Script(seed).Run(&failures);
    EXPECT_EQ(failures.count(), expected.count());
    failures.Begin(Mode::kWriteCounted);
    Script twice(seed);
    twice.Run(&failures);
    counted += twice.texts();
    ASSERT_EQ(Texts(actual), Texts(expected)) << seed;
  }
  EXPECT_LT(counted, all);
}

TEST(Failures, WhatIsDroppedGetsNoText) {
  Diagnostics diagnostics(10);
  Failures failures(&diagnostics);
  for (const Mode mode : {Mode::kCount, Mode::kWriteCounted}) {
    failures.Begin(mode);
    failures.StartRun();
    for (int n = 0; n < 1000; ++n) {
      EXPECT_TRUE(failures.quiet());
      failures.AddQuietly();
      failures.Remove(0);
    }
    EXPECT_EQ(failures.quiet(), mode == Mode::kCount);
    failures.quiet() ? failures.AddQuietly() : failures.Add(Diagnostic(DiagnosticCode::kUnknownVariable));
  }
}

// What a text quotes may be all that the diagnostics have room for.
TEST(Failures, QuotedOnesMakeRoomForTheOneThatQuotesThem) {
  Diagnostics diagnostics(3);
  Failures failures(&diagnostics);
  for (const Mode mode : {Mode::kCount, Mode::kWriteCounted}) {
    failures.Begin(mode);
    failures.StartRun();
    for (int attempt = 0; attempt < 2; ++attempt) {
      const size_t begin = failures.count();
      for (int n = 0; n < 5; ++n) {
        if (failures.quiet()) {
          failures.AddQuietly();
          continue;
        }
        Diagnostic diagnostic(DiagnosticCode::kUnknownVariable);
        diagnostic.detail = std::to_string(n);
        failures.Add(diagnostic);
      }
      if (failures.dropped()) {
        failures.ReplaceQuietly(begin);
        continue;
      }
      Diagnostic diagnostic(DiagnosticCode::kUnknownVariable);
      diagnostic.detail = "of";
      for (const Diagnostic* d : failures.KeptFrom(begin)) diagnostic.detail += " " + d->detail;
      failures.Remove(begin);
      failures.Add(diagnostic);
    }
  }
  EXPECT_EQ(Texts(diagnostics), "2: of 0 1 2 of 0 1");
}

TEST(Failures, AMovedFailureKeepsItsText) {
  Diagnostics diagnostics(10);
  Failures failures(&diagnostics);
  for (const Mode mode : {Mode::kCount, Mode::kWriteCounted}) {
    failures.Begin(mode);
    failures.StartRun();
    for (const char* text : {"a", "b", "c"}) {
      if (failures.quiet()) {
        failures.AddQuietly();
        continue;
      }
      Diagnostic diagnostic(DiagnosticCode::kUnknownVariable);
      diagnostic.detail = text;
      failures.Add(diagnostic);
    }
    failures.MoveLast(1);
    failures.Remove(2);
  }
  EXPECT_EQ(Texts(diagnostics), "2: a c");
}

TEST(Failures, ALimitIsWrittenWhileCounting) {
  Diagnostics diagnostics(10);
  Failures failures(&diagnostics);
  failures.Begin(Mode::kCount);
  failures.Add(Diagnostic(DiagnosticCode::kTooManySteps));
  EXPECT_EQ(failures.count(), 1u);
  EXPECT_TRUE(diagnostics.has_limit());
}

// A loop that fails in the same way in each round makes few texts, and all its failures are counted.
TEST(Failures, TextsThatRepeatAreFew) {
  Diagnostics diagnostics;
  uint32_t place = 7;
  Failures failures(&diagnostics, nullptr, &place);
  failures.StartRun();
  size_t texts = 0;
  for (int n = 0; n < 1000; ++n) {
    if (failures.quiet()) {
      failures.AddQuietly();
    } else {
      failures.Add(Diagnostic(DiagnosticCode::kNoAttributes));
      ++texts;
    }
  }
  EXPECT_EQ(texts, 301u);
  EXPECT_EQ(diagnostics.count(), 1000u);
  EXPECT_EQ(diagnostics.kept().size(), 1u);
  place = 8;
  EXPECT_FALSE(failures.quiet()) << "what fails elsewhere says something else";
}

}  // namespace
}  // namespace hcl::internal
