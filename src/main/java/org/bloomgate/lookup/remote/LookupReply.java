package org.bloomgate.lookup.remote;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.UnknownReason;

/// The answer of `/v1/lookup`. A parsed record has all required fields; their values are checked when
/// they are converted to listings.
///
/// @param layers generation of each requested layer that the service has
/// @param answers one for each item, in order
@JsonPropertyOrder({"layers", "answers"})
public record LookupReply(Map<String, String> layers, List<KeyAnswer> answers) {
    public static final String LISTED = "listed";
    public static final String NOT_LISTED = "not listed";
    public static final String UNKNOWN = "unknown";

    private static final int MAX_NAME = 256;

    public LookupReply {
        Objects.requireNonNull(layers, "layers");
        Objects.requireNonNull(answers, "answers");
    }

    /// @param answer [#LISTED], [#NOT_LISTED] or [#UNKNOWN]
    /// @param reason why the answer is unknown
    @JsonPropertyOrder({"answer", "listings", "reason"})
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record KeyAnswer(String answer, Optional<List<Statement>> listings, Optional<String> reason) {
        public KeyAnswer {
            Objects.requireNonNull(answer, "answer");
        }

        public static KeyAnswer of(ExactAnswer answer) {
            return switch (answer) {
                case ExactAnswer.Listed(List<Listing> listings) ->
                    new KeyAnswer(
                            LISTED,
                            Optional.of(listings.stream().map(Statement::of).toList()),
                            Optional.empty());
                case ExactAnswer.NotListed _ -> new KeyAnswer(NOT_LISTED, Optional.empty(), Optional.empty());
                case ExactAnswer.Unknown unknown ->
                    new KeyAnswer(UNKNOWN, Optional.empty(), Optional.of(describeReason(unknown)));
            };
        }

        /// The reason of a store may name files of this machine, so it is not sent.
        private static String describeReason(ExactAnswer.Unknown unknown) {
            return UnknownReason.of(unknown).map(UnknownReason::label).orElse("store");
        }
    }

    /// The listing of the key by one feed.
    @JsonPropertyOrder({"feed", "category", "match", "uses", "firstSeen", "lastSeen", "count"})
    public record Statement(
            String feed,
            String category,
            String match,
            List<String> uses,
            String firstSeen,
            String lastSeen,
            long count) {
        public Statement {
            // Throws if a field is missing.
            List<Object> _ = List.of(feed, category, match, uses, firstSeen, lastSeen);
        }

        public static Statement of(Listing listing) {
            return new Statement(
                    listing.feed(),
                    listing.category(),
                    listing.match().label(),
                    listing.uses().stream().sorted().map(Use::label).toList(),
                    listing.firstSeen().toString(),
                    listing.lastSeen().toString(),
                    listing.count());
        }

        /// @throws IllegalArgumentException if a value is invalid
        public Listing toListing(Key key) {
            try {
                if (count < 0) {
                    throw new IllegalArgumentException("count " + count);
                }
                return new Listing(
                        requireName(feed),
                        requireName(category),
                        key,
                        Labelled.find(Match.class, match).orElseThrow(() -> new IllegalArgumentException("match")),
                        parseUses(uses),
                        Instant.parse(firstSeen),
                        Instant.parse(lastSeen),
                        count);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }

    /// Checks a name, because names are written to log lines and header fields.
    private static String requireName(String text) {
        boolean isValid =
                !text.isEmpty() && text.length() <= MAX_NAME && text.chars().noneMatch(Character::isISOControl);
        if (!isValid) {
            throw new IllegalArgumentException("not a name of a feed or category");
        }
        return text;
    }

    private static Set<Use> parseUses(List<String> labels) {
        Set<Use> uses = labels.stream()
                .flatMap(label -> Labelled.find(Use.class, label).stream())
                .collect(Collectors.toSet());
        if (uses.size() != labels.size()) {
            throw new IllegalArgumentException("uses");
        }
        return uses;
    }
}
