/// The parts that the listeners for whole messages (`smtp`, `milter`) share: the order of steps from sender to
/// record, the bounded spool, durations, metrics, and the fields of tagged messages. It implements no protocol
/// and decides nothing.
///
/// Start reading at [MessageContext] and [MessagePipeline].
@NullMarked
package org.bloomgate.server.spool;

import org.jspecify.annotations.NullMarked;
