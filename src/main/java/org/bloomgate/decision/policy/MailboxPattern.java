package org.bloomgate.decision.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// The mailboxes that a rule applies to: one (`u@dest.example`), all of a domain (`dest.example`), or all of
/// the domains below one (`.dest.example`). Compared without regard to case; an international domain may be
/// written in either form.
///
/// @param text in lower case, the domain in A-labels
public record MailboxPattern(String text) {
    /// A host of the local network has a name without a dot.
    private static final Pattern LOCAL_NET = Pattern.compile("[^\\s@]+@[a-z0-9-]{1,63}");

    /// Characters of none of the three forms; the lenient address parser would accept some of them.
    private static final String UNWRITTEN = "*<>(),;:\"\\";

    /// Stands for the mailbox where only a domain is written.
    private static final String ANYBODY = "x@";

    /// @throws IllegalArgumentException if it is none of the three
    public static MailboxPattern of(String text) {
        String given = text.strip();
        int at = given.lastIndexOf('@');
        int other = TextScan.next(given, 0, c -> TextScan.isBlank(c) || UNWRITTEN.indexOf(c) >= 0);
        if (other < given.length() || given.contains("..") || given.endsWith(".")) {
            throw none(text);
        }
        if (at > 0) {
            return new MailboxPattern(canonical(given).orElseThrow(() -> none(text)));
        }
        boolean below = given.startsWith(".");
        return canonical(ANYBODY + given.substring(below ? 1 : 0))
                .filter(_ -> at < 0)
                .map(address -> (below ? "." : "") + MailAddress.domainOf(address))
                .map(MailboxPattern::new)
                .orElseThrow(() -> none(text));
    }

    private static IllegalArgumentException none(String text) {
        return new IllegalArgumentException("'" + text
                + "' is not a mailbox (u@dest.example), a domain (dest.example) or all names below one"
                + " (.dest.example)");
    }

    /// The rules that apply to a mailbox, the most general first: a later rule overrides an earlier one.
    static <R> List<R> matching(Map<MailboxPattern, R> rules, String mailbox) {
        List<R> found = new ArrayList<>();
        String address = canonical(mailbox).orElseGet(() -> TextForms.lowerCase(mailbox));
        String domain = MailAddress.domainOf(address);
        for (int dot = domain.lastIndexOf('.'); dot > 0; dot = domain.lastIndexOf('.', dot - 1)) {
            add(rules, domain.substring(dot), found);
        }
        add(rules, domain, found);
        if (!domain.equals(address)) {
            add(rules, address, found);
        }
        return found;
    }

    private static <R> void add(Map<MailboxPattern, R> rules, String text, List<R> found) {
        R rule = rules.get(new MailboxPattern(text));
        if (rule != null) {
            found.add(rule);
        }
    }

    private static Optional<String> canonical(String mailbox) {
        return MailAddress.parse(mailbox)
                .map(MailAddress::text)
                .or(() -> Optional.of(TextForms.lowerCase(mailbox))
                        .filter(plain -> LOCAL_NET.matcher(plain).matches()));
    }

    @Override
    public String toString() {
        return text;
    }
}
