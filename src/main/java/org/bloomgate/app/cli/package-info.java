/// Commands: each reads its arguments, asks a room, prints data on stdout and everything else on stderr, and
/// ends with a documented exit status. Text for people stands here and in `console`, and nowhere else.
///
/// Start reading at [Bloomgate].
@NullMarked
package org.bloomgate.app.cli;

import org.jspecify.annotations.NullMarked;
