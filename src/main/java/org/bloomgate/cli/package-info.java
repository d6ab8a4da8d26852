/// Commands: each one is a composition root that wires rooms together, prints data on stdout and everything else on
/// stderr, and ends with a documented exit status. Start reading at `Bloomgate`.
@NullMarked
package org.bloomgate.cli;

import org.jspecify.annotations.NullMarked;
