/// The HTTP face: the listener and one class for each resource.
///
/// What a request and an answer are, and their bounds, is the package `web`'s; what is
/// asked by its first digits is the package `prefix`'s. What every resource takes and
/// answers stands in `openapi.json` beside the classes: a new resource or field has its place there.
///
/// The status page is the files of `status/` put into one document by `StatusPage`; it shows what
/// `StatusResource` answers.
///
/// Start reading at [HttpListener].
@NullMarked
package org.bloomgate.server.api;

import org.jspecify.annotations.NullMarked;
