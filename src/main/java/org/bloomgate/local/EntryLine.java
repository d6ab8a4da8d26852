package org.bloomgate.local;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.verdict.Exemption;

/// A local entry as text: a line of the file, an object of the admin API and of `--json`. What is empty is left out.
///
/// @param type `listing` or `exception`
/// @param value canonical text of the key
/// @param expires when it ends
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"type", "kind", "value", "match", "feed", "category", "recipientDomain", "reason", "author", "added"
})
public record EntryLine(
        String type,
        String kind,
        String value,
        String match,
        String feed,
        String category,
        String recipientDomain,
        String reason,
        String author,
        String added,
        String expires) {
    static final String LISTING = "listing";
    static final String EXCEPTION = "exception";

    static EntryLine of(LocalListing listing) {
        return new EntryLine(
                LISTING,
                listing.key().kind().label(),
                listing.key().text(),
                listing.match().label(),
                "",
                listing.category(),
                "",
                listing.reason(),
                listing.author(),
                listing.added().toString(),
                listing.until().map(Instant::toString).orElse(""));
    }

    static EntryLine of(Exemption exemption) {
        return new EntryLine(
                EXCEPTION,
                exemption.key().kind().label(),
                exemption.key().text(),
                exemption.match().label(),
                exemption.scope().feed().orElse(""),
                exemption.scope().category().orElse(""),
                exemption.scope().recipientDomain().orElse(""),
                exemption.reason(),
                exemption.author(),
                exemption.added().toString(),
                exemption.until().map(Instant::toString).orElse(""));
    }

    /// The same for people and programs to see: the whole digest of a password is as good as the password.
    EntryLine shown() {
        return new EntryLine(
                type,
                kind,
                KeyKind.ofLabel(kind).orElseThrow().rules().shown(value),
                match,
                feed,
                category,
                recipientDomain,
                reason,
                author,
                added,
                expires);
    }

    public static EntryLine shown(LocalListing listing) {
        return of(listing).shown();
    }

    public static EntryLine shown(Exemption exemption) {
        return of(exemption).shown();
    }

    /// @throws IllegalArgumentException when a field cannot be what was written; times are malformed with a
    ///     `DateTimeException`
    LocalListing listing() {
        return new LocalListing(key(), matching(), category, reason, author, Instant.parse(added), until());
    }

    /// @throws IllegalArgumentException as [#listing()]
    Exemption exemption() {
        Exemption.Scope scope = new Exemption.Scope(given(feed), given(category), given(recipientDomain));
        return new Exemption(key(), matching(), scope, reason, author, Instant.parse(added), until());
    }

    private Key key() {
        Key key = new Key(KeyKind.ofLabel(kind).orElseThrow(() -> new IllegalArgumentException("kind")), value);
        if (value.isEmpty() || key.octets().length == 0) {
            throw new IllegalArgumentException("value");
        }
        return key;
    }

    private Match matching() {
        return Match.ofLabel(match).orElseThrow(() -> new IllegalArgumentException("match"));
    }

    private Optional<Instant> until() {
        return given(expires).map(Instant::parse);
    }

    static Optional<String> given(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
