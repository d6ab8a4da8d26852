/// The command `quarantine`: lists, shows, releases and deletes messages.
///
/// Start reading at [QuarantineCommand].
@NullMarked
package org.bloomgate.app.cli.quarantine;

import org.jspecify.annotations.NullMarked;
