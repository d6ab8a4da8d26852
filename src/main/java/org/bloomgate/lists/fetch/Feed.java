package org.bloomgate.lists.fetch;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.base.config.Inline;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Action;

/// One entry of `feeds.yaml`.
///
/// @param name lower-case letters, digits, `.`, `_`, `-`; unique, used in listings, metrics and file names
/// @param source a path relative to the working directory, a directory or a path with `*` or `?` for several
///     files, an `http:` or `https:` URL, `-` for stdin, or `dns:` and a zone that is queried for all
///     identifiers
/// @param category of the listings, any word that policy may refer to
/// @param match whether a listing includes names below it
/// @param use where in a message the listings apply; all places for passwords, which are in no message
/// @param effect the actions that its listings may cause
/// @param atConnect rejects a listed client before it may send anything; for networks that send only spam
/// @param trusted whether its entries pass the allow list
/// @param promoteHosts for feeds of URLs: a host is listed as a whole if the feeds of the layer with this
///     setting list this many of its URLs; 0: never
/// @param catalogue name of the catalogue entry whose settings apply where the feed has none; empty for none
/// @param retention how long a listing is kept after the feed last had it; zero for not at all
public record Feed(
        String name,
        FeedKind kind,
        FeedFormat format,
        String source,
        String category,
        Match match,
        Cadence cadence,
        Set<Use> use,
        @Inline Effect effect,
        boolean trusted,
        boolean atConnect,
        @Inline Position position,
        @Inline Transfer transfer,
        Duration retention,
        @Inline Confirming confirming,
        @Inline Bounds bounds,
        int promoteHosts,
        String catalogue) {

    private static final String ZONE_SCHEME = "dns:";

    /// The effect of the listings. It is part of the manifest and so applies with the next snapshot.
    ///
    /// @param action the strictest action; empty if policy decides
    /// @param shadow whether findings are only recorded and not enforced
    /// @param redistribute whether the licence of the list allows HTTP exports to pass it on
    public record Effect(Optional<Action> action, boolean shadow, boolean redistribute) {
        public Effect {
            action.ifPresent(cap -> Action.checkCap("action", cap));
        }

        static Effect defaults() {
            return new Effect(Optional.empty(), false, false);
        }
    }

    /// The position of the values in a file with other content.
    ///
    /// @param column of a CSV feed, by header name, or by number from 1 without a header
    /// @param path of a JSON feed: member names joined by `.`, `*` for every member; arrays are entered. If
    ///     absent, the values are at the top level of the document
    /// @param digest of the values, for domains and addresses that the publisher does not disclose
    public record Position(Optional<String> column, Optional<String> path, Digest digest) {
        static Position defaults() {
            return new Position(Optional.empty(), Optional.empty(), Digest.NONE);
        }
    }

    /// How the source is fetched and unpacked.
    ///
    /// @param allowPrivate lets the source be on a loopback, private or link-local address
    /// @param maxBytes bound of the transferred bytes
    /// @param maxUnpackedBytes bound of the unpacked bytes of a compressed feed
    /// @param timeout bound of the whole download
    /// @param auth credentials for its web server
    public record Transfer(
            boolean allowPrivate, long maxBytes, long maxUnpackedBytes, Duration timeout, FeedAuth auth) {
        private static final long GIB = 1L << 30;

        static Transfer defaults() {
            return new Transfer(false, 2 * GIB, 8 * GIB, Duration.ofMinutes(30), FeedAuth.none());
        }
    }

    /// How listings are confirmed, and the zone that confirms them or is the list.
    ///
    /// @param zone queried with [ConfirmationMethod#DNS]: its name in lower case, without a final dot;
    ///     otherwise empty
    /// @param answers categories by the address of the zone's answer; if empty, each of 127.0.0.2 to
    ///     127.0.0.255 means the feed's own category
    /// @param bits categories by a bit of the last byte of the zone's answer; instead of `answers`
    /// @param errors further answers that mean that the query was refused
    /// @param testPoint name that must be listed, instead of TEST or 127.0.0.2; empty for these
    /// @param keyEnv environment variable with the key that replaces `{key}` in the name of the zone
    /// @param keyFile file with that key, in its first line
    /// @param budget the longest time that a message waits for a list that is only a zone
    public record Confirming(
            ConfirmationMethod confirm,
            String zone,
            Map<String, String> answers,
            Map<String, String> bits,
            List<String> errors,
            String testPoint,
            String keyEnv,
            String keyFile,
            Duration budget) {
        public Confirming {
            answers = Map.copyOf(answers);
            bits = Map.copyOf(bits);
            errors = List.copyOf(errors);
        }

        /// The categories by address, with ranges written out.
        public Map<String, String> categories() {
            return ZoneRules.expanded(answers);
        }

        /// The further answers that mean "query refused", with ranges written out.
        public Set<String> refusals() {
            return errors.stream()
                    .flatMap(error -> ZoneRules.addresses(error).stream())
                    .collect(Collectors.toSet());
        }

        static Confirming defaults() {
            return new Confirming(
                    ConfirmationMethod.NONE, "", Map.of(), Map.of(), List.of(), "", "", "", Duration.ofMillis(20));
        }
    }

    /// Shares above which the feed is rejected; if absent, those of the rebuild apply.
    ///
    /// @param maxRejectShare of rejected lines, comments not counted
    /// @param maxHoldShare of entries held back
    /// @param maxShrinkShare of entries lost since the previous snapshot
    /// @param maxGrowthShare of entries added since the previous snapshot
    /// @param maxBlastShare of the messages of the last day that its new listings would have stopped
    public record Bounds(
            Optional<Double> maxRejectShare,
            Optional<Double> maxHoldShare,
            Optional<Double> maxShrinkShare,
            Optional<Double> maxGrowthShare,
            Optional<Double> maxBlastShare) {
        static Bounds defaults() {
            return new Bounds(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    public Feed {
        use = Set.copyOf(use);
        kind = position.digest() == Digest.SHA1 && !source.startsWith(ZONE_SCHEME) ? kind.digested() : kind;
    }

    /// The zone that is queried instead of fetching a list; empty for a list that is fetched.
    public Optional<String> queriedZone() {
        return source.startsWith(ZONE_SCHEME) ? Optional.of(source.substring(ZONE_SCHEME.length())) : Optional.empty();
    }

    /// The feed for one file of a source with several files.
    public Feed ofFile(String file, String path) {
        return new Feed(
                file,
                kind,
                format,
                path,
                category,
                match,
                cadence,
                use,
                effect,
                trusted,
                atConnect,
                position,
                transfer,
                retention,
                confirming,
                bounds,
                promoteHosts,
                catalogue);
    }

    /// Every problem, one line each that begins with its key; empty if the feed can be used.
    public List<String> problems() {
        return FeedRules.problems(this);
    }

    /// The defaults of `feeds.yaml`; name and source are required.
    public static Feed defaults() {
        return of("", FeedKind.DOMAIN, FeedFormat.LINES, "");
    }

    /// A feed of one kind with everything else at its default.
    public static Feed of(String name, KeyKind kind, FeedFormat format, String source) {
        return of(name, FeedKind.of(kind), format, source);
    }

    /// A feed with everything else at its default.
    public static Feed of(String name, FeedKind kind, FeedFormat format, String source) {
        return of(name, kind, format, source, Position.defaults());
    }

    /// A feed with everything else at its default.
    public static Feed of(String name, FeedKind kind, FeedFormat format, String source, Position position) {
        return new Feed(
                name,
                kind,
                format,
                source,
                "listed",
                Match.SUFFIX,
                Cadence.NIGHTLY,
                EnumSet.allOf(Use.class),
                Effect.defaults(),
                false,
                false,
                position,
                Transfer.defaults(),
                Duration.ZERO,
                Confirming.defaults(),
                Bounds.defaults(),
                0,
                "");
    }
}
