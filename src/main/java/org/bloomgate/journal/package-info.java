/// What was decided: one JSON line for each transaction, by day, bounded; `explain TOKEN` reads them back.
///
/// Never holds a password or a message body. Doors: `key`.
@NullMarked
package org.bloomgate.journal;

import org.jspecify.annotations.NullMarked;
