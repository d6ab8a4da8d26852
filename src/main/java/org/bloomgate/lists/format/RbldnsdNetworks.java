package org.bloomgate.lists.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// Reads an `ip4set`, `ip4trie`, `ip6set` or `ip6trie` of rbldnsd: networks, also as `127/8` and `1.2.3.0-255`,
/// followed by their answer, and exclusions that begin with `!`.
///
/// As in rbldnsd, the narrowest entry around an address counts: an exclusion removes its addresses from the
/// networks around it, wherever it is in the file, and leaves entries within it. Entries are therefore kept
/// until the end: at most [#MAX_ENTRIES], beyond which the feed is rejected.
final class RbldnsdNetworks {
    static final int MAX_ENTRIES = 5_000_000;

    private static final String BYTE = "\\d{1,3}";
    private static final Pattern IPV4 = Pattern.compile(
            "(" + BYTE + "(?:\\." + BYTE + "){0,3})" + "(?:/(\\d{1,2})|-(" + BYTE + "(?:\\." + BYTE + "){0,3}))?");
    private static final Pattern PARTIAL_IPV6 = Pattern.compile("([0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})(/\\d+)?");

    /// An address or a range, or its beginning, before the colon of an answer.
    private static final Pattern IPV4_BEGINNING = Pattern.compile("\\d{1,3}\\.[0-9.-]{1,28}");

    private static final int MAX_IPV4_CHARS = 32;

    /// The length of a prefix, with its slash.
    private static final int MAX_LENGTH_CHARS = 4;

    private static final Pattern MAX_RANGE = Pattern.compile("\\$MAXRANGE4\\s+(?:/(\\d{1,2})|(\\d{1,10}))");

    private final Feed feed;
    private final PhysicalLines source;
    private final LineTally tally;
    private final int maxEntries;
    private final List<Entry> entries = new ArrayList<>();

    /// Sorted by their bytes, so that the blocks within a block follow it.
    private final NavigableSet<AddressBlock> excluded =
            new TreeSet<>((one, other) -> Arrays.compareUnsigned(one.bytes(), other.bytes()));

    private long maxRange = 1L << 32;

    private record Entry(long line, AddressBlock block) {}

    RbldnsdNetworks(Feed feed, PhysicalLines source, LineTally tally) {
        this(feed, source, tally, MAX_ENTRIES);
    }

    RbldnsdNetworks(Feed feed, PhysicalLines source, LineTally tally, int maxEntries) {
        this.feed = feed;
        this.source = source;
        this.tally = tally;
        this.maxEntries = maxEntries;
    }

    void read() throws IOException {
        while (source.next()) {
            String text = source.text();
            Optional<String> fault = source.findFault(text);
            if (fault.isPresent()) {
                tally.add(source.number(), 1, new ParsedLine.Unreadable(fault.get()), text);
            } else {
                readLine(text.strip(), text);
            }
            if (entries.size() > maxEntries) {
                throw new FeedRefusedException(feed, "more than " + maxEntries + " networks in one set of rbldnsd");
            }
        }
        passOn();
    }

    private void readLine(String line, String text) {
        Matcher bound = MAX_RANGE.matcher(line);
        if (bound.matches()) {
            maxRange = bound.group(1) != null
                    ? 1L << Math.max(0, 32 - Integer.parseInt(bound.group(1)))
                    : Long.parseLong(bound.group(2));
        }
        if (line.isEmpty() || "#;$".indexOf(line.charAt(0)) >= 0 || isAnswer(line)) {
            tally.add(source.number(), 1, ParsedLine.COMMENT, text);
            return;
        }
        boolean excludes = line.charAt(0) == '!';
        String entry = excludes ? line.substring(1).strip() : line;
        String value = entry.substring(0, end(entry));
        try {
            List<AddressBlock> blocks = blocks(value);
            if (excludes) {
                excluded.addAll(blocks);
                tally.add(source.number(), 1, ParsedLine.COMMENT, text);
            } else {
                blocks.forEach(block -> entries.add(new Entry(source.number(), block)));
            }
        } catch (IllegalArgumentException e) {
            tally.add(source.number(), 1, new ParsedLine.Unreadable(String.valueOf(e.getMessage())), text);
        }
    }

