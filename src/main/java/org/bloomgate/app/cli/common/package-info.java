/// What commands share: configuration, options that several commands have, exit statuses, and output as lines,
/// tables and progress.
///
/// Knows no command.
///
/// Start reading at [ConfiguredCommand].
@NullMarked
package org.bloomgate.app.cli.common;

import org.jspecify.annotations.NullMarked;
