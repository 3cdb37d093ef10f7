#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

DescriptorBytes with_handle(const Handle& handle) {
  DescriptorBytes d = plain();
  d.buffers = {handle};
  return d;
}

TEST(DescriptorBuffers, HoldAlignmentToAPowerOfTwoAndSixtyFour) {
  for (const std::uint32_t alignment : {64u, 128u, 4096u, 0x80000000u})
    expect_accepted(with_handle({.byte_size = 48, .alignment = alignment}));
  for (const std::uint32_t alignment : {0u, 3u, 65u, 96u, 0xFFFFFFFFu})
    expect_broken(with_handle({.byte_size = 48, .alignment = alignment}), Rule::DESC_BUF_05);
  for (const std::uint32_t alignment : {1u, 32u})
    expect_broken(with_handle({.byte_size = 48, .alignment = alignment}), Rule::DESC_BUF_06);
  DescriptorBytes empty = with_handle({.byte_size = 0, .alignment = 1});
  empty.shape = {0};
  expect_accepted(empty);
  empty.buffers[0].alignment = 0;
  expect_broken(empty, Rule::DESC_BUF_05);
}

TEST(DescriptorBuffers, KnowEveryDeviceAndMemoryClass) {
  for (unsigned device = 0; device < 256; ++device) {
    for (unsigned memory = 0; memory < 256; ++memory) {
      const auto device_tag = static_cast<std::uint8_t>(device), memory_class = static_cast<std::uint8_t>(memory);
      const DescriptorBytes d = with_handle({.byte_size = 48, .device = device_tag, .memory = memory_class});
      const facts::Device* const known = facts::device(device_tag);
      const bool private_device = facts::is_private(device_tag), private_class = facts::is_private(memory_class);
      if (known == nullptr && !private_device) {
        if (memory == 0) expect_broken(d, device == 0xFF ? Rule::BUF_DEV_01 : Rule::BUF_DEV_02);
      } else if (memory == 0xFF) {
        expect_broken(d, Rule::BUF_MEM_02);
      } else if (private_class) {
        expect_broken(d, private_device ? Rule::BUF_MEM_03 : Rule::BUF_MEM_08);
      } else if (memory >= 4) {
        expect_broken(d, Rule::BUF_MEM_01);
      } else if (private_device ? memory == 0 : known->memory_class_valid[memory]) {
        expect_accepted(d);
      } else {
        expect_broken(d, Rule::BUF_MEM_04);
      }
    }
  }
}

TEST(DescriptorBuffers, KnowEverySyncMode) {
  for (unsigned sync = 0; sync < 256; ++sync) {
    const auto mode = static_cast<std::uint8_t>(sync);
    for (const std::uint8_t device : {facts::device_tag::cpu, facts::device_tag::cuda}) {
      const DescriptorBytes d = with_handle({.byte_size = 48, .device = device, .sync = mode});
      if (sync == 0xFF) expect_broken(d, Rule::BUF_SYNC_02);
      else if (sync > 2) expect_broken(d, Rule::BUF_SYNC_01);
      else if (sync > 0 && device == facts::device_tag::cpu) expect_broken(d, Rule::BUF_SYNC_03);
      else expect_accepted(d);
    }
  }
}

TEST(DescriptorBuffers, ReserveTheLastByte) {
  expect_broken(with_handle({.byte_size = 48, .reserved = 1}), Rule::DESC_BUF_08);
  expect_broken(with_handle({.byte_size = 48, .reserved = 128}), Rule::DESC_BUF_08);
}

TEST(DescriptorBuffers, ShareDeviceAndMemoryClass) {
  DescriptorBytes d = with_layout(facts::layout_tag::coo, {4}, ByteString().u64(1).zeros(8), {4, 8});
  d.buffers[0].device = d.buffers[1].device = facts::device_tag::cuda;
  expect_accepted(d);
  d.buffers[1].device = facts::device_tag::rocm;
  expect_broken(d, Rule::BUF_COLOC_01);
  d.buffers[1].device = facts::device_tag::cuda;
  d.buffers[1].memory = 2;
  expect_broken(d, Rule::BUF_COLOC_02);
}

}  // namespace
}  // namespace hurray::reference::tests
