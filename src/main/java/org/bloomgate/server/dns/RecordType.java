package org.bloomgate.server.dns;

/// The record types and classes that the DNS listener distinguishes, by their number on the wire.
final class RecordType {
    static final int A = 1;
    static final int NS = 2;
    static final int SOA = 6;
    static final int TXT = 16;
    static final int OPT = 41;
    static final int IXFR = 251;
    static final int AXFR = 252;
    static final int ANY = 255;

    static final int CLASS_IN = 1;
    static final int CLASS_ANY = 255;

    private RecordType() {}
}
