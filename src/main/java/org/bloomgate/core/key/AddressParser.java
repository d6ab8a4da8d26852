package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.AsciiSet;
import org.bloomgate.core.url.Escapes;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.bloomgate.core.url.Trim;
import org.bloomgate.core.url.Utf8;

/// Parses a mail address from envelopes, header fields, `mailto:` links and feeds.
final class AddressParser {
    /// The longest text, and the longest canonical form, whose local part may be longer after case folding. RFC
    /// 5321 permits 256; SRS and escapes need more. The limit `addressChars`.
    static final int MAX_CHARS = 2000;

    /// The characters that end a domain if something follows it directly (`a@b.example&x` in links of Outlook).
    private static final String AFTER_DOMAIN = "&,;<>()\"'?# \t\r\n";

    private static final String SCHEME = "mailto:";

    private static final AsciiSet PLAIN = AsciiSet.lettersDigitsAnd(".-_+=");

    private AddressParser() {}

    static Optional<MailAddress> parse(String text) {
        String address = withoutScheme(text);
        if (address.length() > MAX_CHARS) {
            return Optional.empty();
        }
        int plain = plainAt(address);
        if (plain > 0) {
            String name = TextForms.lowerCase(address.substring(0, plain));
            return domainOf(address.substring(plain + 1))
                    .map(host -> new MailAddress(name, host))
                    .filter(AddressParser::fits);
        }
        String bare = withoutWrapping(unescape(withoutScheme(trim(address))));
        int at = bare.lastIndexOf('@');
        if (at <= 0) {
            return Optional.empty();
        }
        Optional<String> local = local(bare.substring(0, at));
        return local.flatMap(name -> domain(bare.substring(at + 1)).map(host -> new MailAddress(name, host)))
                .filter(AddressParser::fits);
    }

