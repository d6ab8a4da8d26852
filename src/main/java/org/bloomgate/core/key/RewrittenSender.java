package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.Host;

/// Undoes the rewriting of envelope senders: SRS by forwarders, BATV (`prvs=`) by the sending site.
final class RewrittenSender {
    private static final int SRS_BYTES = "srs0=".length();
    private static final int SRS0_PARTS = 4;
    private static final int SRS1_PARTS = 3;

    private RewrittenSender() {}

    /// The address before the last rewriting. Local parts are in lower case here.
    static Optional<MailAddress> original(MailAddress rewritten) {
        String local = rewritten.local();
        if (local.startsWith("srs0") && local.length() > SRS_BYTES && isSeparator(local.charAt(4))) {
            return srs0(local.substring(SRS_BYTES));
        }
        if (local.startsWith("srs1") && local.length() > SRS_BYTES && isSeparator(local.charAt(4))) {
            return srs1(local.substring(SRS_BYTES));
        }
        if (local.startsWith("prvs=")) {
            return prvs(local.substring(5), rewritten.domain());
        }
        return Optional.empty();
    }

    private static boolean isSeparator(char c) {
        return c == '=' || c == '+' || c == '-';
    }

    /// `hash=day=domain=local`.
    private static Optional<MailAddress> srs0(String rest) {
        List<String> parts = TextScan.split(rest, c -> c == '=', SRS0_PARTS);
        return parts.size() < SRS0_PARTS ? Optional.empty() : MailAddress.parse(parts.get(3) + '@' + parts.get(2));
    }

    /// `hash=forwarder=` and the rest of `SRS0`, including its separator.
    private static Optional<MailAddress> srs1(String rest) {
        List<String> parts = TextScan.split(rest, c -> c == '=', SRS1_PARTS);
        boolean whole = parts.size() == SRS1_PARTS
                && parts.get(2).length() > 1
                && isSeparator(parts.get(2).charAt(0));
        return whole ? srs0(parts.get(2).substring(1)) : Optional.empty();
    }

    /// `tag=local`.
    private static Optional<MailAddress> prvs(String rest, Host domain) {
        int tag = rest.indexOf('=');
        return tag < 0 || tag + 1 == rest.length()
                ? Optional.empty()
                : Optional.of(new MailAddress(rest.substring(tag + 1), domain));
    }
}
