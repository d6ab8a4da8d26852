package org.bloomgate.lookup.tier;

import java.util.Optional;
import org.bloomgate.base.config.Labelled;

/// Why an exact tier on another machine gave no answer, in the words of logs, header fields and metric labels.
public enum UnknownReason implements Labelled {
    /// No answer in time.
    TIMEOUT(true),
    /// The connection was refused.
    REFUSED(true),
    /// The connection could not be made, was not trusted or broke.
    UNREACHABLE(true),
    /// The server returned an error status.
    BAD_STATUS(true),
    /// The answer is malformed.
    BAD_ANSWER(true),
    /// Not queried: too many recent calls failed.
    BREAKER_OPEN(false),
    /// Not queried: too many calls are in progress.
    BULKHEAD_FULL(false),
    /// Not queried: this layer is no longer in use, or the program ends.
    CLOSED(false),
    /// "Not listed" in a snapshot older than that of the filter.
    BEHIND(false),
    /// The server has no such layer.
    NO_LAYER(false),
    /// The server has no data of this snapshot.
    NO_DATA(false),
    /// Not queried: of several servers, the one with the key is known to be absent.
    SERVER_AWAY(false),
    /// The server answered that its own lookup failed.
    UNKNOWN_THERE(false);

    private final boolean fault;

    UnknownReason(boolean fault) {
        this.fault = fault;
    }

    /// Empty for a store that has words of its own.
    public static Optional<UnknownReason> of(ExactAnswer.Unknown unknown) {
        return Labelled.find(UnknownReason.class, unknown.reason());
    }

    /// True if the queried server did not work: with fewer calls it may recover.
    public boolean fault() {
        return fault;
    }

    public ExactAnswer.Unknown answer() {
        return new ExactAnswer.Unknown(label());
    }
}
