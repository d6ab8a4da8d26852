/// What the relay rehearses with before the first real mail comes: a client that is connected to nothing, mail
/// of common kinds that nobody wrote, and the filters in force with nobody behind them.
///
/// Who plays it is `WarmUp` of the room `smtp`, whose code it is that should be warm.
///
/// Doors: `key`, `nexthop`, `lookup`. Start reading at [MadeUpMail].
@NullMarked
package org.bloomgate.rehearsal;

import org.jspecify.annotations.NullMarked;
