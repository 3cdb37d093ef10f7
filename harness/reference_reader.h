// The bundled reference as a reader of the framed protocol, one adapter among others.
#pragma once

#include "reference/verdict.h"

namespace hurray::harness {

/// Serves on stdin and stdout until bye. `waived` are rules that it does not enforce in either mode, besides those that
/// permissive mode lets pass. Returns the exit code.
int serve_reference(const reference::Waivers& waived);

}  // namespace hurray::harness
