package org.bloomgate.lookup.dns;

import java.time.Duration;
import java.util.List;

/// The answer to a question.
public sealed interface DnsReply {

    /// At least one record.
    ///
    /// @param values A and AAAA: the address as text; MX: `10 mail.example`; PTR: the name without a
    ///     final dot; TXT: the joined strings of a record, each byte a character (ISO 8859-1)
    /// @param ttl how long it may be cached, as answered
    record Found(List<String> values, Duration ttl) implements DnsReply {
        public Found {
            values = List.copyOf(values);
        }
    }

    /// No such name, or no record of the type.
    ///
    /// @param ttl how long that may be cached (RFC 2308); zero when the zone does not say
    record Absent(Duration ttl) implements DnsReply {}

    /// No answer, or none that can be used: says nothing about the name.
    ///
    /// @param reason for people, in one line
    record Failed(Cause cause, String reason) implements DnsReply {}

    /// Why there is no answer.
    enum Cause {
        TIMEOUT,
        /// A bound of this process: the question was not sent.
        BOUND,
        /// An error of a resolver, or an answer that cannot be used.
        ERROR
    }

    /// Text for people.
    default String text() {
        return switch (this) {
            case Found(List<String> values, Duration ttl) ->
                String.join(", ", values) + " (TTL " + ttl.toSeconds() + " s)";
            case Absent(Duration ttl) -> "no address (TTL " + ttl.toSeconds() + " s)";
            case Failed(Cause _, String reason) -> reason;
        };
    }
}
