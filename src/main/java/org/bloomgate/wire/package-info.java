/// What one Bloomgate says to another over HTTP, as records whose components are the fields of the JSON: the question
/// and the answer of `/v1/lookup`, what `/v1/snapshots/current` announces, and what a mirror reports.
///
/// Whoever answers and whoever asks share them, so that neither can name a field alone. Reading is left to the two
/// ends, because their bounds differ: a service refuses what it does not know, a client passes over it.
///
/// No I/O, no logging, no thread. Start reading at [LookupReply].
@NullMarked
package org.bloomgate.wire;

import org.jspecify.annotations.NullMarked;
