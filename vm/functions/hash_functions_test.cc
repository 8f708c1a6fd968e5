#include "hclvm/vm/functions/hash_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(HashFunctionsTest, Digests) {
  CheckFunctionCases({
      {"md5", R"([""])", R"("string" "d41d8cd98f00b204e9800998ecf8427e")"},
      {"md5", R"(["abc"])", R"("string" "900150983cd24fb0d6963f7d28e17f72")"},
      {"md5", R"(["e\u0301"])", R"("string" "66ddcd97cfdeabb2f6fb8a999b4bc76f")"},
      {"sha1", R"([""])", R"("string" "da39a3ee5e6b4b0d3255bfef95601890afd80709")"},
      {"sha1", R"(["abc"])", R"("string" "a9993e364706816aba3e25717850c26c9cd0d89d")"},
      {"sha1", R"(["e\u0301"])", R"("string" "bf15be717ac1b080b4f1c456692825891ff5073d")"},
      {"sha256", R"([""])", R"("string" "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")"},
      {"sha256", R"(["abc"])", R"("string" "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")"},
      {"sha256", R"(["e\u0301"])", R"("string" "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c")"},
      {"sha512", R"([""])",
       R"("string" "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e")"},
      {"sha512", R"(["abc"])",
       R"("string" "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")"},
      {"sha512", R"(["e\u0301"])",
       R"("string" "9e2ad28633f24451bd4f3c1cb20586a21a44c3aeedbdc01b9cc8fa72917ea7bd689c82b8bf1fef89b911cf8cc46fa2c1ccc10087b2094fd4d3350ecd88526a2c")"},
      {"base64sha256", R"(["abc"])", R"("string" "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")"},
      {"base64sha512", R"(["abc"])",
       R"("string" "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==")"},
      {"crc32", R"([""])", R"("number" 0)"},
      {"crc32", R"(["123456789"])", R"("number" 3421780262)"},
      {"crc32", R"(["abc"])", R"("number" 891568578)"},
      {"uuidv5", R"(["dns", "www.example.com"])", R"("string" "2ed6657d-e927-568b-95e1-2665a8aea6a2")"},
      {"uuidv5", R"(["url", "www.example.com"])", R"("string" "b63cdfa4-3df9-568e-97ae-006c5b8fd652")"},
      {"uuidv5", R"(["oid", "www.example.com"])", R"("string" "a5e87d3b-479e-52da-b98a-db251a851854")"},
      {"uuidv5", R"(["x500", "www.example.com"])", R"("string" "a1d3adb1-15b7-5395-a05f-9051a08769a2")"},
      {"uuidv5", R"(["6BA7B810-9dad-11d1-80b4-00c04fd430c8", "www.example.com"])",
       R"("string" "2ed6657d-e927-568b-95e1-2665a8aea6a2")"},
      {"uuidv5", R"(["dns", ""])", R"("string" "4ebd0208-8328-5d69-8c44-ec50939c0967")"},
      {"sha256", "[null]", "error in argument 0: the argument must not be null"},
      {"sha256", "[[]]", "no conversion of argument 0: ..."},
      {"crc32", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("number" {"$unknown":"number"})"},
  });
  for (const char* text : {"", "dn", "6ba7b8109dad11d180b400c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
                           "6ba7b810-9dad-11d1-80b4-00c04fd430c89", "6ba7b810+9dad-11d1-80b4-00c04fd430c8"}) {
    EXPECT_EQ(CallForTest("uuidv5", "[\"" + std::string(text) + "\", \"x\"]"),
              "error in argument 0: a UUID is required, or one of \"dns\", \"url\", \"oid\" and \"x500\"");
  }
}

TEST(HashFunctionsTest, WorkIsBounded) {
  Limits limits;
  limits.max_fuel = 100;
  const std::string text(1000, 'x');
  for (const char* name : {"md5", "sha1", "sha256", "sha512", "base64sha256", "base64sha512", "crc32"}) {
    EXPECT_EQ(CallForTest(name, "[\"" + text + "\"]", limits),
              "limit: the call needs more steps than are allowed (limit max_fuel)");
  }
}

}  // namespace
}  // namespace hcl
