/// One layer, built and proven: sorted keys in, filters and an exact store out, in one pass together with the
/// keys of the previous snapshot. The changes against that snapshot are known after the pass.
///
/// The blast radius is about feeds only and errs on the large side: it ignores local exceptions, so mail that
/// one of them would let through counts as rejected, as it does for `retro`. The hashes of recent mail reveal
/// neither recipients nor which names are below which, on which an exception's scope depends. If the gate
/// closes for that reason, publish with force, which the report names.
///
/// Publication, and the checks before it, belong to `rebuild`.
///
/// Start reading at [LayerBuild], then [Proof].
@NullMarked
package org.bloomgate.lists.layer;

import org.jspecify.annotations.NullMarked;
