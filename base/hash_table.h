// Hash tables that stay whole where memory is refused.
//
// Abseil's tables are made for programs without exceptions. One that is refused the memory to grow by is left with a
// size that it has no places for, and one whose element throws while it is made holds an element that is none: in both
// cases, whatever comes next reads beyond its memory, and so does its destructor. Here an element is made before its
// place is taken, and a table grows by a larger one that is filled aside. An insertion that throws has done nothing.
//
// The rest is as in absl::flat_hash_map and absl::flat_hash_set: elements move when a table grows, and insertions cost
// one comparison more.
//
// Tested by tests/hash_table_test.cc.

#ifndef HCLVM_BASE_HASH_TABLE_H_
#define HCLVM_BASE_HASH_TABLE_H_

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "hclvm/internal/dcheck.h"

namespace hcl::internal {

// What both have in common. `Table` is one of Abseil's.
template <typename Table>
class HashTable : private Table {
 public:
  using typename Table::const_iterator;
  using typename Table::iterator;
  using typename Table::key_type;
  using typename Table::size_type;
  using typename Table::value_type;

  HashTable() = default;
  HashTable(typename Table::hasher hash, typename Table::key_equal equal)
      : Table(0, std::move(hash), std::move(equal)) {}
  HashTable(HashTable&& other) noexcept : Table(std::move(other.table())), room_(other.room_) { other.Forget(); }
  HashTable& operator=(HashTable&& other) noexcept {
    if (this == &other) return *this;
    table() = std::move(other.table());
    room_ = other.room_;
    other.Forget();
    return *this;
  }

  using Table::begin;
  using Table::capacity;
  using Table::contains;
  using Table::empty;
  using Table::end;
  using Table::find;
  using Table::hash_function;
  using Table::key_eq;
  using Table::size;

  void clear() {
    Table::clear();
    room_ = RoomOf(capacity());
  }

  // The place of an element that goes is not counted as room: Abseil may keep a mark there.
  void erase(const_iterator at) { Table::erase(at); }
  void erase(iterator at) { Table::erase(at); }
  template <typename Key = key_type>
  size_type erase(const Key& key) {
    return Table::erase(key);
  }

  // Behind this, insertions up to `count` elements in all need no memory of the table.
  void reserve(size_type count) {
    if (count > size() + room_) Grow(count);
  }

 protected:
  Table& table() { return *this; }

  // To be called before an insertion.
  void MakeRoom() {
    if (ABSL_PREDICT_FALSE(room_ == 0)) Grow(size() + 1);
  }

  // To be called behind an insertion.
  template <typename At>
  std::pair<At, bool> Counted(std::pair<At, bool> inserted) {
    HCL_DCHECK(!inserted.second || room_ > 0);
    room_ -= inserted.second ? 1 : 0;
    return inserted;
  }

 private:
  // How many elements an empty table of `capacity` places takes before it grows, by whichever release of Abseil.
  static constexpr size_type RoomOf(size_type capacity) {
    return capacity < 7 ? capacity : capacity - capacity / 8 - (capacity == 7 ? 1 : 0);
  }

  // What is left of a table whose elements have gone to another.
  void Forget() {
    Table::clear();
    room_ = RoomOf(capacity());
  }

  // Places double, or stay as many where half of them are free and only marks fill the table. The constructor is what
  // may throw, and then nothing is left of the larger table; that elements move into it needs no memory.
  ABSL_ATTRIBUTE_NOINLINE void Grow(size_type count) {
    size_type places = capacity();
    while (RoomOf(places) < count || places / 2 < size()) places = places * 2 + 1;
    Table larger(places, this->hash_function(), this->key_eq());
    larger.merge(table());
    table() = std::move(larger);
    room_ = RoomOf(capacity()) - size();
  }

  size_type room_ = 0;  // elements that can be inserted before the table has to grow
};

template <typename Key, typename Hash = typename absl::flat_hash_set<Key>::hasher,
          typename Equal = typename absl::flat_hash_set<Key>::key_equal>
class HashSet : public HashTable<absl::flat_hash_set<Key, Hash, Equal>> {
  using Base = HashTable<absl::flat_hash_set<Key, Hash, Equal>>;
  static_assert(std::is_nothrow_move_constructible_v<Key>, "an element is moved to its place");

 public:
  using Base::Base;
  HashSet() = default;
  HashSet(HashSet&& other) noexcept = default;
  HashSet& operator=(HashSet&& other) noexcept = default;
  HashSet(const HashSet& other) : Base(other.hash_function(), other.key_eq()) {
    this->reserve(other.size());
    insert(other.begin(), other.end());
  }
  HashSet& operator=(const HashSet& other) { return *this = HashSet(other); }

  std::pair<typename Base::iterator, bool> insert(Key key) {
    this->MakeRoom();
    return this->Counted(this->table().insert(std::move(key)));
  }

  template <typename Iterator>
  void insert(Iterator first, Iterator last) {
    for (; first != last; ++first) insert(*first);
  }
};

template <typename Key, typename Mapped, typename Hash = typename absl::flat_hash_set<Key>::hasher,
          typename Equal = typename absl::flat_hash_set<Key>::key_equal>
class HashMap : public HashTable<absl::flat_hash_map<Key, Mapped, Hash, Equal>> {
  using Base = HashTable<absl::flat_hash_map<Key, Mapped, Hash, Equal>>;
  static_assert(std::is_nothrow_move_constructible_v<Key> && std::is_nothrow_move_constructible_v<Mapped>,
                "an element is moved to its place");

 public:
  using Base::Base;
  HashMap() = default;
  HashMap(HashMap&& other) noexcept = default;
  HashMap& operator=(HashMap&& other) noexcept = default;
  HashMap(const HashMap& other) : Base(other.hash_function(), other.key_eq()) {
    this->reserve(other.size());
    for (const auto& [key, mapped] : other) try_emplace(key, mapped);
  }
  HashMap& operator=(const HashMap& other) { return *this = HashMap(other); }

  // Neither is moved from where the key is there. What can be made without throwing is made in its place.
  template <typename K = Key, typename... Args>
  std::pair<typename Base::iterator, bool> try_emplace(K&& key, Args&&... args) {
    this->MakeRoom();
    if constexpr (std::is_nothrow_constructible_v<Key, K&&> && std::is_nothrow_constructible_v<Mapped, Args&&...>) {
      return this->Counted(this->table().try_emplace(std::forward<K>(key), std::forward<Args>(args)...));
    } else {
      const auto known = this->find(key);
      if (known != this->end()) return {known, false};
      std::pair<Key, Mapped> element(std::piecewise_construct, std::forward_as_tuple(std::forward<K>(key)),
                                     std::forward_as_tuple(std::forward<Args>(args)...));
      return this->Counted(this->table().insert(std::move(element)));
    }
  }

  template <typename K = Key, typename Given = Mapped>
  std::pair<typename Base::iterator, bool> emplace(K&& key, Given&& given) {
    return try_emplace(std::forward<K>(key), std::forward<Given>(given));
  }

  template <typename K = Key, typename Given = Mapped>
  std::pair<typename Base::iterator, bool> insert_or_assign(K&& key, Given&& given) {
    const auto inserted = try_emplace(std::forward<K>(key), std::forward<Given>(given));
    if (!inserted.second) inserted.first->second = std::forward<Given>(given);
    return inserted;
  }

  template <typename K = Key>
  Mapped& operator[](K&& key) {
    return try_emplace(std::forward<K>(key)).first->second;
  }
};

}  // namespace hcl::internal

#endif  // HCLVM_BASE_HASH_TABLE_H_
