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

    /// True when `user+tag` is `user` there.
    static boolean hasTags(String domain) {
        return CUTS_TAGS.contains(domain);
    }

    /// Without dots and under one domain where the provider sees no difference.
    static MailAddress fold(MailAddress address) {
        if (!IGNORES_DOTS.contains(address.domain().text())) {
            return address;
        }
        String local = address.local().replace(".", "");
        return local.isEmpty() ? address : new MailAddress(local, new Host(GMAIL, HostKind.NAME));
    }
}
