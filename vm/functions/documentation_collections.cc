// Documentation of functions: collection. Tested by tests/functions_test.cc.

#include "absl/types/span.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/documentation_tables.h"

namespace hcl::internal {

// The columns are name, parameters, result, text, example, and what the example gives. A test evaluates every example,
// so that the last two columns cannot drift from what the functions do. The records are sorted by name.
absl::Span<const FunctionRecord> CollectionRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"alltrue", "list: list(bool)", "bool", "Whether all elements are true; so it is for none. Null counts as false.",
       "alltrue([\"true\", true])", "true"},
      {"anytrue", "list: list(bool)", "bool", "Whether an element is true. Null counts as false.",
       "anytrue([false, true])", "true"},
      {"chunklist", "list: list(any); size: number", "list of lists",
       "The list cut into lists of at most so many elements; 0 means one list.", "chunklist([\"a\", \"b\", \"c\"], 2)",
       "[[\"a\",\"b\"],[\"c\"]]"},
      {"coalesce", "vals...: any", "the arguments' common type", "The first argument that is not null.",
       "coalesce(null, \"a\", \"b\")", "\"a\""},
      {"coalescelist", "vals...: list or tuple", "list or tuple", "The first argument that is neither null nor empty.",
       "coalescelist([], [\"a\", \"b\"])", "[\"a\",\"b\"]"},
      {"compact", "list: list(string)", "list(string)", "The list without nulls and empty strings.",
       "compact([\"a\", \"\", \"b\", null])", "[\"a\",\"b\"]"},
      {"concat", "seqs...: list or tuple", "list or tuple", "The elements of all arguments, one after the other.",
       "concat([\"a\"], [\"b\", 1])", "[\"a\",\"b\",1]"},
      {"contains", "list: list, set or tuple; value: any", "bool", "Whether the value is an element of the list.",
       "contains([\"a\", \"b\"], \"b\")", "true"},
      {"distinct", "list: list(any)", "list", "The list without what is equal to an earlier element.",
       "distinct([\"a\", \"b\", \"a\"])", "[\"a\",\"b\"]"},
      {"element", "list: list or tuple; index: number", "any",
       "The element at an index, which starts again from 0 behind the last, and goes back from the end when it is "
       "negative.",
       "element([\"a\", \"b\", \"c\"], 4)", "\"b\""},
      {"flatten", "list: list, set or tuple", "tuple",
       "The elements, with those that are lists, sets or tuples replaced by their elements, at any depth.",
       "flatten([[\"a\", [\"b\"]], [], \"c\"])", "[\"a\",\"b\",\"c\"]"},
      {"hasindex", "collection: list, tuple or map; key: any", "bool",
       "Whether the collection has an element with that index or key.", "hasindex([\"a\", \"b\"], 2)", "false"},
      {"index", "collection: list, tuple or map; key: any", "any",
       "The element with that index or key, as collection[key]; an error when there is none.",
       "index([\"a\", \"b\"], 1)", "\"b\""},
      {"keys", "inputMap: map or object", "list or tuple of strings", "The keys, in order.", "keys({b = 1, a = 2})",
       "[\"a\",\"b\"]"},
      {"length", "collection: list, set, map or tuple", "number", "The number of elements.", "length([\"a\", \"b\"])",
       "2"},
      {"lookup", "inputMap: map or object; key: string; default?: any", "any",
       "The element with that key, or the default when there is none; without a default an error then.",
       "lookup({a = \"x\"}, \"b\", \"none\")", "\"none\""},
      {"matchkeys", "values: list(any); keys: list(any); searchset: list(any)", "list",
       "Those values whose key, at the same place of the second list, occurs in the third.",
       "matchkeys([\"i-1\", \"i-2\", \"i-3\"], [\"west\", \"east\", \"west\"], [\"west\"])", "[\"i-1\",\"i-3\"]"},
      {"merge", "maps...: map or object", "map or object",
       "All elements of the maps; where several have a key, the last one's. Nulls are left out.",
       "merge({a = 1, b = 2}, {b = 3})", "{\"a\":1,\"b\":3}"},
      {"one", "list: list, set or tuple", "any",
       "The only element, or null when there is none; an error when there are more.", "one([\"a\"])", "\"a\""},
      {"range", "params...: number", "list(number)",
       "The numbers from the first (0, when only one is given) up to, but without, the second, in steps of the third "
       "(1 or -1); at most 1024 of them.",
       "range(1, 8, 2)", "[1,3,5,7]"},
      {"reverse", "list: list, set or tuple", "list or tuple", "The elements in reverse order.", "reverse([1, 2, 3])",
       "[3,2,1]"},
      {"setintersection", "first_set: set(any); other_sets...: set(any)", "set", "The elements that are in every set.",
       "setintersection([\"a\", \"b\"], [\"b\", \"c\"])", "[\"b\"]"},
      {"setproduct", "sets...: list, set or tuple", "list or set of tuples",
       "All combinations of one element of each argument: a set when an argument is a set, a list otherwise.",
       "setproduct([\"a\", \"b\"], [1, 2])", "[[\"a\",1],[\"a\",2],[\"b\",1],[\"b\",2]]"},
      {"setsubtract", "a: set(any); b: set(any)", "set", "The elements of the first set that are not in the second.",
       "setsubtract([\"a\", \"b\"], [\"b\", \"c\"])", "[\"a\"]"},
      {"setsymmetricdifference", "first_set: set(any); other_sets...: set(any)", "set",
       "The elements that are in one of two sets only; of more sets, in an odd number of them.",
       "setsymmetricdifference([\"a\", \"b\"], [\"b\", \"c\"])", "[\"a\",\"c\"]"},
      {"setunion", "first_set: set(any); other_sets...: set(any)", "set", "The elements that are in any of the sets.",
       "setunion([\"a\", \"b\"], [\"b\", \"c\"])", "[\"a\",\"b\",\"c\"]"},
      {"slice", "list: list or tuple; start_index: number; end_index: number", "list or tuple",
       "The elements from the first index up to, but without, the second.", "slice([\"a\", \"b\", \"c\", \"d\"], 1, 3)",
       "[\"b\",\"c\"]"},
      {"sort", "list: list(string)", "list(string)", "The strings in order, bytewise.", "sort([\"b\", \"a\", \"C\"])",
       "[\"C\",\"a\",\"b\"]"},
      {"transpose", "values: map(list(string))", "map(list(string))",
       "A map of lists turned around: each string in a list becomes a key, with the list of the keys that led to it.",
       "transpose({ann = [\"dev\", \"ops\"], bob = [\"ops\"]})", "{\"dev\":[\"ann\"],\"ops\":[\"ann\",\"bob\"]}"},
      {"values", "mapping: map or object", "list or tuple", "The values, in the order of their keys.",
       "values({b = 1, a = 2})", "[2,1]"},
      {"zipmap", "keys: list(string); values: list or tuple", "map or object",
       "Each key with the value at the same place.", "zipmap([\"a\", \"b\"], [1, 2])", "{\"a\":1,\"b\":2}"},
  };
  return kRecords;
}

}  // namespace hcl::internal
