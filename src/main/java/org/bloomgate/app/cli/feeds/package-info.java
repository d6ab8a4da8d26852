/// The command `feeds`: lists, adds, tests and exports feeds.
///
/// Start reading at [FeedsCommand].
@NullMarked
package org.bloomgate.app.cli.feeds;

import org.jspecify.annotations.NullMarked;
