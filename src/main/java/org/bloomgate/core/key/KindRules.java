package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The rules for all keys of one kind: how feed entries and queried values become keys, how a key is stored and
/// named, how often mail contains one. Stateless and thread-safe.
public interface KindRules {

    /// The one, most specific key of a feed entry, read to the letter.
    FeedKey feedKey(String entry, PublicSuffixes suffixes);

    /// The same of bytes, which need not be valid UTF-8.
    default FeedKey feedKey(byte[] bytes, int from, int to, PublicSuffixes suffixes) {
        return feedKey(new String(bytes, from, to - from, StandardCharsets.UTF_8), suffixes);
    }

    /// A value of a feed without what reports and web pages do to it on its way.
    default String restored(String value) {
        return value;
    }

    /// The keys as which a single queried value may be listed: its own form first, then the values wrapped
    /// inside. Empty if it has no canonical form of this kind.
    List<LookupValue> queried(String value);

    /// The number of keys of the kind in a message, on average over real mail.
    double askedPerMail();

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
    default String shown(String text) {
        return text;
    }

    /// Whether a whole key, or the value it was made of, must not be seen: not in a log, a report or an answer.
    default boolean isSecret() {
        return false;
    }

    /// True if feeds of the kind state where they apply ([Use]). Otherwise a value is listed at every place,
    /// and keys of the kind are extracted only with a feed of it.
    boolean hasUses();

    /// Whether it takes several keys of the kind to list a message.
    default boolean takesMany() {
        return false;
    }

    /// True if keys are networks, many of which contain one address: they are found by ranges and not by a
    /// filter.
    default boolean hasRanges() {
        return false;
    }

    /// Whether DNS zones answer for the kind (RFC 5782).
    default boolean hasZones() {
        return false;
    }
}
