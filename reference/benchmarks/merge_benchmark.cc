// What a merge costs beside a memcpy of the same view, in the same run. The aim: no less than half of memcpy for partitions
// and replace overlays of row-major members. Each benchmark builds its reading by hand, 64 MiB of float32.
#include <benchmark/benchmark.h>

#include "reference/tests/reading_builder.h"

namespace hurray::reference {
namespace {

namespace tag = facts::tag;

constexpr std::uint64_t rows = 4096, columns = 4096;  // 64 MiB of float32

ByteVector numbers(std::uint64_t elements) {
  ByteVector bytes(elements * 4);
  for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] = static_cast<std::uint8_t>(at * 31 >> 3);
  return bytes;
}

void run_merge(benchmark::State& state, ReadingBuilder& b) {
  const std::uint64_t size = merged_size(b.reading(), 0).value_or(0);
  ByteVector out(size);
  for (auto _ : state) {
    if (merge(b.reading(), 0, out) != ValueStatus::ok) return state.SkipWithError("no view");
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * size));
}

void copy_memory(benchmark::State& state) {
  const ByteVector from = numbers(rows * columns);
  ByteVector out(from.size());
  for (auto _ : state) {
    std::memcpy(out.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * from.size()));
}
BENCHMARK(copy_memory)->Unit(benchmark::kMillisecond);

/// Members that each hold all rows of `width` columns, the last one those that are left.
void partition_by_columns(benchmark::State& state) {
  const auto width = static_cast<std::uint64_t>(state.range(0));
  ReadingBuilder b;
  b.partition(tag::float32, {rows, columns});
  for (std::uint64_t column = 0; column < columns; column += width) {
    const std::uint64_t own = std::min(width, columns - column);
    b.tensor(tag::float32, {rows, own}, {numbers(rows * own)});
    b.at({0, column});
  }
  b.close();
  run_merge(state, b);
}
BENCHMARK(partition_by_columns)->Unit(benchmark::kMillisecond)->Arg(2048)->Arg(64)->Arg(6)->Arg(4);

void partition_by_rows(benchmark::State& state) {
  const auto height = static_cast<std::uint64_t>(state.range(0));
  ReadingBuilder b;
  b.partition(tag::float32, {rows, columns});
  for (std::uint64_t row = 0; row < rows; row += height) {
    b.tensor(tag::float32, {height, columns}, {numbers(height * columns)});
    b.at({row, 0});
  }
  b.close();
  run_merge(state, b);
}
BENCHMARK(partition_by_rows)->Unit(benchmark::kMillisecond)->Arg(2048)->Arg(1);

/// A base and `corrections` overlapping boxes of a quarter of its area each.
void replace_with_boxes(benchmark::State& state) {
  ReadingBuilder b;
  b.replace(tag::float32, {rows, columns});
  b.tensor(tag::float32, {rows, columns}, {numbers(rows * columns)});
  const auto corrections = static_cast<std::uint64_t>(state.range(0));
  for (std::uint64_t correction = 0; correction < corrections; ++correction) {
    b.tensor(tag::float32, {rows / 2, columns / 2}, {numbers(rows * columns / 4)});
    b.at({correction * (rows / 2) / corrections, correction * (columns / 2) / corrections});
  }
  b.close();
  run_merge(state, b);
}
BENCHMARK(replace_with_boxes)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(4)->Arg(16);

void replace_everything(benchmark::State& state) {
  ReadingBuilder b;
  b.replace(tag::float32, {rows, columns});
  b.tensor(tag::float32, {rows, columns}, {numbers(rows * columns)});
  b.tensor(tag::float32, {rows, columns}, {numbers(rows * columns)});
  b.close();
  run_merge(state, b);
}
BENCHMARK(replace_everything)->Unit(benchmark::kMillisecond);

void replace_sparse(benchmark::State& state) {
  ReadingBuilder b;
  b.replace(tag::float32, {rows, columns});
  b.tensor(tag::float32, {rows, columns}, {numbers(rows * columns)});
  Indices coordinates;
  for (std::uint64_t position = 0; position < rows * columns; position += 199) {
    coordinates.push_back(position / columns);
    coordinates.push_back(position % columns);
  }
  b.coo(tag::float32, {rows, columns}, numbers(coordinates.size() / 2), coordinates);
  b.close();
  run_merge(state, b);
}
BENCHMARK(replace_sparse)->Unit(benchmark::kMillisecond);

void add_dense(benchmark::State& state) {
  const auto type = static_cast<std::uint8_t>(state.range(0));
  ReadingBuilder b;
  const std::uint64_t height = rows * 32 / facts::element_type(type)->bits;
  b.add(type, {height, columns});
  b.tensor(type, {height, columns}, {ByteVector(rows * columns * 4, 0x11)});
  b.tensor(type, {height, columns}, {ByteVector(rows * columns * 4, 0x12)});
  b.close();
  run_merge(state, b);
}
BENCHMARK(add_dense)->Unit(benchmark::kMillisecond)->Arg(tag::float32)->Arg(tag::bfloat16)->Arg(tag::int8);

void column_major_member(benchmark::State& state) {
  ReadingBuilder b;
  b.tensor(tag::float32, {rows, columns}, {numbers(rows * columns)}, facts::layout_tag::column_major);
  run_merge(state, b);
}
BENCHMARK(column_major_member)->Unit(benchmark::kMillisecond);

void int4_per_block_under_float16(benchmark::State& state) {
  ReadingBuilder b;
  b.partition(tag::float16, {rows, columns});
  const std::uint32_t at = b.tensor(tag::int4, {rows, columns}, {ByteVector(rows * columns / 2, 0x71), ByteVector(rows * columns / 32 * 2, 0x30)});
  Quantization& q = b.quantize(at, facts::scheme_tag::per_block_affine);
  q.axis = 1;
  q.block_size = 32;
  q.scale_buffer_index = 1;
  q.scale_type_tag = tag::float16;
  q.flags = 1;
  b.close();
  run_merge(state, b);
}
BENCHMARK(int4_per_block_under_float16)->Unit(benchmark::kMillisecond);

void one_lookup(benchmark::State& state) {
  ReadingBuilder b;
  b.partition(tag::float32, {rows, columns});
  for (std::uint64_t row = 0; row < rows; row += 64) {
    b.tensor(tag::float32, {64, columns}, {numbers(64 * columns)});
    b.at({row, 0});
  }
  b.close();
  std::uint8_t out[16];
  std::size_t size = 0;
  const Indices index{rows - 1, columns - 1};
  for (auto _ : state) benchmark::DoNotOptimize(lookup(b.reading(), 0, index, out, size));
}
BENCHMARK(one_lookup)->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace hurray::reference

BENCHMARK_MAIN();
