package org.bloomgate.decision.authentication;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// The results of a trusted hop's Authentication-Results fields (RFC 8601 2.2).
final class AuthenticationResults {
    static final int MAX_FIELD_BYTES = 64 * 1024;

    /// The number of results in all fields; further ones are ignored.
    static final int MAX_RESULTS = 100;

    /// The properties that name the domain which a method authenticates; the first one counts. `header.i` is in the
    /// domain of the signature or below it (RFC 6376 3.5).
    private static final Map<String, List<String>> PROPERTIES = Map.of(
            "dkim", List.of("header.d", "header.i"), "spf", List.of("smtp.mailfrom"), "dmarc", List.of("header.from"));

    /// A result of one method for one domain.
    ///
    /// @param passes false if the hop could not find out
    record Claim(String method, String domain, boolean passes) {}

    private record Subject(String method, String domain) {}

    /// What one field says of a subject, the strongest first. One good signature of several is enough (RFC 6376 6.1).
    private enum Result {
        PASSED,
        UNDECIDED,
        NOT_PASSED
    }

    private AuthenticationResults() {}

    /// The methods and domains that pass, or could not be decided, and for which no other field has another result.
    ///
    /// @param fields values of the fields, each byte a character, from top to bottom
    /// @param authservIds whose fields count, in lower case
    static List<Claim> claims(List<String> fields, Set<String> authservIds) {
        Map<Subject, Set<Result>> results = new LinkedHashMap<>();
        int left = MAX_RESULTS;
        for (String field : fields) {
            List<List<String>> parts = field.length() > MAX_FIELD_BYTES ? List.of() : parts(field);
            if (parts.isEmpty()
                    || parts.getFirst().isEmpty()
                    || !authservIds.contains(
                            TextForms.lowerCase(parts.getFirst().getFirst()))) {
                continue;
            }
            Map<Subject, Result> resultsOfField = new LinkedHashMap<>();
            for (List<String> part : parts.subList(1, parts.size())) {
                if (left-- > 0) {
                    add(part, resultsOfField);
                }
            }
            resultsOfField.forEach(
                    (subject, result) -> results.computeIfAbsent(subject, _ -> EnumSet.noneOf(Result.class))
                            .add(result));
        }
        List<Claim> claims = new ArrayList<>();
        results.forEach((subject, values) -> {
            if (values.size() == 1 && !values.contains(Result.NOT_PASSED)) {
                claims.add(new Claim(subject.method(), subject.domain(), values.contains(Result.PASSED)));
            }
        });
        return claims;
    }

    /// `method[/version] = result [reason = text] *(ptype.property = value)`, as tokens.
    private static void add(List<String> tokens, Map<Subject, Result> results) {
        Map<String, String> pairs = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i + 2 < tokens.size(); i += 3) {
            if (!tokens.get(i + 1).equals("=")) {
                return;
            }
            String name = TextForms.lowerCase(tokens.get(i));
            names.add(name);
            // a repeated property is ambiguous
            if (pairs.put(name, tokens.get(i + 2)) != null) {
                return;
            }
        }
        if (names.isEmpty() || tokens.size() % 3 != 0) {
            return;
        }
        String method = TextScan.split(names.getFirst(), c -> c == '/', 2).getFirst();
        Result result = switch (TextForms.lowerCase(pairs.getOrDefault(names.getFirst(), ""))) {
            case "pass" -> Result.PASSED;
            case "temperror" -> Result.UNDECIDED;
            default -> Result.NOT_PASSED;
        };
        domain(method, pairs)
                .ifPresent(domain -> results.merge(
                        new Subject(method, domain), result, (one, other) -> one.compareTo(other) < 0 ? one : other));
    }

    private static Optional<String> domain(String method, Map<String, String> pairs) {
        return PROPERTIES.getOrDefault(method, List.of()).stream()
                .flatMap(property -> Optional.ofNullable(pairs.get(property)).stream())
                .findFirst()
                .map(MailAddress::domainOf);
    }

    /// The tokens between semicolons: words, quoted strings without their quotes, and `=`. Comments are left
    /// out. Empty if a comment or a quoted string does not end.
    private static List<List<String>> parts(String field) {
        List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        int comments = 0;
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if ((quoted || comments > 0) && c == '\\' && i + 1 < field.length()) {
                i++;
                word.append(quoted ? field.substring(i, i + 1) : "");
            } else if (quoted) {
                quoted = c != '"';
                word.append(quoted ? String.valueOf(c) : "");
            } else if (comments > 0 || c == '(') {
                comments += c == '(' ? 1 : c == ')' ? -1 : 0;
            } else if (c == '"') {
                quoted = true;
            } else if (c == '=' && !word.isEmpty() && endsWithEquals(parts.getLast())) {
                // within a value, as in an address of BATV or in Base64
                word.append(c);
            } else if (c == ';' || c == '=' || c <= ' ') {
                end(word, parts.getLast());
                if (c == '=') {
                    parts.getLast().add("=");
                } else if (c == ';') {
                    parts.add(new ArrayList<>());
                }
            } else {
                word.append(c);
            }
        }
        end(word, parts.getLast());
        return quoted || comments > 0 ? List.of() : parts;
    }

    private static boolean endsWithEquals(List<String> tokens) {
        return !tokens.isEmpty() && tokens.getLast().equals("=");
    }

    private static void end(StringBuilder word, List<String> tokens) {
        if (!word.isEmpty()) {
            tokens.add(word.toString());
            word.setLength(0);
        }
    }
}
