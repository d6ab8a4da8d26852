/// What a terminal shows and what is typed or piped into it: results as text and tables for people, with
/// nothing in them that a terminal would obey ([Printable]), lines of values, and an mbox of messages.
///
/// Start reading at [Printable].
@NullMarked
package org.bloomgate.console;

import org.jspecify.annotations.NullMarked;
