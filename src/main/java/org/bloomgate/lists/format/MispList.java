package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.Excerpt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A MISP warning list as an allow list: a JSON object with a `type` and a `list`. Names (`string`, `hostname`) are
/// allowed individually; `substring`, `regex` and `cidr` are rules for the host of an entry.
///
/// @param names of types `string` and `hostname`
/// @param rules of the other types
record MispList(List<String> names, List<Rule> rules) {
    private static final Logger LOG = LoggerFactory.getLogger(MispList.class);

    /// The number of expressions that a log line shows.
    private static final int MAX_NAMED = 5;

    /// A rule that holds hosts back.
    interface Rule {

        /// The entry of the list that matches the host; empty if none does.
        Optional<String> matchingEntry(String host);
    }

    /// @throws IOException if it is not a warning list, or of an unknown type
    static MispList read(String file, InputStream in) throws IOException {
        JsonNode root;
        try {
            root = JsonStream.readTree(in);
        } catch (JsonProcessingException e) {
            throw new IOException("allow list " + file + ": not JSON: " + e.getOriginalMessage(), e);
        }
        List<String> entries = new ArrayList<>();
        root.path("list")
                .forEach(entry -> entries.add(TextForms.lowerCase(entry.asText().strip())));
        String type = root.path("type").asText();
        entries.removeIf(String::isEmpty);
        return switch (type) {
            case "string", "hostname" -> new MispList(entries, List.of());
            case "substring" -> new MispList(List.of(), List.of(new Substrings(entries)));
            case "cidr" -> new MispList(List.of(), List.of(new Networks(file, entries)));
            case "regex" -> new MispList(List.of(), List.of(new Expressions(file, root.path("list"))));
            default ->
                throw new IOException("allow list " + file + ": type '" + type
                        + "' is none of string, hostname, substring, cidr, regex");
        };
    }

    /// Substrings, indexed by their first characters, as there may be thousands.
    private static final class Substrings implements Rule {
        private static final int HEAD = 3;

        private final Map<String, List<String>> byHead = new HashMap<>();

        Substrings(List<String> entries) {
            entries.forEach(entry -> byHead.computeIfAbsent(head(entry, 0), head -> new ArrayList<>())
                    .add(entry));
        }

        private static String head(String text, int from) {
            return text.substring(from, Math.min(text.length(), from + HEAD));
        }

        @Override
        public Optional<String> matchingEntry(String host) {
            for (int from = 0; from < host.length(); from++) {
                for (int length = 1; length <= HEAD && from + length <= host.length(); length++) {
                    int at = from;
                    Optional<String> match =
                            byHead.getOrDefault(host.substring(from, from + length), List.of()).stream()
                                    .filter(entry -> host.startsWith(entry, at))
                                    .findFirst();
                    if (match.isPresent()) {
                        return match;
                    }
                }
            }
            return Optional.empty();
        }
    }

    private static final class Networks implements Rule {
        private final List<Network> networks = new ArrayList<>();

        Networks(String file, List<String> entries) throws IOException {
            for (String entry : entries) {
                try {
                    networks.add(Network.of(entry));
                } catch (IllegalArgumentException e) {
                    throw new IOException(
                            "allow list " + file + ": '" + Excerpt.of(entry) + "' is not an address or network", e);
                }
            }
        }

        @Override
        public Optional<String> matchingEntry(String host) {
            boolean bracketed = host.startsWith("[") && host.endsWith("]");
            return IpLiteral.parse(bracketed ? host.substring(1, host.length() - 1) : host)
                    .flatMap(address -> networks.stream()
                            .filter(network -> network.contains(address))
                            .map(Network::text)
                            .findFirst());
        }
    }

    /// Regular expressions, searched by RE2/J in time linear in the length of the host. RE2 has no lookaround
    /// and no back references.
    private static final class Expressions implements Rule {
        private final List<Pattern> patterns = new ArrayList<>();

        /// @throws IOException if none of the expressions is valid
        Expressions(String file, JsonNode list) throws IOException {
            List<String> unreadable = new ArrayList<>();
            for (JsonNode entry : list) {
                String expression = entry.asText();
                boolean delimited = expression.length() > 1 && expression.startsWith("/") && expression.endsWith("/");
                String bare = delimited ? expression.substring(1, expression.length() - 1) : expression;
                try {
                    patterns.add(Pattern.compile(bare, Pattern.CASE_INSENSITIVE));
                } catch (PatternSyntaxException e) {
                    unreadable.add("'" + Excerpt.of(expression) + "'");
                }
            }
            if (!unreadable.isEmpty() && patterns.isEmpty()) {
                throw new IOException(
                        "allow list " + file + ": " + unreadable.getFirst() + " is not a regular expression of RE2");
            }
            if (!unreadable.isEmpty()) {
                LOG.warn(
                        "allow list {}: skipped {} of {} expressions, which are not of RE2: {}",
                        file,
                        unreadable.size(),
                        list.size(),
                        String.join(", ", unreadable.subList(0, Math.min(MAX_NAMED, unreadable.size()))));
            }
        }

        @Override
        public Optional<String> matchingEntry(String host) {
            return patterns.stream()
                    .filter(pattern -> pattern.matcher(host).find())
                    .map(Pattern::pattern)
                    .findFirst();
        }
    }
}
