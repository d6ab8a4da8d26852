/// The HTTP face: the listener and one class for each resource.
///
/// Requests, answers and their bounds are in the package `http`. `openapi.json` next to the classes describes
/// every resource: a new resource or field is added there.
///
/// The status page is the files of `status/` put into one document by `StatusPage`; it shows what
/// `StatusResource` answers.
///
/// Start reading at [HttpListener].
@NullMarked
package org.bloomgate.server.api;

import org.jspecify.annotations.NullMarked;
