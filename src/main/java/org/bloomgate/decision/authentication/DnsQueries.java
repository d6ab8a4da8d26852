package org.bloomgate.decision.authentication;

import java.util.List;

/// The DNS, as the mechanisms of one authentication query it. A call blocks until there is an answer or a bound is
/// reached; it never throws for what a server answers. Used by one thread.
interface DnsQueries {
    /// Queries the records of a name.
    ///
    /// @param name ASCII, without a final dot, as a stranger wrote it. The answer for a name that cannot be
    ///     queried is [Answer.None]
    Answer query(String name, RecordType type);

    /// The types of records that the mechanisms read.
    enum RecordType {
        A,
        AAAA,
        MX,
        TXT,
        PTR
    }

    /// The answer to a query for a name and a type.
    sealed interface Answer {
        /// At least one record.
        ///
        /// @param values A and AAAA: the address as text; MX: `10 mail.example`; PTR: the name without a final
        ///     dot; TXT: the joined strings of a record, each byte a character (ISO 8859-1)
        record Found(List<String> values) implements Answer {
            public Found {
                values = List.copyOf(values);
            }
        }

        /// No such name, or no record of the type.
        record None() implements Answer {}

        /// A timeout, an error of a server, or a bound that was reached.
        ///
        /// @param reason a word for the journal, for example `timeout`
        record Unknown(String reason) implements Answer {}
    }
}
