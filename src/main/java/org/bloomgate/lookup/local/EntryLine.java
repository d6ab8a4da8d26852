package org.bloomgate.lookup.local;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lookup.tier.Entry;

/// A local entry as text: a line of the file, an object of the admin API and of `--json`. What is empty is left out.
///
/// @param type `listing` or `exception`
/// @param value canonical text of the key
/// @param expires when it ends
/// @param error token of the decision that it takes back
/// @param authenticated false for an exception that counts for mail that only claims its sender; absent otherwise
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({
    "type",
    "kind",
    "value",
    "match",
    "feed",
    "category",
    "recipientDomain",
    "sender",
    "reason",
    "author",
    "added"
})
public record EntryLine(
        String type,
        String kind,
        String value,
        String match,
        String feed,
        String category,
        String recipientDomain,
        String sender,
        String reason,
        String author,
        String added,
        String expires,
        String error,
        Optional<Boolean> authenticated) {
    static EntryLine of(Entry entry) {
        return new EntryLine(
                entry.type().label(),
                entry.key().kind().label(),
                entry.key().text(),
                entry.match().label(),
                entry.scope().feed().orElse(""),
                entry.scope().category().orElse(""),
                entry.scope().recipientDomain().orElse(""),
                entry.scope().sender().orElse(""),
                entry.terms().reason(),
                entry.terms().author(),
                entry.terms().added().toString(),
                entry.terms().until().map(Instant::toString).orElse(""),
                entry.terms().error().orElse(""),
                entry.terms().authenticated() ? Optional.empty() : Optional.of(false));
    }

    /// The same for people and programs to see: the whole digest of a password is as good as the password.
    public static EntryLine shown(Entry entry) {
        EntryLine line = of(entry);
        return new EntryLine(
                line.type,
                line.kind,
                entry.key().kind().rules().mask(line.value),
                line.match,
                line.feed,
                line.category,
                line.recipientDomain,
                line.sender,
                line.reason,
                line.author,
                line.added,
                line.expires,
                line.error,
                line.authenticated);
    }

    /// The same for other machines: who made it and why stays where it was made.
    EntryLine shared() {
        return new EntryLine(
                type,
                kind,
                value,
                match,
                feed,
                category,
                recipientDomain,
                sender,
                "",
                "",
                added,
                expires,
                "",
                authenticated);
    }

    /// The same, without trusting the text. An unauthenticated exception needs a reason, which is not sent.
    EntryText text(String author) {
        return new EntryText(
                kind,
                value,
                match,
                feed,
                category,
                recipientDomain,
                sender,
                authenticated.isPresent() ? "unauthenticated" : "",
                expires,
                author,
                authenticated.orElse(true));
    }

    /// All but type, value and time, by name.
    Map<String, String> terms() {
        Map<String, String> terms = new HashMap<>(Map.of(
                "kind", kind,
                "match", match,
                "feed", feed,
                "category", category,
                "recipientDomain", recipientDomain,
                "sender", sender,
                "reason", reason,
                "author", author,
                "expires", expires.replaceFirst("[.][0-9]+Z$", "Z"),
                "error", error));
        authenticated.ifPresent(proved -> terms.put("authenticated", Boolean.toString(proved)));
        return terms;
    }

    /// @throws IllegalArgumentException when a field cannot be what was written; times are malformed with a
    ///     `DateTimeException`
    Entry entry() {
        return new Entry(
                oneOf(Entry.Type.values(), Entry.Type::label, type),
                key(),
                oneOf(Match.values(), Match::label, match),
                new Entry.Scope(given(feed), given(category), given(recipientDomain), given(sender)),
                new Entry.Terms(
                        reason,
                        author,
                        Instant.parse(added),
                        given(expires).map(Instant::parse),
                        given(error),
                        authenticated.orElse(true)));
    }

    private Key key() {
        Key key = new Key(KeyKind.ofLabel(kind).orElseThrow(() -> new IllegalArgumentException("kind")), value);
        if (value.isEmpty() || key.bytes().length == 0) {
            throw new IllegalArgumentException("value");
        }
        return key;
    }

    private static <T> T oneOf(T[] all, Function<T, String> label, String text) {
        return Stream.of(all)
                .filter(one -> label.apply(one).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text));
    }

    private static Optional<String> given(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
