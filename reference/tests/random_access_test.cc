// One tensor of a file by its name (file-format.md, Random-Access Reader).
#include "reference/tests/carriers.h"

namespace hurray::reference::tests {
namespace {

Sequence mixed() {
  Sequence sequence{tensor({8})};
  for (const DescriptorBytes& each : two_halves()) sequence.push_back(each);
  sequence.push_back(tensor({3}));
  return sequence;
}

/// Every byte of entry `k`'s descriptor and data overwritten.
void spoil(const FileBytes& file, std::size_t k, ByteVector& bytes) {
  const EntryBytes& entry = file.entries.at(k);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(entry.descriptor_offset), entry.descriptor_length, std::uint8_t{0xEE});
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(entry.data_offset), entry.data_length, std::uint8_t{0xEE});
}

TEST(RandomAccess, TouchesNothingButWhatIsAskedFor) {
  const FileBytes file(mixed());
  for (const std::size_t asked : {0u, 1u, 4u}) {
    ByteVector bytes = file.bytes();
    const std::size_t tensors = asked == 1 ? 3 : 1;
    for (std::size_t k = 0; k < file.entries.size(); ++k)
      if (k < asked || k >= asked + tensors) spoil(file, k, bytes);
    EXPECT_FALSE(read(bytes, Surface::file, Waivers::none()).accepted()) << "the whole file is spoiled";
    const Reading one = read_file_tensor(bytes, file.entries[asked].name, Waivers::none());
    EXPECT_EQ(described(one), "accepted") << file.entries[asked].name;
    ASSERT_EQ(one.tensors.size(), tensors);
    EXPECT_TRUE(one.tensors[0].complete);
    EXPECT_EQ(one.tensors[0].name, file.entries[asked].name);
  }
}

TEST(RandomAccess, GivesAMemberByItself) {
  const FileBytes file(mixed());
  const ByteVector bytes = file.bytes();
  const Reading one = read_file_tensor(bytes, file.entries[2].name, Waivers::none());
  EXPECT_EQ(described(one), "accepted");
  EXPECT_EQ(one.tensors.size(), 1u);
}

TEST(RandomAccess, HasNothingUnderAnotherName) {
  const ByteVector bytes = FileBytes(mixed()).bytes();
  const Reading none = read_file_tensor(bytes, "no such tensor", Waivers::none());
  EXPECT_TRUE(none.accepted());
  EXPECT_TRUE(none.tensors.empty());
}

TEST(RandomAccess, RejectsATornComposite) {
  FileBytes file(two_halves());
  file.entries.pop_back();
  const ByteVector bytes = file.bytes();
  const Reading torn = read_file_tensor(bytes, file.entries[0].name, Waivers::none());
  ASSERT_FALSE(torn.accepted());
  EXPECT_EQ(torn.violation->rule, Rule::CMP_TORN_01);
}

}  // namespace
}  // namespace hurray::reference::tests
