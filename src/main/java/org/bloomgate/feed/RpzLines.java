package org.bloomgate.feed;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A response policy zone (draft-vixie-dnsop-dns-rpz): `name [ttl] [IN] CNAME .` and other actions. Names are
/// relative to the zone. Pass-through is an exception, and triggers on addresses or name servers are no names: both
/// are unsupported.
final class RpzLines implements LineFormat {
    private static final Set<String> STRUCTURE = Set.of("SOA", "NS", "RRSIG", "DNSKEY", "NSEC", "NSEC3", "NSEC3PARAM");
    private static final Set<String> ACTIONS = Set.of("CNAME", "A", "AAAA", "TXT", "MX", "DNAME");
    private static final List<String> TRIGGERS = List.of(".rpz-ip", ".rpz-nsdname", ".rpz-nsip", ".rpz-client-ip");

    private boolean inParentheses;

    @Override
    public ParsedLine parse(String line) {
        int comment = line.indexOf(';');
        String record = (comment < 0 ? line : line.substring(0, comment)).stripTrailing();
        if (inParentheses) {
            inParentheses = record.indexOf(')') < 0;
            return ParsedLine.COMMENT;
        }
        if (record.isEmpty() || record.charAt(0) == '$') {
            return ParsedLine.COMMENT;
        }
        inParentheses = record.indexOf('(') >= 0 && record.indexOf(')') < 0;
        // A record that begins with a blank adds to the owner of the one before.
        return Character.isWhitespace(record.charAt(0)) ? ParsedLine.COMMENT : owned(LineFormat.words(record));
    }

    private static ParsedLine owned(List<String> words) {
        int type = 1;
        while (type < words.size() && (words.get(type).equalsIgnoreCase("IN") || isTtl(words.get(type)))) {
            type++;
        }
        if (type >= words.size()) {
            return new ParsedLine.Unreadable("not a record: name CNAME .");
        }
        String name = words.get(type).toUpperCase(Locale.ROOT);
        if (STRUCTURE.contains(name)) {
            return ParsedLine.COMMENT;
        }
        if (!ACTIONS.contains(name)) {
            return ParsedLine.unsupported("a record type without an action");
        }
        return action(words.getFirst().toLowerCase(Locale.ROOT), words.subList(type + 1, words.size()));
    }

    private static ParsedLine action(String owner, List<String> target) {
        if (target.stream().anyMatch(word -> word.equalsIgnoreCase("rpz-passthru."))) {
            return ParsedLine.unsupported("a pass-through rule");
        }
        if (TRIGGERS.stream().anyMatch(owner::endsWith)) {
            return ParsedLine.unsupported("a trigger on addresses or name servers");
        }
        if (owner.endsWith(".")) {
            return ParsedLine.unsupported("an absolute name, which holds the zone's own");
        }
        return ParsedLine.value(owner);
    }

    private static boolean isTtl(String word) {
        return Character.isDigit(word.charAt(0)) && word.chars().allMatch(Character::isLetterOrDigit);
    }
}
