/// Rules that turn findings and an envelope into an action: by the place where an identifier was found, the
/// category and the feed of the listing, with overrides for listeners, senders and recipients; unresolved
/// findings by category. Only this package turns "could not look up" into an action.
///
/// No I/O. Start reading at [Policy].
@NullMarked
package org.bloomgate.decision.policy;

import org.jspecify.annotations.NullMarked;
