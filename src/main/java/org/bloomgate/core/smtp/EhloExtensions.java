package org.bloomgate.core.smtp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The extensions that a client may use in its session: those that both this relay and the next hop support.
/// `PIPELINING`, `CHUNKING` and `SIZE` apply only to the client's connection and do not need the next hop.
///
/// @param extensions in upper case; empty before EHLO and after HELO
/// @param maxBytes the smaller of the maximum message sizes of both
/// @param sizePasses whether the next hop supports a `SIZE` parameter
public record EhloExtensions(Set<String> extensions, long maxBytes, boolean sizePasses) {
    public static final String SIZE = "SIZE";
    public static final String SMTPUTF8 = "SMTPUTF8";
    public static final String EIGHT_BIT = "8BITMIME";
    public static final String DSN = "DSN";

    /// RFC 3030, without its BINARYMIME.
    public static final String CHUNKING = "CHUNKING";

    private static final Set<String> HOP_BY_HOP = Set.of("PIPELINING", SIZE, CHUNKING);
    private static final Set<String> END_TO_END = Set.of(EIGHT_BIT, SMTPUTF8, DSN, "ENHANCEDSTATUSCODES");

    public EhloExtensions {
        extensions = Set.copyOf(extensions);
    }

    /// The extensions of a next hop that is not connected yet: all of them. With fewer, a client would bounce
    /// or change a message that needs an extension that the next hop may have; at MAIL this is known.
    public static final Capabilities NOT_KNOWN = new Capabilities(END_TO_END, 0);

    /// For a client that sent EHLO.
    ///
    /// @param maxMessageBytes of this relay
    public static EhloExtensions extended(long maxMessageBytes, Capabilities nextHop) {
        Set<String> extensions = new TreeSet<>(HOP_BY_HOP);
        END_TO_END.stream().filter(nextHop.keywords()::contains).forEach(extensions::add);
        return limited(maxMessageBytes, nextHop, extensions);
    }

    /// For a client that sent HELO.
    public static EhloExtensions plain(long maxMessageBytes, Capabilities nextHop) {
        return limited(maxMessageBytes, nextHop, Set.of());
    }

    private static EhloExtensions limited(long maxMessageBytes, Capabilities nextHop, Set<String> extensions) {
        long max = nextHop.sizeBytes() == 0 ? maxMessageBytes : Math.min(maxMessageBytes, nextHop.sizeBytes());
        return new EhloExtensions(extensions, max, nextHop.keywords().contains(SIZE));
    }

    /// Whether the next hop, as it is known now, has all extensions that were offered.
    public boolean isSupportedBy(Capabilities nextHop) {
        return extensions.stream().filter(END_TO_END::contains).allMatch(nextHop.keywords()::contains);
    }

    /// The reply to EHLO, which, like that to HELO, has no enhanced status code (RFC 2034 3).
    ///
    /// @param ownLines of the session: the extensions that are offered only to this client at this moment
    public Reply toEhloReply(String hostname, List<String> ownLines) {
        List<String> lines = new ArrayList<>(List.of(hostname));
        new TreeSet<>(extensions).forEach(keyword -> lines.add(keyword.equals(SIZE) ? SIZE + " " + maxBytes : keyword));
        lines.addAll(ownLines);
        return new Reply(250, lines);
    }
}
