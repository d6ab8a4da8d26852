/// One layer, built and proven: sorted keys in, filters and an exact store out, walked beside the keys of the
/// snapshot before. What changed against that snapshot is known after the walk.
///
/// The blast radius is about feeds alone and errs on the large side: it knows nothing of local exceptions, so
/// mail that one of them would let through counts as if it were refused, and so it does for `retro`. The hashes
/// of recent mail tell neither recipients nor which names stand below which, on which an exception's scope
/// and reach depend. Who finds the gate closed for that reason publishes with force, which the report
/// names.
///
/// Publication, and the checks before it, belong to `rebuild`.
///
/// Start reading at [LayerBuild], then [Proof].
@NullMarked
package org.bloomgate.lists.build;

import org.jspecify.annotations.NullMarked;
