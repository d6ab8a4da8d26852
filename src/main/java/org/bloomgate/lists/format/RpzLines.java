package org.bloomgate.lists.format;

import java.util.List;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// A response policy zone (draft-vixie-dnsop-dns-rpz): `name [ttl] [IN] CNAME .` and other actions, as
/// publishers write it, as a transfer gives it with absolute names, or as BIND saves it with an `$ORIGIN` for
/// each group of names. Pass-through, TCP only and a name that is an alias of itself are exceptions. Triggers
/// on addresses or name servers are not names and unsupported.
final class RpzLines implements LineFormat {
    private static final Set<String> STRUCTURE =
            Set.of("SOA", "NS", "RRSIG", "DNSKEY", "NSEC", "NSEC3", "NSEC3PARAM", "ZONEMD");
    private static final Set<String> ACTIONS = Set.of("CNAME", "A", "AAAA", "TXT", "MX", "DNAME", "HTTPS", "SVCB");
    private static final Set<String> EXCEPTION_TARGETS = Set.of("rpz-passthru.", "rpz-tcp-only.");
    private static final List<String> TRIGGERS = List.of(".rpz-ip", ".rpz-nsdname", ".rpz-nsip", ".rpz-client-ip");

    private final ZoneOrigin origin = new ZoneOrigin();
    private boolean inParentheses;

    @Override
    public boolean isStateless() {
        return false;
    }

    @Override
    public ParsedLine parse(String line) {
        int comment = line.indexOf(';');
        String record = (comment < 0 ? line : line.substring(0, comment)).stripTrailing();
        if (inParentheses) {
            inParentheses = record.indexOf(')') < 0;
            return ParsedLine.COMMENT;
        }
        if (record.isEmpty() || record.charAt(0) == '#') {
            return ParsedLine.COMMENT;
        }
        List<String> words = LineFormat.splitWords(record);
        if (record.charAt(0) == '$') {
            origin.directive(words);
            return ParsedLine.COMMENT;
        }
        inParentheses = record.indexOf('(') >= 0 && record.indexOf(')') < 0;
        // A record that begins with a blank has the owner of the previous one.
        return Character.isWhitespace(record.charAt(0)) ? ParsedLine.COMMENT : owned(words);
    }

    private ParsedLine owned(List<String> words) {
        int type = 1;
        while (type < words.size() && (words.get(type).equalsIgnoreCase("IN") || isTtl(words.get(type)))) {
            type++;
        }
        if (type >= words.size()) {
            return new ParsedLine.Unreadable("not a record: name CNAME .");
        }
        String owner = TextForms.lowerCase(words.getFirst());
        String name = TextForms.upperCase(words.get(type));
        if (STRUCTURE.contains(name)) {
            if (name.equals("SOA")) {
                origin.apex(owner);
            }
            return ParsedLine.COMMENT;
        }
        if (!ACTIONS.contains(name)) {
            return ParsedLine.unsupported("a record type without an action");
        }
        List<String> target = words.subList(type + 1, words.size());
        return origin.withinZone(owner)
                .map(within -> action(within, name.equals("CNAME") ? target : List.of()))
                .orElseGet(() -> ParsedLine.unsupported("an absolute name outside the zone"));
    }

    /// @param name the owner name without that of the zone
    /// @param alias the words after CNAME; empty for another type of record
    private static ParsedLine action(String name, List<String> alias) {
        String target = alias.isEmpty() ? "" : TextForms.lowerCase(alias.getFirst());
        boolean exception = EXCEPTION_TARGETS.contains(target) || target.equals(name + ".");
        if (TRIGGERS.stream().anyMatch(name::endsWith)) {
            return ParsedLine.unsupported("a trigger on addresses or name servers");
        }
        return exception ? ParsedLine.exception(name) : ParsedLine.value(name);
    }

    private static boolean isTtl(String word) {
        return Character.isDigit(word.charAt(0)) && word.chars().allMatch(Character::isLetterOrDigit);
    }
}
