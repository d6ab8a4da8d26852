package org.bloomgate.server.dns;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.core.key.DomainKeys;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The name before the zone in a query: labels in lower case separated by dots, and their meaning. An IPv4
/// address has its bytes in reverse order, an IPv6 address its digits (RFC 5782 2). Reused for the next query;
/// allocates only for IPv6. Not thread-safe.
final class QueryName {
    private static final int V4_LABELS = 4;
    private static final int V6_LABELS = 32;
    private static final Identifier ANY = new Identifier(KeyKind.DOMAIN, "", Place.ENVELOPE, "dns");

    /// The form of the labels.
    enum Form {
        /// Not a host name: it has a byte that host names do not have, or an empty label.
        NONSENSE,
        NAME,
        IPV4,
        IPV6
    }

    private final byte[] host = new byte[256];
    private final byte[] reversed = new byte[256];
    private int length;
    private int labels;
    private Form form = Form.NONSENSE;

    /// @param zoneLabel number of the label that the zone's name begins with
    Form read(Question question, int zoneLabel) {
        length = 0;
        labels = zoneLabel;
        boolean wellFormed = zoneLabel > 0;
        boolean ipv4Labels = true;
        boolean ipv6Labels = true;
        for (int label = 0; label < zoneLabel; label++) {
            int at = question.label(label);
            int end = question.label(label + 1);
            for (int i = at + 1; i < end; i++) {
                byte b = question.lower()[i];
                wellFormed &= isOfName(b);
                ipv4Labels &= b >= '0' && b <= '9';
                ipv6Labels &= isHex(b);
                host[length++] = b;
            }
            ipv4Labels &= end - at - 1 <= 3;
            ipv6Labels &= end - at - 1 == 1;
            if (label + 1 < zoneLabel) {
                host[length++] = '.';
            }
        }
        form = form(wellFormed, ipv4Labels, ipv6Labels);
        return form;
    }

    private Form form(boolean wellFormed, boolean ipv4Labels, boolean ipv6Labels) {
        if (!wellFormed) {
            return Form.NONSENSE;
        } else if (labels == V4_LABELS && ipv4Labels && reverseIpv4()) {
            return Form.IPV4;
        } else if (labels == V6_LABELS && ipv6Labels) {
            return Form.IPV6;
        }
        return Form.NAME;
    }

    private static boolean isOfName(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
    }

    private static boolean isHex(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f');
    }

    /// Writes the address in its usual order; false if a number is above 255 or has a leading zero.
    private boolean reverseIpv4() {
        int to = 0;
        int end = length;
        for (int i = length - 1; i >= -1; i--) {
            if (i < 0 || host[i] == '.') {
                int digits = end - i - 1;
                int value = 0;
                for (int digit = i + 1; digit < end; digit++) {
                    value = value * 10 + host[digit] - '0';
                    reversed[to++] = host[digit];
                }
                if (value > 255 || (digits > 1 && host[i + 1] == '0')) {
                    return false;
                }
                reversed[to++] = '.';
                end = i;
            }
        }
        return true;
    }

    private Optional<Host> ipv6() {
        StringBuilder text = new StringBuilder("[");
        for (int i = length - 1; i >= 0; i -= 2) {
            text.append((char) host[i]);
            text.append((length - i) % 8 == 7 && i > 0 ? ":" : "");
        }
        return Host.parse(text.append(']').toString());
    }

    /// Adds the keys under which the name may be listed.
    void keys(PublicSuffixes suffixes, KeyBatch batch) {
        batch.begin(ANY);
        switch (form) {
            case NONSENSE -> {}
            case NAME -> DomainKeys.append(host, 0, length, HostKind.NAME, suffixes, batch);
            // As long as the query name: the dot at the end is not counted.
            case IPV4 -> DomainKeys.append(reversed, 0, length, HostKind.IPV4, suffixes, batch);
            case IPV6 -> ipv6().ifPresent(address -> DomainKeys.append(address, suffixes, batch));
        }
    }

    /// The queried host as text.
    String text() {
        return switch (form) {
            case NONSENSE, NAME -> new String(host, 0, length, StandardCharsets.US_ASCII);
            case IPV4 -> new String(reversed, 0, length, StandardCharsets.US_ASCII);
            case IPV6 -> ipv6().map(Host::text).orElse("");
        };
    }

    /// The queried labels, separated by dots.
    byte[] bytes() {
        return host;
    }

    int length() {
        return length;
    }

    /// RFC 5782 5: every list of names lists this one, so that its users can see that it works.
    boolean isTestPoint() {
        return form == Form.NAME && length == 4 && host[0] == 't' && host[1] == 'e' && host[2] == 's' && host[3] == 't';
    }
}
