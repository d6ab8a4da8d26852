/// What the site has seen: link domains and the evidence for them, senders, and who wrote to whom.
///
/// Five sets of keyed digests ([MemorySet]), each a ring of filters by time: [SetRing]. The current slot grows and is
/// appended to a file; a closed day is a filter file, which is folded, united in periods, and exchanged with the
/// gateways of a group.
///
/// Never waits for a disk, never stores a name. A false positive hides something new, which is the harmless direction;
/// after a loss nothing is called new for 14 days.
///
/// Start reading at [SiteMemory], then [LinkMemory], [SenderMemory] and [MemoryGroup].
@NullMarked
package org.bloomgate.decision.memory;

import org.jspecify.annotations.NullMarked;
