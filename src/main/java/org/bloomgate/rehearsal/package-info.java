/// What the relay rehearses with before the first real mail comes: mail of common kinds that nobody wrote, a client
/// that sends it and a next hop that forgets it, both over loopback, and the filters in force with nobody behind them.
///
/// Who plays it is `WarmUp` of the room `smtp`, whose code it is that should be warm.
///
/// Start reading at [MadeUpMail].
@NullMarked
package org.bloomgate.rehearsal;

import org.jspecify.annotations.NullMarked;
