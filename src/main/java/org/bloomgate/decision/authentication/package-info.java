/// Authenticates the sender that a message names, by a login, a trusted hop's Authentication-Results, DKIM or SPF.
///
/// It must not decide about messages, query the DNS for mail whose decision does not depend on the sender, or
/// treat a failed check as a pass.
///
/// Start reading at [Authenticator].
@NullMarked
package org.bloomgate.decision.authentication;

import org.jspecify.annotations.NullMarked;
