/// A message as a reader would see it: MIME parts, HTML, plain text, header fields and attachments read within limits,
/// every identifier in them handed on as canonical keys.
///
/// Never alters a message, never follows a link. A limit that is reached is part of the result, not an error.
/// Doors: `key`. Start reading at `MessageReader`.
@NullMarked
package org.bloomgate.message;

import org.jspecify.annotations.NullMarked;
