package org.bloomgate.lists.format;

import java.util.List;

/// Options of dnsmasq that take a name and everything below away: `address=/name[/name..]/[sink]`, `local=/name/` and
/// `server=/name/` without a server.
record DnsmasqLines() implements LineFormat {

    @Override
    public ParsedLine parse(String line) {
        String option = line.strip();
        if (option.isEmpty() || option.charAt(0) == '#') {
            return ParsedLine.COMMENT;
        }
        int names = option.indexOf("=/");
        int last = option.lastIndexOf('/');
        if (names < 0 || last <= names + 2) {
            return new ParsedLine.Unreadable("not address=/name/");
        }
        String target = LineFormat.withoutInlineComment(option.substring(last + 1) + " ", "#")
                .strip();
        List<String> values = List.of(option.substring(names + 2, last).split("/", -1));
        return switch (option.substring(0, names)) {
            case "address" -> new ParsedLine.Values(values, 0);
            case "local", "server" ->
                target.isEmpty()
                        ? new ParsedLine.Values(values, 0)
                        : ParsedLine.unsupported("a name that is forwarded");
            default -> ParsedLine.unsupported("an option other than address, local, server");
        };
    }
}
