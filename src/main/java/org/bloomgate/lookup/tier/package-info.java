/// The two-tier lookup: all keys of a message against the filters of every layer, all suspects to the exact tier in
/// one batch.
///
/// ```
///   keys -> filter of each layer -- a bit missing -> clean, final
///                  | maybe (suspect)
///                  v
///           exact lookup, one batch, one deadline -> listed | not listed | cannot say
/// ```
///
/// No I/O of its own: the exact tier is behind [ExactLookup], the current layers come from a [LayerSource].
/// Start reading at [TwoTierLookup].
@NullMarked
package org.bloomgate.lookup.tier;

import org.jspecify.annotations.NullMarked;
