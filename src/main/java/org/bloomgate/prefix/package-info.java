/// The range API of Pwned Passwords: every digest with a prefix of five hexadecimal digits, from the stores on this
/// machine. The client compares locally, so that the server does not learn the password.
///
/// Start reading at [RangeResource].
@NullMarked
package org.bloomgate.prefix;

import org.jspecify.annotations.NullMarked;
