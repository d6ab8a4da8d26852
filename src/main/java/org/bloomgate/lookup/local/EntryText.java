package org.bloomgate.lookup.local;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;

/// A local entry as text, by field: what an operator typed or sent, a line of the file, and an object of the admin
/// API and of `--json`. An empty field is absent. Immutable.
public record EntryText(Map<Field, String> fields) {
    public static final EntryText EMPTY = new EntryText(Map.of());

    /// The fields, in the order of JSON.
    public enum Field {
        /// `listing` or `exception`.
        TYPE("type"),
        KIND("kind"),
        /// As an operator wrote it, or the canonical text of the key.
        VALUE("value"),
        MATCH("match"),
        FEED("feed"),
        CATEGORY("category"),
        RECIPIENT_DOMAIN("recipientDomain"),
        SENDER("sender"),
        REASON("reason"),
        AUTHOR("author"),
        /// An ISO instant.
        ADDED("added"),
        /// An ISO instant; from an operator also `7d`, `12h`, `30m`, or a date (UTC, from its first moment on).
        EXPIRES("expires"),
        /// Token of the decision that an exception takes back.
        ERROR("error"),
        /// `false` for an exception that counts for mail that only claims its sender. A boolean in JSON.
        AUTHENTICATED("authenticated"),
        /// The hardest action that a listing causes, `tag` or `quarantine`; no operator writes it.
        ACTION("action");

        private final String label;

        Field(String label) {
            this.label = label;
        }

        /// The name in JSON and in the query of a request.
        public String label() {
            return label;
        }
    }

    public EntryText {
        Map<Field, String> copy = new EnumMap<>(Field.class);
        copy.putAll(fields);
        copy.values().removeIf(String::isEmpty);
        fields = Collections.unmodifiableMap(copy);
    }

    /// A kind and a value alone.
    public static EntryText of(KeyKind kind, String value) {
        return EMPTY.with(Field.KIND, kind.label()).with(Field.VALUE, value);
    }

    /// The terms of an entry whose value is given elsewhere.
    public static EntryText ofTerms(String reason, String expires, String author) {
        return EMPTY.with(Field.REASON, reason).with(Field.EXPIRES, expires).with(Field.AUTHOR, author);
    }

    static EntryText of(Entry entry) {
        Entry.Scope scope = entry.scope();
        Entry.Terms terms = entry.terms();
        Map<Field, String> fields = new EnumMap<>(Field.class);
        fields.put(Field.TYPE, entry.type().label());
        fields.put(Field.KIND, entry.key().kind().label());
        fields.put(Field.VALUE, entry.key().text());
        fields.put(Field.MATCH, entry.match().label());
        fields.put(Field.FEED, scope.feed().orElse(""));
        fields.put(Field.CATEGORY, scope.category().orElse(""));
        fields.put(Field.RECIPIENT_DOMAIN, scope.recipientDomain().orElse(""));
        fields.put(Field.SENDER, scope.sender().orElse(""));
        fields.put(Field.REASON, terms.reason());
        fields.put(Field.AUTHOR, terms.author());
        fields.put(Field.ADDED, terms.added().toString());
        fields.put(Field.EXPIRES, terms.until().map(Instant::toString).orElse(""));
        fields.put(Field.ERROR, terms.error().orElse(""));
        fields.put(Field.AUTHENTICATED, terms.authenticated() ? "" : "false");
        fields.put(Field.ACTION, terms.action().map(Action::label).orElse(""));
        return new EntryText(fields);
    }

    /// The text that people and programs may see: the whole digest of a password is as good as the password.
    public static EntryText masked(Entry entry) {
        return of(entry)
                .with(Field.VALUE, entry.key().kind().rules().mask(entry.key().text()));
    }

    /// Reads a JSON object. Unknown fields are ignored.
    ///
    /// @throws IllegalArgumentException if a field does not have the type that it has in [#json()]
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static EntryText ofJson(Map<String, Object> object) {
        Map<Field, String> fields = new EnumMap<>(Field.class);
        for (Field field : Field.values()) {
            Optional<Object> value = Optional.ofNullable(object.get(field.label));
            if (value.isPresent()) {
                Class<?> type = field == Field.AUTHENTICATED ? Boolean.class : String.class;
                if (!type.isInstance(value.get())) {
                    throw new IllegalArgumentException(field.label);
                }
                fields.put(field, value.get().toString());
            }
        }
        return new EntryText(fields);
    }

    /// The JSON object.
    @JsonValue
    public Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        fields.forEach(
                (field, text) -> object.put(field.label, field == Field.AUTHENTICATED ? Boolean.valueOf(text) : text));
        return object;
    }

    /// The text of a field; empty if it is absent.
    public String get(Field field) {
        return fields.getOrDefault(field, "");
    }

    /// The text of a field, if it is present.
    Optional<String> find(Field field) {
        return Optional.ofNullable(fields.get(field));
    }

    /// The same with another text of a field.
    public EntryText with(Field field, String text) {
        if (get(field).equals(text)) {
            return this;
        }
        Map<Field, String> changed = new EnumMap<>(Field.class);
        changed.putAll(fields);
        changed.put(field, text);
        return new EntryText(changed);
    }

    /// The same with the country code of the regions, if the value is a phone number without one.
    public EntryText withCountryCode(PhoneNumbers regions) {
        return KeyKind.ofLabel(get(Field.KIND))
                .map(kind -> with(Field.VALUE, regions.withCode(kind, get(Field.VALUE))))
                .orElse(this);
    }

    boolean isAuthenticated() {
        return !get(Field.AUTHENTICATED).equals("false");
    }

    /// The entry of a text that was made from an entry.
    ///
    /// @throws IllegalArgumentException when it cannot have been made from one; malformed times throw a
    ///     `DateTimeException`
    Entry entry() {
        return new Entry(
                oneOf(Entry.Type.values(), Entry.Type::label, get(Field.TYPE)),
                key(),
                oneOf(Match.values(), Match::label, get(Field.MATCH)),
                new Entry.Scope(
                        find(Field.FEED), find(Field.CATEGORY), find(Field.RECIPIENT_DOMAIN), find(Field.SENDER)),
                new Entry.Terms(
                        get(Field.REASON),
                        get(Field.AUTHOR),
                        Instant.parse(get(Field.ADDED)),
                        find(Field.EXPIRES).map(Instant::parse),
                        find(Field.ERROR),
                        isAuthenticated(),
                        find(Field.ACTION).map(label -> oneOf(Action.values(), Action::label, label))));
    }

    private Key key() {
        KeyKind kind =
                KeyKind.ofLabel(get(Field.KIND)).orElseThrow(() -> new IllegalArgumentException(Field.KIND.label));
        Key key = new Key(kind, get(Field.VALUE));
        if (key.text().isEmpty() || key.bytes().length == 0) {
            throw new IllegalArgumentException(Field.VALUE.label);
        }
        return key;
    }

    private static <T> T oneOf(T[] all, Function<T, String> label, String text) {
        return Stream.of(all)
                .filter(value -> label.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text));
    }

    /// A password may be among the values.
    @Override
    public String toString() {
        return "EntryText[" + get(Field.KIND) + "]";
    }
}
