/// The mirrors of a publisher, as they report of themselves: which there are, how far each follows, and what its own
/// operators list. Nothing that is reported is in force anywhere: it is shown to operators, who may list it.
///
/// Start reading at [Fleet].
@NullMarked
package org.bloomgate.fleet;

import org.jspecify.annotations.NullMarked;
