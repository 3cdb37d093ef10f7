#include "fuzz/file_sections.h"

#include <gtest/gtest.h>

#include "generators/build.h"

namespace hurray::fuzz {
namespace {

generators::Node tensor(const char* name, std::uint64_t size) {
  generators::Node node;
  node.name = name;
  node.shape = {size};
  node.elements.resize(static_cast<std::size_t>(size));
  return node;
}

TEST(FileSections, TheFileAroundTheSectionsIsWhatTheWriterWrites) {
  generators::Model model;
  model.file.kv.push_back({"key", 1, {{'v'}}, 0});
  model.items.push_back(tensor("alone", 3));
  generators::Node head;
  head.name = "head";
  head.shape = {4};
  head.head = generators::Head{};
  for (std::uint64_t half = 0; half < 2; ++half) {
    head.members.push_back(tensor(half == 0 ? "low" : "up", 2));
    head.members.back().shard = generators::Box{{4}, {2 * half}};
  }
  model.items.push_back(std::move(head));
  EXPECT_EQ(wrap_sections(valid_sections()), generators::write(model, facts::Surface::file));
}

}  // namespace
}  // namespace hurray::fuzz
