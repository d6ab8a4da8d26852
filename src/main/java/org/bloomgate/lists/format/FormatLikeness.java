package org.bloomgate.lists.format;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.lists.fetch.FeedFormat;

/// Guesses the format of lines that the configured format could not parse. It is only a hint for the operator.
public final class FormatLikeness {
    private static final List<Map.Entry<FeedFormat, Supplier<LineFormat>>> FORMATS = List.of(
            Map.entry(FeedFormat.HOSTS, HostsLines::new),
            Map.entry(FeedFormat.ADBLOCK, () -> new AdblockLines(FeedKind.AUTO, AdblockCancellations.NONE)),
            Map.entry(FeedFormat.DNSMASQ, DnsmasqLines::new),
            Map.entry(FeedFormat.UNBOUND, () -> UnboundLines.WITHOUT_EXCEPTIONS),
            Map.entry(FeedFormat.BIND, BindLines::new),
            Map.entry(FeedFormat.WILDCARD, LineFormat.WildcardLines::new),
            Map.entry(FeedFormat.RPZ, RpzLines::new));

    private FormatLikeness() {}

    /// @param lines as excerpts, see [Excerpt]
    public static Optional<FeedFormat> of(List<String> lines) {
        return FORMATS.stream()
                .filter(format -> fits(format.getValue().get(), lines))
                .filter(format -> format.getKey() != FeedFormat.ADBLOCK || hasRule(lines))
                .<FeedFormat>map(Map.Entry::getKey)
                .findFirst();
    }

    /// Bare names belong to the format as well, but also to others.
    private static boolean hasRule(List<String> lines) {
        return lines.stream().anyMatch(line -> line.startsWith("||"));
    }

    /// Whether every line belongs to the format, and not all are comments.
    private static boolean fits(LineFormat format, List<String> lines) {
        boolean any = false;
        for (String line : lines) {
            ParsedLine parsed = format.parse(line.replace("\\u0009", "\t"));
            any |= parsed instanceof ParsedLine.Values;
            if (parsed instanceof ParsedLine.Unreadable) {
                return false;
            }
        }
        return any;
    }
}
