package org.bloomgate.core.key;

import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.config.Labelled;

/// The content of a feed: keys of one kind, or with [#AUTO] the kind that each entry states.
public enum FeedKind implements Labelled {
    ADDRESS(KeyKind.ADDRESS),
    DOMAIN(KeyKind.DOMAIN),
    URL(KeyKind.URL),
    PASSWORD(KeyKind.PASSWORD),
    HASH(KeyKind.HASH),
    KEYWORD(KeyKind.KEYWORD),
    NETWORK(KeyKind.NETWORK),
    DOMAIN_SHA1(KeyKind.DOMAIN_SHA1),
    ADDRESS_SHA1(KeyKind.ADDRESS_SHA1),
    PHONE(KeyKind.PHONE),
    /// Hosts and URLs in one list.
    AUTO(KeyKind.DOMAIN, KeyKind.URL);

    private static final List<FeedKind> ALL = List.of(values());

    @SuppressWarnings("ImmutableEnumChecker")
    private final List<KeyKind> kinds;

    FeedKind(KeyKind... kinds) {
        this.kinds = List.of(kinds);
    }

    /// The kind of feeds that contain only this kind of key.
    public static FeedKind of(KeyKind kind) {
        return ALL.stream()
                .filter(each -> each.kinds.equals(List.of(kind)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no feed holds " + kind.label()));
    }

    /// The name in configuration, manifests and reports.
    @Override
    public String label() {
        return this == AUTO ? "auto" : kinds.getFirst().label();
    }

    /// The kind of a feed whose entries are the SHA-1 of this kind.
    public FeedKind digested() {
        return switch (this) {
            case DOMAIN -> DOMAIN_SHA1;
            case ADDRESS -> ADDRESS_SHA1;
            default -> this;
        };
    }

    /// The kinds of its keys, at least one.
    public List<KeyKind> kinds() {
        return kinds;
    }

    public boolean holds(KeyKind kind) {
        return kinds.contains(kind);
    }

    /// The rules of all of its kinds.
    public Stream<KindRules> rules() {
        return kinds.stream().map(KeyKind::rules);
    }

    /// Whether entries are secret, so that they must not appear in a log, a report or a response.
    public boolean isSecret() {
        return rules().anyMatch(KindRules::isSecret);
    }
}
