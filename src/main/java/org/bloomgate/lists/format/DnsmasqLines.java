package org.bloomgate.lists.format;

import java.util.List;
import org.bloomgate.core.text.TextScan;

/// Options of dnsmasq that block a name and everything below it: `address=/name[/name..]/[sink]`,
/// `local=/name/` and `server=/name/` without a server. With one, or with `#` for the usual ones, the name is
/// an exception. Blanks may surround the sign and the names.
record DnsmasqLines() implements LineFormat {

    @Override
    public ParsedLine parse(String line) {
        String option = line.strip();
        if (option.isEmpty() || option.charAt(0) == '#') {
            return ParsedLine.COMMENT;
        }
        int sign = option.indexOf('=');
        int names = option.indexOf('/');
        int last = option.lastIndexOf('/');
        if (sign < 0
                || names < sign
                || last <= names + 1
                || !option.substring(sign + 1, names).isBlank()) {
            return new ParsedLine.Unreadable("not address=/name/");
        }
        String target = LineFormat.withoutInlineComment(option.substring(last + 1) + " ", "#")
                .strip();
        List<String> values = TextScan.split(option.substring(names + 1, last), c -> c == '/').stream()
                .map(String::strip)
                .toList();
        return switch (option.substring(0, sign).stripTrailing()) {
            case "address" -> new ParsedLine.Values(values, 0);
            case "local", "server" ->
                target.isEmpty() ? new ParsedLine.Values(values, 0) : new ParsedLine.Exceptions(values);
            default -> ParsedLine.unsupported("an option other than address, local, server");
        };
    }
}
