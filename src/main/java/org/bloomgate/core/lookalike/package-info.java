/// Names that look like protected ones: domains that are a slip of the key, a bit or an eye away from one, and display
/// names of protected people before addresses that are not theirs.
///
/// All forms of a protected name are generated in advance ([Variants], the classes of dnstwist), converted so
/// that similar characters are equal ([Skeleton]) and kept behind a filter ([FormTable]); looking up a name
/// costs a few probes.
///
/// Says what a name looks like and never what is to be done about it. No I/O.
///
/// Start reading at [LookAlikes].
@NullMarked
package org.bloomgate.core.lookalike;

import org.jspecify.annotations.NullMarked;
