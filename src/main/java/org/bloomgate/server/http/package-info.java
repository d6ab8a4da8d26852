/// HTTP itself, whatever is asked: a connection watched, a request with bounds in bytes and time, its
/// answer, errors as RFC 9457 problems, and the tokens that open a resource.
///
/// A request goes from [Dispatch] (method, media type, bounds) to its [Resource], and the answer from there
/// to [AnswerSender]. No answer and no log line holds a password. [WatchedConnections] bounds how long a
/// client may take for anything. What is answered at which path belongs to `http`.
///
/// Start reading at [Resource].
@NullMarked
package org.bloomgate.server.http;

import org.jspecify.annotations.NullMarked;
