package org.bloomgate.lookup.tier;

import java.util.Arrays;
import java.util.Optional;

/// Why an exact tier on another machine gave no answer, in the words of logs, header fields and metric labels.
public enum UnknownReason {
    /// No answer in time.
    TIMEOUT("timeout", true),
    /// The connection was refused.
    REFUSED("refused", true),
    /// The connection could not be made, was not trusted or broke.
    UNREACHABLE("unreachable", true),
    /// The server returned an error status.
    BAD_STATUS("bad-status", true),
    /// The answer is malformed.
    BAD_ANSWER("bad-answer", true),
    /// Not queried: too many recent calls failed.
    BREAKER_OPEN("breaker-open", false),
    /// Not queried: too many calls are in progress.
    BULKHEAD_FULL("bulkhead-full", false),
    /// Not queried: this layer is no longer in use, or the program ends.
    CLOSED("closed", false),
    /// "Not listed" in a snapshot older than that of the filter.
    BEHIND("behind", false),
    /// The server has no such layer.
    NO_LAYER("no-layer", false),
    /// The server has no data of this snapshot.
    NO_DATA("no-data", false),
    /// Not queried: of several servers, the one with the key is known to be absent.
    SERVER_AWAY("server-away", false),
    /// The server answered that its own lookup failed.
    UNKNOWN_THERE("unknown-there", false);

    private final String label;
    private final boolean fault;

    UnknownReason(String label, boolean fault) {
        this.label = label;
        this.fault = fault;
    }

    /// Empty for a store that has words of its own.
    public static Optional<UnknownReason> of(ExactAnswer.Unknown unknown) {
        return Arrays.stream(values())
                .filter(reason -> reason.label.equals(unknown.reason()))
                .findFirst();
    }

    /// True if the queried server did not work: with fewer calls it may recover.
    public boolean fault() {
        return fault;
    }

    public String label() {
        return label;
    }

    public ExactAnswer.Unknown answer() {
        return new ExactAnswer.Unknown(label);
    }
}
