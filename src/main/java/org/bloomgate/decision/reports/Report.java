package org.bloomgate.decision.reports;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.config.Labelled;

/// The report of one message, with everyone who reported it.
///
/// @param id a token; equal for equal messages
/// @param message with the identifiers of all reporters
/// @param voices the first reporter first
public record Report(String id, ReportedMessage message, List<Voice> voices, Outcome outcome) {
    public Report {
        voices = List.copyOf(voices);
    }

    /// What has become of a report.
    public enum State implements Labelled {
        OPEN,
        /// At least one identifier is listed.
        LISTED,
        HARMLESS,
        /// An operator postponed the decision. The next reporter opens the report again.
        LATER;

        @JsonValue
        @Override
        public String label() {
            return Labelled.super.label();
        }
    }

    /// One report of the message by one reporter.
    ///
    /// @param identifiers positions of the identifiers that the reporter named in the content
    public record Voice(Instant time, Reporter reporter, List<Integer> identifiers) {
        public Voice {
            identifiers = List.copyOf(identifiers);
        }
    }

    /// The last decision about the report.
    ///
    /// @param by who made it, `reports` for an automatic listing; empty while it is open
    public record Outcome(State state, String by, Instant time) {}

    /// When the message was last reported.
    public Instant lastReported() {
        return voices.stream().map(Voice::time).max(Instant::compareTo).orElseThrow();
    }

    Report with(Outcome next) {
        return new Report(id, message, voices, next);
    }

    Stream<ReportedIdentifier> namedBy(Voice voice) {
        return voice.identifiers().stream().map(message.identifiers()::get);
    }
}
