// Whether a reader understood the model that was written: structure and fields, without a detour over JSON.
#pragma once

#include "fuzz/target.h"
#include "generators/model.h"

namespace hurray::fuzz {

/// Aborts with the property's name and the first difference between the items of `model`, in the order in which the
/// surface presents them, and what `reading` holds.
void expect_view(const generators::Model& model, const reference::Reading& reading, const char* property);

}  // namespace hurray::fuzz
