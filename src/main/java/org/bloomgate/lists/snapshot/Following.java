package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.util.Optional;

/// How far a mirror follows its publisher.
///
/// @param answered when the publisher last said what is current
/// @param counter of the newest statement heard; empty of a publisher that counts none
/// @param expires when that statement is too old to be the newest
/// @param expired whether it is
/// @param ready whether the machine counts as ready all the same
public record Following(
        Optional<Instant> answered,
        Optional<Long> counter,
        Optional<Instant> expires,
        boolean expired,
        boolean ready) {}
