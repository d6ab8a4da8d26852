/// Weak passwords: the lookup of one password by its digests, and the ranges of digests that begin with a prefix,
/// as the range API of Pwned Passwords returns them.
///
/// No text that leaves this package contains a password or a whole digest of a listed password.
///
/// Start reading at [PasswordLookup] and [RangeReader].
@NullMarked
package org.bloomgate.lookup.password;

import org.jspecify.annotations.NullMarked;
