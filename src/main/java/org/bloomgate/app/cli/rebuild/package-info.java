/// The commands that change layers: `rebuild`, `rollback`, `mirror` and `spark`, and `history`, which shows their
/// outcomes. The gateway starts rebuilds as a child process.
///
/// Start reading at [RebuildCommand].
@NullMarked
package org.bloomgate.app.cli.rebuild;

import org.jspecify.annotations.NullMarked;
