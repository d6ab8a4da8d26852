/// HTTP independent of resources: the listener, watched connections, requests with bounds in bytes and time,
/// answers, errors as RFC 9457 problems, and the tokens that grant access.
///
/// [HttpListener] serves a table of [Route]s. A request goes from [Dispatch] (method, access, media type, bounds)
/// to the [Resource] of its route, and the answer from there to [AnswerSender]. No answer and no log line contains
/// a password. [WatchedConnections] bounds how long a client may take for each step. The resources themselves are
/// in `server/api`.
///
/// Start reading at [Route].
@NullMarked
package org.bloomgate.server.http;

import org.jspecify.annotations.NullMarked;
