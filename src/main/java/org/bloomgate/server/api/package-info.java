/// The resources of the HTTP API, and the table of their routes.
///
/// The listener, requests, answers and their bounds are in the package `http`. `openapi.json` next to the classes
/// describes every resource: a new resource or field is added there.
///
/// The operator's page is the files of `page/`, served by [OperatorPage]; it shows what the other resources
/// answer.
///
/// Start reading at [Routes].
@NullMarked
package org.bloomgate.server.api;

import org.jspecify.annotations.NullMarked;
