package org.bloomgate.rebuild;

import java.time.Instant;
import java.util.List;

/// What the stages of one rebuild of one layer share.
///
/// @param warnings for the report, added to as they come
record LayerRun(
        String layer,
        PreviousSnapshot previous,
        Gates gates,
        ExternalSort sort,
        KeySources sources,
        StageClock progress,
        List<String> warnings,
        Instant now) {}
