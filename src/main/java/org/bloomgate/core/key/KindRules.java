package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The rules for all keys of one kind: how feed entries and looked-up values become keys, how a key is stored
/// and shown, and how many keys a message has. Stateless and thread-safe.
public interface KindRules {

    /// The one, most specific key of a feed entry, which is read strictly.
    FeedKey feedKey(String entry, PublicSuffixes suffixes);

    /// The original form of a feed's value, without the changes that reports and web pages make to it.
    default String restored(String value) {
        return value;
    }

    /// The values to look up for a single text: the text itself first, then the values wrapped in it. Empty if
    /// it has no canonical form of this kind.
    List<LookupValue> toLookupValues(String value);

    /// The average number of keys of the kind in a real message.
    double keysPerMessage();

    /// The false positive rate of the filter for each key looked up: a message has hundreds of keys and should
    /// have a needless exact lookup once in thousands of times.
    default double rate() {
        return 1e-6;
    }

    /// The bytes that are hashed and stored.
    default byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// The canonical text whose [#bytes(String)] these are.
    default String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    /// The host that a key names.
    default Optional<String> host(String text) {
        return Optional.empty();
    }

    /// The host that a key lists as a whole, with every page on it.
    default Optional<String> wholeHost(String text) {
        return Optional.empty();
    }

    /// The part of a key that people and programs may see.
    default String mask(String text) {
        return text;
    }

    /// Whether whole keys, and the values they are made from, are secret: they must not appear in a log, a
    /// report or a response.
    default boolean isSecret() {
        return false;
    }

    /// Whether feeds of the kind have a [Use]. Otherwise a value is listed at every place, and keys of the kind
    /// are extracted only if there is a feed of it.
    boolean hasUses();

    /// Whether several keys of the kind are needed to list a message.
    default boolean takesMany() {
        return false;
    }

    /// Whether keys are networks, many of which may contain one address: they are found by ranges, not by a
    /// filter.
    default boolean hasRanges() {
        return false;
    }

    /// Whether DNS zones answer for the kind (RFC 5782).
    default boolean hasZones() {
        return false;
    }
}
