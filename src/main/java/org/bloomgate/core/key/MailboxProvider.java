package org.bloomgate.core.key;

import java.util.Set;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// Providers of personal mailboxes that deliver several spellings of an address to one mailbox.
final class MailboxProvider {
    private static final String GMAIL = "gmail.com";
    static final Set<String> IGNORES_DOTS = Set.of(GMAIL, "googlemail.com");

    private static final Set<String> CUTS_TAGS = Set.of(
            GMAIL,
            "googlemail.com",
            "outlook.com",
            "hotmail.com",
            "live.com",
            "msn.com",
            "icloud.com",
            "me.com",
            "mac.com",
            "proton.me",
            "protonmail.com",
            "pm.me",
            "fastmail.com",
            "fastmail.fm",
            "zoho.com");

    private MailboxProvider() {}

    /// Whether `user+tag` is the mailbox `user` at this provider.
    static boolean hasTags(String domain) {
        return CUTS_TAGS.contains(domain);
    }

    /// The address without dots and under one domain, if the provider ignores these differences.
    static MailAddress fold(MailAddress address) {
        if (!IGNORES_DOTS.contains(address.domain().text())) {
            return address;
        }
        String local = address.local().replace(".", "");
        return local.isEmpty() ? address : new MailAddress(local, new Host(GMAIL, HostKind.NAME));
    }
}
