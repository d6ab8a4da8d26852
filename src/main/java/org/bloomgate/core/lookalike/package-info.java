/// Recognizes names that look like protected ones: domains that differ from one by a typing error, a bit or a
/// similar letter, and display names of protected people with addresses that are not theirs.
///
/// All forms of a protected name are generated in advance ([Variants], the classes of dnstwist), converted so
/// that similar characters are equal ([Skeleton]) and kept behind a filter ([FormTable]); looking up a name
/// costs a few probes.
///
/// This package recognizes imitations and does not decide what is done about them. It does no I/O.
///
/// Start reading at [LookAlikes].
@NullMarked
package org.bloomgate.core.lookalike;

import org.jspecify.annotations.NullMarked;
