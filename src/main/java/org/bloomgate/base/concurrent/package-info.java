/// Background tasks, which have threads of their own and are all started and stopped in the same way, and
/// resources that are closed in the reverse order of their opening.
///
/// Work for one request is not a background task: sessions, lookups and transfers end by their own deadlines,
/// on virtual threads of their packages.
///
/// Start reading at [BackgroundTask].
@NullMarked
package org.bloomgate.base.concurrent;

import org.jspecify.annotations.NullMarked;
