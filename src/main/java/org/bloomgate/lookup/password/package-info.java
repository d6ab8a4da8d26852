/// Weak passwords: what to ask of a password (its digests, the simpler forms it is guessed from), and the
/// ranges of digests that begin with a prefix, as the range API of Pwned Passwords shows them.
///
/// No text that leaves this package contains a password or a whole digest of a listed password.
///
/// Start reading at [PasswordLookup] and [RangeReader].
@NullMarked
package org.bloomgate.lookup.password;

import org.jspecify.annotations.NullMarked;
