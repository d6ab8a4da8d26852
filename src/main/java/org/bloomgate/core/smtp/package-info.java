/// SMTP syntax: verbs, paths, ESMTP parameters, extensions, replies, and the attributes with which a proxy
/// identifies the client (RFC 5321, XCLIENT, XFORWARD).
///
/// It converts text to values and back, and is strict with input, so that the bytes that are checked and those
/// that the next hop reads are the same. It opens no connection and keeps no state.
///
/// Start reading at [MailArguments], [PathReader] and [EhloExtensions].
@NullMarked
package org.bloomgate.core.smtp;

import org.jspecify.annotations.NullMarked;
