/// The envelope of a message as SMTP writes it: verbs, paths, ESMTP arguments, extensions, replies and the
/// attributes by which a proxy names the client (RFC 5321, XCLIENT, XFORWARD).
///
/// Pure text to values and back: strict on what comes in, so that what is checked and what the next hop reads
/// are the same bytes. Opens no connection and keeps no state.
///
/// Start reading at [MailArguments], [PathReader] and [EhloExtensions].
@NullMarked
package org.bloomgate.core.smtp;

import org.jspecify.annotations.NullMarked;
