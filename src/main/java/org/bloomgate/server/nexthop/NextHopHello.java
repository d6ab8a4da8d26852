package org.bloomgate.server.nexthop;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// The reply to EHLO or LHLO on one connection.
///
/// @param xforward the accepted attributes, in upper case; empty if XFORWARD is not offered
/// @param marks of the relays after this next hop, see [LoopMarks]
record NextHopHello(Capabilities capabilities, Set<String> xforward, Set<String> marks) {
    /// For a server that only knows HELO.
    static final NextHopHello NONE = new NextHopHello(new Capabilities(Set.of(), 0), Set.of(), Set.of());

    NextHopHello {
        xforward = Set.copyOf(xforward);
        marks = Set.copyOf(marks);
    }

    /// The first line is the server's name; the others are a keyword with parameters each (RFC 5321 4.1.1.1).
    static NextHopHello parse(Reply reply) {
        Set<String> keywords = new HashSet<>();
        Set<String> xforward = Set.of();
        Set<String> marks = Set.of();
        long sizeBytes = 0;
        for (String line : reply.lines().subList(1, reply.lines().size())) {
            List<String> words =
                    TextScan.words(TextForms.upperCase(line.strip()), c -> c == ' ' || c == '\t', Integer.MAX_VALUE);
            String keyword = words.getFirst();
            if (!keyword.isEmpty()) {
                keywords.add(keyword);
            }
            if (keyword.equals("XFORWARD")) {
                xforward = parameters(words);
            }
            if (keyword.equals(LoopMarks.KEYWORD)) {
                marks = parameters(words);
            }
            if (keyword.equals("SIZE") && words.size() > 1) {
                sizeBytes = sizeBytes(words.get(1));
            }
        }
        return new NextHopHello(new Capabilities(keywords, sizeBytes), xforward, marks);
    }

    private static Set<String> parameters(List<String> words) {
        return new HashSet<>(words.subList(1, words.size()));
    }

    boolean offers(String keyword) {
        return capabilities.keywords().contains(keyword);
    }

    /// RFC 1870 allows 20 digits; a limit beyond the range of a `long` counts as none.
    private static long sizeBytes(String digits) {
        return TextScan.consistsOf(digits, TextScan::isDigit, 1, 18) ? Long.parseLong(digits) : 0;
    }
}
