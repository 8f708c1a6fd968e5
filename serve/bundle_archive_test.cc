// Archives that are sound, and archives that are not.

#include "hclvm/serve/bundle_archive.h"

#include <zlib.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/serve/bundle_files.h"

namespace hcl::serve {
namespace {

// A header of tar, with the checksum that it needs, and the content behind it.
std::string Entry(const std::string& name, const std::string& text, char type = '0', const std::string& link = "") {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  const auto number = [&](size_t at, size_t size, unsigned long value) {
    char digits[16];
    std::snprintf(digits, sizeof(digits), "%0*lo", static_cast<int>(size - 1), value);
    header.replace(at, size - 1, digits);
  };
  number(100, 8, 0644);
  number(108, 8, 0);
  number(116, 8, 0);
  number(124, 12, text.size());
  number(136, 12, 0);
  header[156] = type;
  header.replace(157, link.size(), link);
  header.replace(257, 8, std::string("ustar\00000", 8));
  header.replace(148, 8, "        ");
  unsigned long sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  number(148, 7, sum);
  header[154] = '\0';
  std::string padded = text;
  padded.resize((text.size() + 511) / 512 * 512);
  return header + padded;
}

// A file of a megabyte without any data in the archive.
std::string Sparse(const std::string& name) {
  std::string entry = Entry(name, "", 'S');
  entry.replace(257, 8, "ustar  ");
  entry.replace(483, 11, "00004000000");
  entry.replace(148, 8, "        ");
  unsigned long sum = 0;
  for (const char c : entry) sum += static_cast<unsigned char>(c);
  char digits[8];
  std::snprintf(digits, sizeof(digits), "%06lo", sum);
  entry.replace(148, 7, digits, 7);
  return entry;
}

// A file whose name is that long, in a header of its own.
std::string LongNameEntry(size_t size) {
  const std::string rest = " path=" + std::string(size, 'a') + "\n";
  const std::string digits = std::to_string(rest.size() + 6);
  return Entry("x", digits + rest, 'x') + Entry("a.hcl", "1");
}

std::string Zipped(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Archive(const std::string& entries) { return Zipped(entries + std::string(1024, '\0')); }

std::string Read(const std::string& archive, const BundleLimits& limits = {}) {
  const auto files = ReadBundleArchive(archive, limits);
  if (!files.ok()) return std::string(absl::StatusCodeToString(files.status().code()));
  std::string text;
  for (const auto& [path, content] : *files) text.append(path).append("=").append(content).append(";");
  return text;
}

TEST(BundleArchiveTest, Reads) {
  EXPECT_EQ(Read(Archive(Entry("a.hcl", "1") + Entry("b/", "", '5') + Entry("b/c.hcl", "2"))), "a.hcl=1;b/c.hcl=2;");
  EXPECT_EQ(Read(Archive(Entry("./", "", '5') + Entry("./a.hcl", "1"))), "a.hcl=1;");
  EXPECT_EQ(Read(Archive(Entry("a.hcl", "1") + Entry(".git/x", "2") + Entry("b/.x", "3"))), "a.hcl=1;");
  // A header of its own has the name, in UTF-8.
  const std::string letters = "\xc3\xa9\xe2\x82\xac";
  EXPECT_EQ(Read(Archive(Entry("h", "18 path=" + letters + ".hcl\n", 'x') + Entry("a.hcl", "1"))), letters + ".hcl=1;");
  EXPECT_EQ(Read(Archive(Entry(letters + ".hcl", "1"))), letters + ".hcl=1;");
  // Not compressed.
  EXPECT_EQ(Read(Entry("a.hcl", "1") + std::string(1024, '\0')), "a.hcl=1;");
}

TEST(BundleArchiveTest, RefusesAsAWhole) {
  const std::string good = Entry("a.hcl", "1");
  for (const std::string& bad : {
           Entry("/etc/passwd", "x"),
           Entry("a.hcl/b.hcl", "x"),
           Entry("b/c/d.hcl", "x") + Entry("b", "x"),
           Entry("b", "x") + Entry("b/c/d.hcl", "x"),
           Sparse("b.hcl"),
           Entry("../x", "x"),
           Entry("b/../../x", "x"),
           Entry("b/..", "", '5'),
           Entry("b\\c", "x"),
           Entry("b\nc", "x"),
           Entry("link", "", '2', "a.hcl"),
           Entry("hard", "", '1', "a.hcl"),
           Entry("device", "", '3'),
           Entry("block", "", '4'),
           Entry("pipe", "", '6'),
           Entry("a.hcl", "2"),
           Entry(".link", "", '2', "/etc/passwd"),
           Entry("//x", "x"),
           Entry("./../x", "x"),
       }) {
    EXPECT_EQ(Read(Archive(good + bad)), "INVALID_ARGUMENT") << bad.substr(0, 20);
    EXPECT_EQ(Read(Archive(bad + good)), "INVALID_ARGUMENT") << bad.substr(0, 20);
  }
  EXPECT_EQ(Read(Archive("")), "INVALID_ARGUMENT");
  EXPECT_EQ(Read(""), "INVALID_ARGUMENT");
  EXPECT_EQ(Read("not an archive, and long enough to be sure of that"), "INVALID_ARGUMENT");
}

TEST(BundleArchiveTest, RefusesTruncatedOnes) {
  const std::string whole = Archive(Entry("a.hcl", std::string(5000, 'x')) + Entry("b.hcl", "2"));
  ASSERT_EQ(Read(whole).substr(0, 7), "a.hcl=x");
  for (size_t size = 0; size + 8 < whole.size(); ++size) {
    EXPECT_EQ(Read(whole.substr(0, size)), "INVALID_ARGUMENT") << size;
  }
  // Neither a checksum nor half an entry tells of it.
  const std::string files = Entry("a.hcl", "1") + Entry("b.hcl", "2") + Entry("empty.hcl", "");
  EXPECT_EQ(Read(files + std::string(512, '\0')), "a.hcl=1;b.hcl=2;empty.hcl=;");
  for (size_t size = 0; size <= files.size(); size += 512) {
    EXPECT_EQ(Read(files.substr(0, size)), "INVALID_ARGUMENT") << size;
    EXPECT_EQ(Read(Zipped(files.substr(0, size))), "INVALID_ARGUMENT") << size;
  }
}

// The library that reads archives does not look at the checksum.
TEST(BundleArchiveTest, RefusesDamagedOnes) {
  const std::string text = "allow = false\n" + std::string(5000, '#');
  const std::string whole = Archive(Entry("a.hcl", text));
  ASSERT_EQ(Read(whole), "a.hcl=" + text + ";");
  size_t refused = 0;
  for (size_t n = 0; n < whole.size(); ++n) {
    std::string damaged = whole;
    damaged[n] = static_cast<char>(damaged[n] ^ 0x10);
    const std::string read = Read(damaged);
    if (read == "INVALID_ARGUMENT") {
      ++refused;
    } else {
      // Some bits mean nothing, such as those of a time.
      EXPECT_EQ(read, "a.hcl=" + text + ";") << n;
    }
  }
  EXPECT_GT(refused, whole.size() * 3 / 4);
  EXPECT_EQ(Read(whole + "junk"), "INVALID_ARGUMENT");
  EXPECT_EQ(Read(whole + whole.substr(0, whole.size() - 1)), "INVALID_ARGUMENT");
  // Several parts, as some programs write them.
  const std::string entries = Entry("a.hcl", "1") + std::string(1024, '\0');
  EXPECT_EQ(Read(Zipped(entries.substr(0, 700)) + Zipped(entries.substr(700))), "a.hcl=1;");
  // What is behind the end of the archive has a bound as well.
  EXPECT_EQ(Read(Zipped(entries + std::string(1 << 20, '\0')), {1000, 1}), "RESOURCE_EXHAUSTED");
}

// The library that reads archives would unpack again what is unpacked, without a look at the inner checksum.
TEST(BundleArchiveTest, RefusesWhatIsPackedTwice) {
  EXPECT_EQ(Read(Zipped(Archive(Entry("a.hcl", "1")))), "INVALID_ARGUMENT");
}

TEST(BundleArchiveTest, RefusesWhatIsBehindTheEnd) {
  const std::string end(1024, '\0');
  const std::string entries = Entry("a.hcl", "1") + end;
  EXPECT_EQ(Read(Zipped(entries + std::string(9000, '\0'))), "a.hcl=1;");
  for (const std::string& more : {std::string("junk"), Entry("b.hcl", "2"), Entry("b.hcl", "2") + end, end + "junk",
                                  std::string(100'000, '\0') + "junk"}) {
    EXPECT_EQ(Read(Zipped(entries + more)), "INVALID_ARGUMENT") << more.size();
    EXPECT_EQ(Read(entries + more), "INVALID_ARGUMENT") << more.size();
  }
}

// Headers of headers, which are not counted as entries, are read no further than a bundle can be long.
TEST(BundleArchiveTest, ReadsNoMoreThanABundleHas) {
  std::string headers;
  const std::string comment = "900014 comment=" + std::string(899'998, 'a') + "\n";
  for (int n = 0; n < 3; ++n) headers += Entry("x", comment, 'x') + Entry("f" + std::to_string(n), "");
  EXPECT_EQ(Read(Archive(headers), {1'300'000, 1000}), "f0=;f1=;f2=;");
  EXPECT_EQ(Read(Archive(headers), {500'000, 10}), "RESOURCE_EXHAUSTED");
}

TEST(BundleArchiveTest, QuotesNoMoreThanIsRead) {
  const auto files = ReadBundleArchive(Archive(LongNameEntry(100'000)), {});
  ASSERT_FALSE(files.ok());
  EXPECT_LT(files.status().message().size(), 400u) << files.status().message();
}

TEST(BundleArchiveTest, Bounds) {
  std::string many;
  for (int n = 0; n < 3; ++n) many += Entry("f" + std::to_string(n), "x");
  EXPECT_EQ(Read(Archive(many), {100, 3}), "f0=x;f1=x;f2=x;");
  EXPECT_EQ(Read(Archive(many), {100, 2}), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(Read(Archive(many), {3, 3}), "f0=x;f1=x;f2=x;");
  EXPECT_EQ(Read(Archive(many), {2, 3}), "RESOURCE_EXHAUSTED");
  // 100 MB in 100 KB.
  EXPECT_EQ(Read(Archive(Entry("bomb", std::string(100 << 20, '\0')))), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(Read(Archive(Entry(".bomb", std::string(100 << 20, '\0')))), "RESOURCE_EXHAUSTED");
}

// Bytes do not hang on when and where they are made, and nothing of a bundle is lost.
TEST(BundleArchiveTest, WritesWhatItReads) {
  const std::string deep = "d/" + std::string(200, 'x') + "/" + std::string(300, 'y') + ".hcl";
  const BundleFiles files = {
      {"a.hcl", "a = 1\n"},          {"empty", ""},        {"m/b.hcl", std::string(1 << 20, 'b')},
      {"m/\xc3\xbc.hcl", "u = 1\n"}, {deep, "deep = 1\n"}, {"zeros", std::string(5000, '\0')}};
  const auto archive = WriteBundleArchive(files);
  ASSERT_TRUE(archive.ok()) << archive.status();
  EXPECT_EQ(WriteBundleArchive(files).value(), *archive);
  const auto read = ReadBundleArchive(*archive);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(*read == files);
  // No time, no name, no flags.
  EXPECT_EQ(archive->substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
}

}  // namespace
}  // namespace hcl::serve