    /// The position of the `@` in an address of the common form, which needs no further rule; otherwise 0.
    private static int plainAt(String text) {
        int at = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '@' && at == 0) {
                at = i;
            } else if (!PLAIN.has(c)) {
                return 0;
            }
        }
        return at;
    }

    /// Whether the address fits in a key; for a host longer than DNS permits, the registrable domain is still
    /// looked up.
    private static boolean fits(MailAddress address) {
        int host = Math.min(address.domain().text().length(), Host.MAX_NAME_BYTES);
        return address.local().length() + 1 + host <= MAX_CHARS;
    }

    private static String withoutWrapping(String text) {
        String bare = trim(text);
        int open = lastBracket(bare);
        int close = bare.indexOf('>', open + 1);
        if (open >= 0 && close > open) {
            bare = trim(bare.substring(open + 1, close));
        }
        return trim(withoutComments(withoutScheme(bare)));
    }

    /// The part of a `mailto:` link before its query, which is never part of the address.
    private static String withoutScheme(String text) {
        int from = linkStart(text);
        if (from == 0) {
            return text;
        }
        int query = text.indexOf('?', from);
        return text.substring(from, query < 0 ? text.length() : query);
    }

    /// The start of the address in a link; 0 if the text is not a link.
    static int linkStart(String text) {
        if (!text.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return 0;
        }
        int from = SCHEME.length();
        while (from < text.length() && text.charAt(from) == '/') {
            from++;
        }
        return from;
    }

    /// The last `<` that is not within quotes; the last one of all if the quotes do not match.
    private static int lastBracket(String text) {
        int last = -1;
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            i += c == '\\' && quoted ? 1 : 0;
            quoted ^= c == '"';
            last = c == '<' && !quoted ? i : last;
        }
        return quoted ? text.lastIndexOf('<') : last;
    }

    private static String trim(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int from = Trim.start(bytes, 0, bytes.length);
        return Utf8.text(bytes, from, Trim.end(bytes, from, bytes.length));
    }

    /// Removes comments, which may be nested and are not recognized within quotes (RFC 5322, 3.2.2); an
    /// unclosed comment is text.
    private static String withoutComments(String text) {
        if (text.indexOf('(') < 0) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length());
        boolean quoted = false;
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quoted && i + 1 < text.length()) {
                result.append(c).append(text.charAt(++i));
                continue;
            }
            quoted ^= c == '"' && depth == 0;
            depth += c == '(' && !quoted ? 1 : 0;
            if (depth == 0) {
                result.append(c);
            }
            depth -= c == ')' && depth > 0 ? 1 : 0;
        }
        return depth == 0 ? result.toString() : text;
    }

    private static String unescape(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Utf8.text(bytes, 0, Escapes.unescape(bytes, 0, bytes.length));
    }

    private static Optional<String> local(String text) {
        String name = unquote(trim(fold(text)));
        boolean quoted = name.startsWith("\"");
        if (!quoted) {
            name = trim(name.substring(1 + lastSeparator(name)));
        }
        boolean whole = quoted ? isQuotedString(name) : isWord(name);
        boolean clean = name.chars().noneMatch(c -> c < ' ' || c == 0x7f);
        return whole && clean ? Optional.of(name) : Optional.empty();
    }

    /// Whether the only quotes without a backslash are the first and the last character (RFC 5322, 3.2.4).
    private static boolean isQuotedString(String name) {
        int close = 1;
        while (close < name.length() && name.charAt(close) != '"') {
            close += name.charAt(close) == '\\' ? 2 : 1;
        }
        return close == name.length() - 1;
    }

    /// Whether a local part has no misplaced quotes and brackets, with which it cannot be a mailbox.
    private static boolean isWord(String name) {
        return !name.isEmpty() && name.chars().noneMatch(c -> c == '"' || c == '(' || c == ')');
    }

    /// The last separator: a source route (`@relay.example:user`, RFC 5321, C), a group name or earlier
    /// addresses end there.
    private static int lastSeparator(String local) {
        int last = -1;
        for (int i = 0; i < local.length(); i++) {
            last = "<>,;: ".indexOf(local.charAt(i)) >= 0 ? i : last;
        }
        return last;
    }

    /// The text within quotes if it does not need them.
    private static String unquote(String local) {
        if (local.length() < 2 || !local.startsWith("\"") || !local.endsWith("\"")) {
            return local;
        }
        String inside = TextScan.unescaped(local.substring(1, local.length() - 1));
        boolean safe = !inside.isEmpty() && inside.chars().allMatch(AddressParser::isAtom);
        return safe ? inside : local;
    }

    /// Whether a character may be in a dot-atom (RFC 5322, 3.2.3; RFC 6532 beyond ASCII).
    private static boolean isAtom(int c) {
        return Character.isLetterOrDigit(c) || c >= 0x80 || "!#$%&'*+-/=?^_`{|}~.".indexOf(c) >= 0;
    }

    /// Folds the text; this comes first, because NFC turns U+037E into a separator.
    private static String fold(String local) {
        return TextForms.composed(TextForms.lowerCase(local));
    }

    private static Optional<Host> domain(String text) {
        String domain = trim(text);
        int end = 0;
        while (end < domain.length() && AFTER_DOMAIN.indexOf(domain.charAt(end)) < 0) {
            end++;
        }
        domain = domain.substring(0, end);
        if (domain.regionMatches(true, 0, "[IPv6:", 0, 6)) {
            domain = '[' + domain.substring(6);
        } else if (domain.startsWith("[") && domain.endsWith("]") && domain.indexOf(':') < 0) {
            domain = domain.substring(1, domain.length() - 1);
        }
        return domainOf(domain);
    }

    private static Optional<Host> domainOf(String text) {
        return Host.parse(text).filter(AddressParser::takesMail);
    }

    private static boolean takesMail(Host host) {
        return host.kind() != HostKind.NAME || (host.text().indexOf('.') >= 0 && !host.isEscaped());
    }
}
