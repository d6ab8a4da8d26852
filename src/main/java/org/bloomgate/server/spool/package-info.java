/// A message while it is in a listener's hands, whichever listener: its bytes in a bounded [MessageSpool], the
/// time its stages take, what is counted of it, the fields and the mark it gets when it is tagged.
///
/// The listeners for whole messages, `smtp` and `milter`, share it so that a message is held, measured and
/// marked in one way. It speaks no protocol and decides nothing.
///
/// Start reading at [MessageSpool] and [TagFields].
@NullMarked
package org.bloomgate.server.spool;

import org.jspecify.annotations.NullMarked;