    /// The end of the entry: a blank, a comment, or the colon before an answer, which in IPv6 may only follow
    /// the length of a prefix.
    private static int end(String line) {
        int end = TextScan.next(line, 0, RbldnsdNetworks::mayEnd);
        while (end < line.length() && line.charAt(end) == ':' && !isBeforeAnswer(line, end)) {
            end = TextScan.next(line, end + 1, RbldnsdNetworks::mayEnd);
        }
        return end;
    }

    private static boolean mayEnd(int c) {
        return TextScan.isBlank(c) || c == '#' || c == ';' || c == ':';
    }

    private static boolean isBeforeAnswer(String line, int colon) {
        String length = line.substring(Math.max(0, colon - MAX_LENGTH_CHARS), colon);
        int slash = length.lastIndexOf('/');
        return (slash >= 0 && TextScan.consistsOf(length.substring(slash + 1), TextScan::isDigit, 1, 3))
                || (colon <= MAX_IPV4_CHARS
                        && IPV4_BEGINNING.matcher(line.substring(0, colon)).matches());
    }

    /// Whether the line is an answer for the following entries; two colons begin an address.
    private static boolean isAnswer(String line) {
        return line.startsWith(":") && !line.startsWith("::");
    }

    private List<AddressBlock> blocks(String value) {
        Matcher ipv4 = IPV4.matcher(value);
        if (!ipv4.matches()) {
            return List.of(AddressBlock.parse(ipv6(value)));
        }
        List<AddressBlock> blocks = NetworkValue.expand(range(ipv4)).stream()
                .map(AddressBlock::parse)
                .toList();
        long addresses =
                blocks.stream().mapToLong(block -> 1L << (32 - block.bits())).sum();
        if (addresses > maxRange) {
            throw new IllegalArgumentException("wider than $MAXRANGE4");
        }
        return blocks;
    }

    /// The range of an entry; bytes that are missing at the end have all values.
    private static String range(Matcher ipv4) {
        String[] bytes = TextScan.split(ipv4.group(1), c -> c == '.').toArray(String[]::new);
        String first = filled(bytes, "0");
        if (ipv4.group(2) != null) {
            return first + "/" + ipv4.group(2);
        }
        if (ipv4.group(3) == null) {
            if (bytes.length == 1) {
                throw new IllegalArgumentException("not a network: a bare number");
            }
            return bytes.length == 4 ? first : first + "/" + bytes.length * 8;
        }
        String[] last = TextScan.split(ipv4.group(3), c -> c == '.').toArray(String[]::new);
        if (last.length == 1) {
            String[] same = bytes.clone();
            same[bytes.length - 1] = last[0];
            last = same;
        }
        if (last.length != bytes.length) {
            throw new IllegalArgumentException("not a range: its ends differ in length");
        }
        return first + "-" + filled(last, "255");
    }

    private static String filled(String[] bytes, String rest) {
        return String.join(".", bytes) + ("." + rest).repeat(4 - bytes.length);
    }

    /// `2001:db8` means `2001:db8::/32`.
    private static String ipv6(String value) {
        Matcher partial = PARTIAL_IPV6.matcher(value);
        if (!partial.matches()) {
            return value;
        }
        int groups = TextScan.split(partial.group(1), c -> c == ':').size();
        return partial.group(1) + "::" + (partial.group(2) == null ? "/" + groups * 16 : partial.group(2));
    }

    /// Passes the entries on; the blocks of one line are one entry.
    private void passOn() {
        int at = 0;
        while (at < entries.size()) {
            long line = entries.get(at).line();
            List<String> values = new ArrayList<>();
            String text = entries.get(at).block().toString();
            for (; at < entries.size() && entries.get(at).line() == line; at++) {
                addRemaining(entries.get(at).block(), values);
            }
            ParsedLine parsed = values.isEmpty() ? ParsedLine.COMMENT : new ParsedLine.Values(values, 0);
            tally.add(line, 1, parsed, text);
        }
    }

    /// Adds the parts of the block that are not excluded, by halving it.
    private void addRemaining(AddressBlock block, List<String> values) {
        Optional<AddressBlock> within =
                Optional.ofNullable(excluded.ceiling(block)).filter(block::contains);
        if (within.isEmpty()) {
            values.add(block.toString());
        } else if (!within.get().equals(block)) {
            block.halves().forEach(half -> addRemaining(half, values));
        }
    }
}
