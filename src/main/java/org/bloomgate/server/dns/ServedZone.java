package org.bloomgate.server.dns;

import static org.bloomgate.server.dns.ZoneOptions.DEFAULT_CODE;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LocalRules;

/// One zone: the listings in it, and their address and text. Immutable and thread-safe.
final class ServedZone {
    /// The most records of one answer: distinct addresses, or texts.
    static final int MAX_RECORDS = 16;

    /// The timers of the SOA record; the zone is never transferred.
    static final int REFRESH_SECONDS = 3_600;

    static final int RETRY_SECONDS = 600;
    static final int EXPIRE_SECONDS = 86_400;

    /// The longest time that "not listed" may be cached, and so the delay of a new listing.
    private static final int NEGATIVE_TTL_SECONDS = 60;

    private static final int MAX_STRING = 255;

    private final byte[] wire;
    private final byte[] nameServer;
    private final byte[] mailbox;
    private final Set<KeyKind> kinds;
    private final boolean ofNames;
    private final boolean ofAddresses;
    private final Set<String> feeds;
    private final Map<String, ReturnCode> codes;
    private final RejectedCategories rejected;
    private final int ttlSeconds;
    private final String text;

    /// @param host the name server in the zone's records; the mailbox is `hostmaster` at this host
    /// @param rejected categories that are in the zone although they have no code of their own
    ServedZone(DnsName name, ZoneOptions options, DnsName host, RejectedCategories rejected) {
        this.wire = name.wire();
        this.nameServer = host.wire();
        this.mailbox = new DnsName("hostmaster." + host.text()).wire();
        this.kinds = options.kinds();
        this.ofNames = kinds.contains(KeyKind.DOMAIN);
        this.ofAddresses = kinds.contains(KeyKind.NETWORK);
        this.feeds = Set.copyOf(options.feeds());
        this.codes = options.codes();
        this.rejected = rejected;
        this.ttlSeconds = Math.toIntExact(options.ttl().toSeconds());
        this.text = options.text();
    }

    /// True if keys of the kind can be queried by DNS: as [QueryName] or [QueryAddress].
    static boolean answersFor(KeyKind kind) {
        return kind == KeyKind.DOMAIN || kind == KeyKind.NETWORK;
    }

    /// True if the zone contains this listing. Entries of operators that may reject are in every zone.
    boolean contains(Listing listing) {
        return isQueriedFor(listing.key().kind())
                && !listing.source().isInShadow()
                && (isLocal(listing)
                        ? mayReject(listing.source())
                        : ofFeeds(listing.feed())
                                && (hasCode(listing.category())
                                        || (mayReject(listing.source()) && rejected.rejects(listing.category()))));
    }

    /// False for what may only tag messages: clients of the zone reject what is listed in it.
    private static boolean mayReject(ListingSource source) {
        return source.action().orElse(Action.REJECT) == Action.REJECT;
    }

    /// A host is queried by its name, whether it is listed by name or by digest.
    private boolean isQueriedFor(KeyKind kind) {
        return kinds.contains(kind == KeyKind.DOMAIN_SHA1 ? KeyKind.DOMAIN : kind);
    }

    boolean isOfNames() {
        return ofNames;
    }

    boolean isOfAddresses() {
        return ofAddresses;
    }

    private boolean ofFeeds(String feed) {
        return feeds.isEmpty() || feeds.contains(feed);
    }

    /// Whether listings of the category are in the zone, by their own address or by the default one.
    boolean contains(String category) {
        return hasCode(category) || rejected.rejects(category);
    }

    private boolean hasCode(String category) {
        return !category.equals(DEFAULT_CODE) && codes.containsKey(category);
    }

    private static boolean isLocal(Listing listing) {
        return listing.feed().equals(LocalRules.LAYER);
    }

    /// The address for a listing in the zone.
    ReturnCode code(Listing listing) {
        ReturnCode own = codes.get(listing.category());
        return own == null || isLocal(listing) ? defaultCode() : own;
    }

    ReturnCode defaultCode() {
        return codes.getOrDefault(DEFAULT_CODE, ReturnCode.DEFAULT);
    }

    /// The text for a category, one string of at most 255 bytes; empty when the zone has none.
    Optional<byte[]> text(String name, String category) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        byte[] whole = TextScan.printable(text.replace("{category}", category).replace("{name}", name))
                .getBytes(StandardCharsets.US_ASCII);
        return Optional.of(whole.length > MAX_STRING ? Arrays.copyOf(whole, MAX_STRING) : whole);
    }

    int ttlSeconds() {
        return ttlSeconds;
    }

    int negativeTtlSeconds() {
        return Math.min(NEGATIVE_TTL_SECONDS, ttlSeconds);
    }

    /// The label of the question at which the zone's name begins, or -1 if the name is not in this zone.
    int labelIn(Question question) {
        int from = question.nameEnd() - wire.length;
        for (int label = 0; label <= question.labels(); label++) {
            if (question.label(label) >= from) {
                boolean same = question.label(label) == from
                        && Arrays.equals(wire, 0, wire.length, question.lower(), from, question.nameEnd());
                return same ? label : -1;
            }
        }
        return -1;
    }

    int nameBytes() {
        return wire.length;
    }

    /// As in a message; shared, not to be changed.
    byte[] nameServer() {
        return nameServer;
    }

    /// As in a message; shared, not to be changed.
    byte[] mailbox() {
        return mailbox;
    }

    /// The zones of a configuration, those with the longest names first, so that a name in two zones belongs to
    /// the lower one.
    static List<ServedZone> allOf(DnsListenerOptions options, DnsName host, RejectedCategories rejected) {
        return options.zones().entrySet().stream()
                .map(zone -> new ServedZone(zone.getKey(), zone.getValue(), host, rejected))
                .sorted((one, other) -> Integer.compare(other.nameBytes(), one.nameBytes()))
                .toList();
    }
}
