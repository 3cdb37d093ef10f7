// Whether a reader understood the model that was written: structure and fields, without a detour over JSON.
#pragma once

#include "fuzz/target.h"
#include "generators/model.h"

namespace hurray::fuzz {

/// Aborts with the property's name and the first difference between the items of `model`, in the order in which the
/// surface presents them, and what `reading` holds.
void expect_view(const generators::Model& model, const reference::Reading& reading, const char* property);

/// The tensor numbers (in Reading::tensors) of the top-level items.
std::vector<std::uint32_t> top_level(const reference::Reading& reading);

}  // namespace hurray::fuzz
