/// A mail while it is in a door's hands, whichever door: its bytes in a bounded [MessageSpool], the time its stages
/// take, what is counted of it, the fields and the mark it gets when it is tagged.
///
/// The doors for whole mails, `smtp` and `milter`, share it so that a message is held, measured and marked in one way.
/// It speaks no protocol and decides nothing.
///
/// Start reading at [MessageSpool] and [TagFields].
@NullMarked
package org.bloomgate.server.spool;

import org.jspecify.annotations.NullMarked;
