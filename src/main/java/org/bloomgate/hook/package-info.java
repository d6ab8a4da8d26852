/// Mail servers that ask over HTTP when they hold the whole mail (MTA hooks): the question in their two
/// dialects, the mail that is judged, the edits they carry out, and how they learn of this gateway.
///
/// What the mail is and what becomes of it are the rulings of `judge` and `transit`, as for the other
/// doors.
///
/// Doors: `net`, `envelope`, `journal`, `policy`, `web`, `judge`, `transit`. Start reading at
/// [HooksResource].
@NullMarked
package org.bloomgate.hook;

import org.jspecify.annotations.NullMarked;
