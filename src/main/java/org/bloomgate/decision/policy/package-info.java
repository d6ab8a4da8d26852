/// Rules that turn a judgement and an envelope into an action: by the place an identifier was seen at, the category and
/// the feed of the listing, otherwise for some listeners, senders and recipients; unresolved by category. This room is
/// the one place where "could not ask" becomes an action.
///
/// No I/O. Start reading at [Policy].
@NullMarked
package org.bloomgate.decision.policy;

import org.jspecify.annotations.NullMarked;
