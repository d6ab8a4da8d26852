package org.bloomgate.lists.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// A hosts file that maps names to a sink: `0.0.0.0 name [name..] [# comment]`. A line with a real address
/// blocks nothing and is rejected; the names of the machine itself are skipped.
record HostsLines() implements LineFormat {
    private static final Set<String> OWN = Set.of(
            "localhost",
            "localhost.localdomain",
            "localhost4",
            "localhost4.localdomain4",
            "localhost6",
            "localhost6.localdomain6",
            "local",
            "broadcasthost",
            "0.0.0.0",
            "127.0.0.1",
            "ip6-localhost",
            "ip6-loopback",
            "ip6-localnet",
            "ip6-mcastprefix",
            "ip6-allnodes",
            "ip6-allrouters",
            "ip6-allhosts");

    private static final Set<String> SINKS = Set.of("0", "0.0.0.0", "::", "::0", "::1", "0:0:0:0:0:0:0:0");

    private static final byte[] UNSPECIFIED = "0.0.0.0 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LOOPBACK = "127.0.0.1 ".getBytes(StandardCharsets.US_ASCII);

    @Override
    public ParsedLine parse(String line) {
        String entry = line.strip();
        if (entry.isEmpty() || entry.charAt(0) == '#' || entry.charAt(0) == '!') {
            return ParsedLine.COMMENT;
        }
        int comment = entry.indexOf('#');
        List<String> words = LineFormat.splitWords(comment < 0 ? entry : entry.substring(0, comment));
        if (words.size() == 1) {
            return new ParsedLine.Unreadable("not an address and a name");
        }
        List<String> names = new ArrayList<>();
        for (String name : words.subList(1, words.size())) {
            if (!OWN.contains(TextForms.lowerCase(name))) {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            return ParsedLine.COMMENT;
        }
        return isSink(words.getFirst())
                ? new ParsedLine.Values(names, 0)
                : new ParsedLine.Unreadable("no sink before the name, such as 0.0.0.0");
    }

    /// One name after a usual sink. Own names of the machine with two labels or more begin with `localhost`.
    @Override
    public int findPlainValue(byte[] line, int length) {
        int from = LineFormat.startsWith(line, length, UNSPECIFIED) ? UNSPECIFIED.length : LOOPBACK.length;
        boolean sink = from == UNSPECIFIED.length || LineFormat.startsWith(line, length, LOOPBACK);
        return sink && line[from] != 'l' ? from : -1;
    }

    private static boolean isSink(String address) {
        return SINKS.contains(address) || address.startsWith("127.");
    }
}
