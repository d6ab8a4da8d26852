package org.bloomgate.decision.journal;

import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.text.TextForms;

/// The text of a decision's fields as searches compare it: without regard to case, an address also by its domain, a
/// URL also by its host.
final class SearchTerm {
    private SearchTerm() {}

    static String folded(String text) {
        return TextForms.lowerCase(text);
    }

    /// A Message-ID without its brackets and surrounding text.
    static String bare(String messageId) {
        int open = messageId.indexOf('<');
        int close = messageId.indexOf('>', open + 1);
        return open >= 0 && close > open ? messageId.substring(open + 1, close).strip() : messageId.strip();
    }

    /// In lower case, the host of a URL or of a key that begins with it, the domain of an address, the whole of
    /// anything else.
    static String host(String value) {
        int scheme = value.indexOf("//");
        String rest = scheme < 0 ? value : value.substring(scheme + 2);
        int slash = rest.indexOf('/');
        return MailAddress.domainOf(slash < 0 ? rest : rest.substring(0, slash));
    }
}
