/// The relay: a before-queue proxy in lock-step with the next hop, which never owns a message.
///
/// Everything of SubEthaSMTP's internals that is replaced stays in this room. Doors: `key`, `verdict`, `lookup`,
/// `policy`, `message`, `journal`.
@NullMarked
package org.bloomgate.smtp;

import org.jspecify.annotations.NullMarked;
