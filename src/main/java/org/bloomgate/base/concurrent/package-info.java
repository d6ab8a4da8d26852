/// What runs beside the requests: tasks on threads of their own, begun and ended in one way, and parts that are closed
/// in the reverse order of their opening.
///
/// A room of its own because every room that watches a file, a socket or a peer starts such a task, and none of
/// the other bedrock packages is about threads. Work on behalf of one request is no background task: sessions,
/// lookups and transfers end with their own deadlines on virtual threads of their packages.
///
/// Start reading at [BackgroundTask].
@NullMarked
package org.bloomgate.base.concurrent;

import org.jspecify.annotations.NullMarked;
