/// The commands `listing` and `exception`, which change the entries of this machine.
///
/// Start reading at [EntryEditor].
@NullMarked
package org.bloomgate.app.cli.entries;

import org.jspecify.annotations.NullMarked;
