/// The HTTP face: one class for each resource, bodies bounded, errors as RFC 9457 problems.
///
/// Doors: `key`, `verdict`, `lookup`, `policy`, `message`, `snapshot`, `exact`, `journal`.
@NullMarked
package org.bloomgate.http;

import org.jspecify.annotations.NullMarked;
