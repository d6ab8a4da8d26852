/// The command line: [Bloomgate] with its commands. The packages below are families of commands; commands of the
/// service and of operators are here. Each command parses its arguments, calls another package, prints data on
/// stdout and everything else on stderr, and ends with a documented exit status.
///
/// Start reading at [Bloomgate].
@NullMarked
package org.bloomgate.app.cli;

import org.jspecify.annotations.NullMarked;
