package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The host of a feed entry, or the reason why it has none. In mail, any spelling of a host is accepted,
/// because an attacker chose it; feeds are read strictly.
sealed interface FeedHost {

    record Usable(Host host) implements FeedHost {}

    record Unusable(String reason) implements FeedHost {}

    /// The longest label in DNS. Hides nothing: a feed entry with a longer one is rejected.
    int MAX_LABEL_BYTES = 63;

    String PUBLIC_SUFFIX = "public suffix: would list everything registered below it";

    /// A character in brackets, with which reports keep links from being followed: `[.]`, `(dot)`.
    ///
    /// @param text within the brackets, in lower case
    /// @param sign the character that it stands for
    /// @param round whether the brackets may be parentheses
    record Mark(String text, String sign, boolean round) {
        private boolean isAt(String value, int open) {
            boolean square = value.charAt(open) == '[';
            return (square || round)
                    && TextScan.hasWord(value, open + 1, text)
                    && value.startsWith(square ? "]" : ")", open + 1 + text.length());
        }
    }

    Pattern RANGE = Pattern.compile("[0-9a-fA-F.:]+/[0-9]{1,3}");

    /// The marks that reports use in a host.
    List<Mark> MARKS = List.of(
            new Mark(".", ".", true),
            new Mark("dot", ".", true),
            new Mark(":", ":", false),
            new Mark("://", "://", false));

    Pattern HEXADECIMAL = Pattern.compile("0[xX][0-9a-fA-F]{7,8}\\b.*");

    /// Reads a bare host with or without a port, a leading `.` or `*.`, and trailing dots, or the root of a
    /// URL.
    static FeedHost ofDomainEntry(String entry) {
        String text = withoutWildcard(entry.strip());
        Optional<String> flaw = flaw(text);
        if (flaw.isPresent()) {
            return new Unusable(flaw.get());
        }
        if (isBareIpv6(text)) {
            Optional<Host> address = Host.parse(text);
            return address.isPresent() ? check(address.get(), text) : new Unusable("not an IPv6 address");
        }
        Optional<CanonicalUrl> url = CanonicalUrl.parse(text);
        if (url.isEmpty()) {
            return new Unusable("not a host name");
        }
        boolean root = url.get().keyEnd() == url.get().hostEnd() + 1;
        return root ? check(url.get().host(), text) : new Unusable("path in a domain entry");
    }

    /// Removes a wildcard: `*.x` and `.x` mean the names below x, which every domain entry covers.
    private static String withoutWildcard(String text) {
        return text.startsWith("*.") ? text.substring(2) : text;
    }

    private static Optional<String> flaw(String text) {
        if (text.isEmpty()) {
            return Optional.of("empty");
        }
        if (text.chars().anyMatch(c -> c <= ' ' || c == 0xa0)) {
            return Optional.of("more than a host name");
        }
        if (text.indexOf('*') >= 0) {
            return Optional.of("unsupported: wildcard within a name");
        }
        if (text.indexOf('@') >= 0) {
            return Optional.of("address in a domain entry");
        }
        if (text.indexOf('#') >= 0) {
            return Optional.of("not a host name");
        }
        return RANGE.matcher(text).matches() ? Optional.of("unsupported: address range") : Optional.empty();
    }

    private static boolean isBareIpv6(String text) {
        return text.indexOf(':') != text.lastIndexOf(':') && text.indexOf('/') < 0 && text.indexOf('[') < 0;
    }

    /// @param text the entry from which the host was read
    static FeedHost check(Host host, String text) {
        return switch (host.kind()) {
            case NAME -> checkName(host);
            case IPV4 -> checkIpv4(host, text);
            case IPV6 ->
                host.text().equals("[::]") || host.text().equals("[::1]")
                        ? new Unusable("unspecified or loopback address")
                        : new Usable(host);
        };
    }

    private static FeedHost checkName(Host host) {
        String name = host.text();
        if (name.length() > Host.MAX_NAME_BYTES) {
            return new Unusable("longer than a host name can be");
        }
        int label = 0;
        boolean numeric = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (!digit && !(c >= 'a' && c <= 'z') && c != '-' && c != '_' && c != '.') {
                return new Unusable("not a host name");
            }
            label = c == '.' ? 0 : label + 1;
            numeric = c == '.' || (numeric && digit);
            if (label > MAX_LABEL_BYTES) {
                return new Unusable("longer than a host name can be");
            }
        }
        return numeric ? new Unusable("neither a host name nor an IP address") : new Usable(host);
    }

    /// Rejects addresses like `182.86.133` or `999.1.2.3`, which would be read as another address than the
    /// publisher meant.
    private static FeedHost checkIpv4(Host host, String text) {
        boolean literal =
                text.contains(host.text()) || text.contains("://") || text.indexOf(':') != text.lastIndexOf(':');
        if (!literal && !HEXADECIMAL.matcher(text).matches()) {
            return new Unusable("incomplete or ambiguous IPv4 address");
        }
        return host.text().startsWith("0.") || host.text().startsWith("127.")
                ? new Unusable("unspecified or loopback address")
                : new Usable(host);
    }

    /// The key of an entry on a usable host.
    ///
    /// @param whole whether it lists the whole host
    static FeedKey key(Key key, Host host, boolean whole, PublicSuffixes suffixes) {
        boolean dotless = host.kind() == HostKind.NAME && host.text().indexOf('.') < 0;
        if (whole && !suffixes.isListable(host) && (!dotless || suffixes.lists(host.text()))) {
            return new FeedKey.Held(key, PUBLIC_SUFFIX);
        }
        // A single label that is not in the public suffix list is a stray word rather than a top-level domain.
        return dotless ? new FeedKey.Rejected("a name without a dot") : new FeedKey.Taken(key);
    }

    /// A value without the marks with which reports keep it from being followed.
    static String refanged(String value) {
        String plain = unmarked(value, MARKS);
        return plain.regionMatches(true, 0, "hxxp", 0, 4) ? "http" + plain.substring(4) : plain;
    }

    /// A value with its marks replaced by the characters that they stand for.
    static String unmarked(String value, List<Mark> marks) {
        int at = TextScan.next(value, 0, FeedHost::isOpen);
        if (at == value.length()) {
            return value;
        }
        StringBuilder plain = new StringBuilder(value.length());
        int from = 0;
        while (at < value.length()) {
            plain.append(value, from, at);
            int open = at;
            Optional<Mark> mark = marks.stream()
                    .filter(candidate -> candidate.isAt(value, open))
                    .findFirst();
            plain.append(mark.map(Mark::sign).orElse(value.substring(at, at + 1)));
            from = at + mark.map(it -> it.text.length() + 2).orElse(1);
            at = TextScan.next(value, from, FeedHost::isOpen);
        }
        return plain.append(value, from, value.length()).toString();
    }

    private static boolean isOpen(int c) {
        return c == '[' || c == '(';
    }
}
