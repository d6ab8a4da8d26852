/// What is asked for by its first digits, so that the asker tells nobody what it met: ranges of password
/// digests as Pwned Passwords answers them, and pages of the exact tier for other gateways.
///
/// Everything behind the digits is answered, from the stores on this machine; the asker compares at home.
///
/// Start reading at [RangeResource] and [PrefixResource].
@NullMarked
package org.bloomgate.prefix;

import org.jspecify.annotations.NullMarked;
