/// The commands that evaluate values and messages or search records, and change nothing.
///
/// Start reading at [CheckCommand].
@NullMarked
package org.bloomgate.app.cli.inspect;

import org.jspecify.annotations.NullMarked;
