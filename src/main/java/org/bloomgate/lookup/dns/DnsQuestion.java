package org.bloomgate.lookup.dns;

/// A question to the DNS.
///
/// @param name its labels as in a query, without a final dot
/// @param zone the DNS list (RFC 5782) that is asked about the name; empty for a name that is no such question
public record DnsQuestion(String name, RecordType type, String zone) {

    /// The types of records that are read.
    public enum RecordType {
        A,
        AAAA,
        MX,
        TXT,
        PTR
    }

    /// Asks for the records of a name, which may be behind aliases.
    public static DnsQuestion of(String name, RecordType type) {
        return new DnsQuestion(name, type, "");
    }

    /// Asks a list, which answers with addresses and never with an alias.
    public static DnsQuestion ofList(String name, String zone) {
        return new DnsQuestion(name, RecordType.A, zone);
    }
}
