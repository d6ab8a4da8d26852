package org.bloomgate.core.smtp;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// An attribute of XFORWARD or XCLIENT, which [Postfix](https://www.postfix.org/XFORWARD_README.html) [has
/// defined](https://www.postfix.org/XCLIENT_README.html). Values are xtext (RFC 3461 4) of at most 255 bytes
/// without control characters, encoded or not.
public enum IdentityAttribute {
    NAME("[A-Za-z0-9_]([A-Za-z0-9._-]{0,253}[A-Za-z0-9.])?"),
    ADDR(".{1,255}"),
    PORT("\\d{1,5}"),
    PROTO("[A-Za-z0-9-]{1,32}"),
    HELO("[^\\x00-\\x1f\\x7f]{1,255}"),
    IDENT("[^\\x00-\\x1f\\x7f]{1,255}"),
    SOURCE("LOCAL|REMOTE"),
    LOGIN("[^\\x00-\\x1f\\x7f]{1,255}"),
    DESTADDR(".{1,255}"),
    DESTPORT("\\d{1,5}");

    public static final List<IdentityAttribute> OF_XFORWARD = List.of(NAME, ADDR, PORT, PROTO, HELO, IDENT, SOURCE);
    public static final List<IdentityAttribute> OF_XCLIENT =
            List.of(NAME, ADDR, PORT, PROTO, HELO, LOGIN, DESTADDR, DESTPORT);

    private static final int LONGEST_VALUE = 255;
    private static final Pattern XTEXT = Pattern.compile("([!-*,-<>-~\\x80-\\xff]|\\+[0-9A-Fa-f]{2})*");
    private static final Pattern ENCODED = Pattern.compile("\\+([0-9A-Fa-f]{2})");
    private static final Pattern NOT_KNOWN = Pattern.compile("(?i)\\[(UNAVAILABLE|TEMPUNAVAIL)]");
    private static final String IPV6 = "IPV6:";

    private final Pattern value;

    IdentityAttribute(String value) {
        this.value = Pattern.compile(value);
    }

    /// The line of an EHLO reply that announces a command.
    public static String announcement(String command, List<IdentityAttribute> attributes) {
        return command + attributes.stream().map(Enum::name).collect(Collectors.joining(" ", " ", ""));
    }

    /// Parses the attributes of a command; an empty value means that the sender does not know it. Addresses
    /// have the form of [IpLiteral].
    ///
    /// @param arguments the text after the verb, one byte a character
    /// @param known the attributes that the command has
    public static Parsed<Map<IdentityAttribute, String>> parse(String arguments, List<IdentityAttribute> known) {
        Map<IdentityAttribute, String> values = new EnumMap<>(IdentityAttribute.class);
        for (String text : TextScan.split(arguments, c -> c == ' ')) {
            int equals = text.indexOf('=');
            String name = TextForms.upperCase(text.substring(0, Math.max(equals, 0)));
            Optional<IdentityAttribute> attribute =
                    known.stream().filter(one -> one.name().equals(name)).findFirst();
            Optional<String> read = attribute.flatMap(one -> one.read(text.substring(equals + 1)));
            if (read.isEmpty() || values.putIfAbsent(attribute.get(), read.get()) != null) {
                return new Parsed.Refused<>(Replies.SYNTAX);
            }
        }
        return new Parsed.Valid<>(values);
    }

    /// The decoded value; empty if the text is not a value of this attribute.
    private Optional<String> read(String xtext) {
        if (xtext.isEmpty()
                || xtext.length() > LONGEST_VALUE
                || !XTEXT.matcher(xtext).matches()) {
            return Optional.empty();
        }
        if (NOT_KNOWN.matcher(xtext).matches()) {
            return Optional.of("");
        }
        String text = ENCODED.matcher(xtext)
                .replaceAll(
                        found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
        return Optional.of(text).filter(plain -> value.matcher(plain).matches()).flatMap(this::normalized);
    }

    private Optional<String> normalized(String text) {
        return switch (this) {
            case ADDR, DESTADDR -> address(text).flatMap(IpLiteral::parse).map(IpLiteral::text);
            case PORT, DESTPORT -> Optional.of(text).filter(port -> Integer.parseInt(port) <= 65_535);
            case NAME, PROTO, HELO, IDENT, SOURCE, LOGIN -> Optional.of(text);
        };
    }

    /// The address without the prefix, which IPv6 addresses must have and IPv4 addresses must not.
    private static Optional<String> address(String text) {
        boolean prefixed = text.regionMatches(true, 0, IPV6, 0, IPV6.length());
        String bare = prefixed ? text.substring(IPV6.length()) : text;
        return Optional.of(bare).filter(address -> prefixed == address.indexOf(':') >= 0);
    }
}
