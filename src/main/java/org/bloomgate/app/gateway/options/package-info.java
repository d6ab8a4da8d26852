/// The configuration: its records, the files that it names, and the checks that need nothing else.
///
/// Opens no listener, starts no thread, and knows neither `watch` nor `wiring`.
///
/// Start reading at [ConfigurationSource] and [Configuration].
@NullMarked
package org.bloomgate.app.gateway.options;

import org.jspecify.annotations.NullMarked;
