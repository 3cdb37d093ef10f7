#include "harness/view.h"

#include <gtest/gtest.h>

namespace hurray::harness {
namespace {

using nlohmann::json;

const json plain = json::parse(R"([{"kind":"tensor","type":"int8","shape":[2,18446744073709551615],"layout":"row-major"}])");
const json torn = json::parse(R"([{"kind":"composite","rule":"group","complete":false,"members":[{"kind":"tensor","shape":[1]}]}])");

json with(json view, const char* key, json value) {
  view[0][key] = std::move(value);
  return view;
}

TEST(View, IsTheSameInBothSpellingsOfNumbers) {
  EXPECT_EQ(view_difference(plain, plain), "");
  EXPECT_EQ(view_difference(plain, with(plain, "shape", json::parse(R"(["2","18446744073709551615"])"))), "");
  EXPECT_NE(view_difference(plain, with(plain, "shape", json::parse("[2,3]"))), "");
  EXPECT_NE(view_difference(plain, with(plain, "shape", json::parse("[2]"))), "");
}

TEST(View, MayHoldMoreThanTheProtocolKnows) {
  EXPECT_EQ(view_difference(plain, with(plain, "stride_hint", 4)), "");
  EXPECT_EQ(view_difference(plain, with(plain, "name", "t0")), "");
  EXPECT_EQ(view_difference(plain, with(plain, "scheme", nullptr)), "");
}

TEST(View, MayNotClaimSectionsThatAreNotThere) {
  EXPECT_NE(view_difference(plain, with(plain, "role", "base")), "");
  EXPECT_NE(view_difference(plain, with(plain, "offset", {0, 0})), "");
}

TEST(View, MayNotLeaveOutWhatIsThere) {
  json shown = plain;
  shown[0].erase("layout");
  EXPECT_NE(view_difference(plain, shown), "");
  EXPECT_NE(view_difference(plain, json()), "");
  EXPECT_NE(view_difference(plain, json::array()), "");
  EXPECT_NE(view_difference(plain, json("row-major")), "");
  EXPECT_EQ(view_difference(with(plain, "offset", {1, 0}), plain),
            "view[0].offset: the input says [1,0], the reader leaves it out");
}

TEST(View, MayNotCallATornCompositeComplete) {
  EXPECT_EQ(completeness_difference(torn, torn), "");
  EXPECT_EQ(completeness_difference(torn, plain), "") << "arrived members shown as tensors of their own";
  EXPECT_NE(completeness_difference(torn, with(torn, "complete", true)), "");
  const json whole = json::parse(R"([{"rule": "group", "shape": [2], "members": 0}])");
  const json shown = json::parse(R"([{"kind": "composite", "rule": "group", "shape": ["2"], "complete": true, "members": []}])");
  EXPECT_EQ(torn_shown_complete(whole, shown), "") << "a composite that arrived whole";
  EXPECT_NE(torn_shown_complete(json::array(), shown), "");
  EXPECT_EQ(torn_shown_complete(json::array(), json::parse(R"([{"kind": "tensor", "shape": [2]}, {"complete": false, "members": []}])")), "");
}

}  // namespace
}  // namespace hurray::harness
