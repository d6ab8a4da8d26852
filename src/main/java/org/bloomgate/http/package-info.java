/// The HTTP face: one class for each resource, bodies bounded in octets and time, errors as RFC 9457 problems.
///
/// A request goes from `Dispatch` (method, media type, bounds) to its `Resource`, and the answer from there to
/// `AnswerSender`. No answer and no log line holds a password.
///
/// Below that, [WatchedConnections] bounds how long a client may take for anything. What every resource takes
/// and answers stands in `openapi.json` beside the classes: a new resource or field has its place there.
///
/// The status page is the files of `status/` put into one document by `StatusPage`; it shows what
/// `StatusResource` answers.
///
/// Doors: `audit`, `background`, `config` (ages as it writes them), `disk`, `filter`, `key`, `net`, `tls`,
/// `verdict`, `lookup`, `quarantine`, `journal`, `local`, `password`, `policy`, `snapshot`, `wire`, `fleet`, `metrics`,
/// `report`, `judge`, `envelope`, `transit`. Start reading at [HttpListener].
@NullMarked
package org.bloomgate.http;

import org.jspecify.annotations.NullMarked;
