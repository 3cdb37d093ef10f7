// The laws that the fuzz targets hold, with RapidCheck: it shrinks the decisions, and the counterexample is printed as a
// base that can be saved under conformance/bases/. RC_PARAMS="seed=... max_success=..." replays and widens a run.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/build.h"
#include "generators/grow.h"
#include "reference/merge.h"
#include "reference/stream_reader.h"

namespace hurray {
namespace {

using facts::Surface;
using generators::Model;
using generators::Node;
using reference::Reading;
using reference::Waivers;

Model any_model(const std::vector<std::uint8_t>& bytes) {
  generators::Decisions decisions{std::span<const std::uint8_t>(bytes)};
  Model model = generators::grow(decisions);
  RC_LOG() << generators::print_model(model).dump() << '\n';
  return model;
}

std::vector<std::vector<std::uint8_t>> values(const Reading& reading) {
  std::vector<std::vector<std::uint8_t>> all;
  for (std::uint32_t at = 0; at < reading.tensors.size(); at += reading.tensors[at].skip) {
    const auto size = reference::merged_size(reading, at);
    std::vector<std::uint8_t> merged(size && *size <= 4096 ? static_cast<std::size_t>(*size) : 0);
    if (!merged.empty()) RC_ASSERT(reference::merge(reading, at, merged) == reference::ValueStatus::ok);
    all.push_back(std::move(merged));
  }
  return all;
}

RC_GTEST_PROP(Carriers, GiveOneVerdictOneTreeAndTheSameValues, (const std::vector<std::uint8_t>& bytes)) {
  const Model model = any_model(bytes);
  const std::vector<std::uint8_t> on_bare = generators::write(model, Surface::bare);
  const Reading bare = reference::read(on_bare, Surface::bare, Waivers::none());
  RC_ASSERT(bare.accepted());
  for (const Surface surface : {Surface::framed, Surface::file}) {
    const std::vector<std::uint8_t> input = generators::write(model, surface);
    const Reading carried = reference::read(input, surface, Waivers::none());
    RC_ASSERT(carried.accepted());
    RC_ASSERT(carried.tensors.size() == bare.tensors.size());
    for (std::size_t at = 0; at < bare.tensors.size(); ++at) RC_ASSERT(carried.tensors[at].enclosing == bare.tensors[at].enclosing);
    RC_ASSERT(values(carried) == values(bare));
  }
}

RC_GTEST_PROP(Streams, GiveTheSameOutcomeHoweverTheyArrive, (const std::vector<std::uint8_t>& bytes, std::uint8_t piece, std::uint16_t flip)) {
  const Model model = any_model(bytes);
  for (const Surface surface : {Surface::bare, Surface::framed}) {
    std::vector<std::uint8_t> input = generators::write(model, surface);
    if (!input.empty() && flip % 2 == 1) input[flip % input.size()] ^= 0x10;
    const Reading whole = reference::read(input, surface, Waivers::none());
    reference::StreamReader pieces(surface, Waivers::none());
    const std::size_t step = std::size_t{1} + piece;
    for (std::size_t at = 0; at < input.size(); at += step)
      pieces.feed(std::span<const std::uint8_t>(input).subspan(at, std::min(step, input.size() - at)));
    const Reading fed = pieces.finish();
    RC_ASSERT(fed.accepted() == whole.accepted());
    RC_ASSERT(fed.tensors.size() == whole.tensors.size());
    if (!whole.accepted()) RC_ASSERT(fed.violation->rule == whole.violation->rule && fed.violation->at == whole.violation->at);
  }
}

RC_GTEST_PROP(Models, SurviveTheWayThroughJson, (const std::vector<std::uint8_t>& bytes)) {
  const Model model = any_model(bytes);
  const generators::ParsedModel parsed = generators::parse_model(generators::print_model(model));
  RC_ASSERT(parsed.error == "");
  RC_ASSERT(parsed.model.items == model.items);
  RC_ASSERT(generators::write(parsed.model, Surface::file) == generators::write(model, Surface::file));
}

}  // namespace
}  // namespace hurray
