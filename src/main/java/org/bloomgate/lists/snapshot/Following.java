package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.util.Optional;

/// How far a mirror follows its publisher.
///
/// @param lastAnswerAt time of the publisher's last answer about its published state
/// @param counter of the newest statement seen; empty before the first one
/// @param expires when that statement is too old to be the newest
/// @param expired whether it has expired
/// @param ready whether the machine counts as ready; `mirror.onExpired` decides after the expiry
public record Following(
        Optional<Instant> lastAnswerAt,
        Optional<Long> counter,
        Optional<Instant> expires,
        boolean expired,
        boolean ready) {}
