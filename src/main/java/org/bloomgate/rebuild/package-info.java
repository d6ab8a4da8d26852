/// The nightly job: feeds in, a published snapshot out, or nothing changed.
///
/// Doors: `key`, `verdict`, `filter`, `feed`, `exact`, `snapshot`. Start reading at `Rebuild`.
@NullMarked
package org.bloomgate.rebuild;

import org.jspecify.annotations.NullMarked;
