// The value question of a hand-written case: what is asked, and every answer that the oracle admits.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "generators/matrix.h"
#include "generators/model.h"

namespace hurray::generators {

struct AskedQuestion {
  ValueQuestion question;
  std::string error;  // not empty: nothing can be asked, or the case's own value is not the oracle's
};

/// Reads `lookup` or `merge`, `item` and `expect.value` of a case entry; without them the question is `none`. Without
/// `claims` the oracle is not asked.
[[nodiscard]] AskedQuestion ask(const nlohmann::json& entry, const Model& model, bool claims);

}  // namespace hurray::generators
