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
import org.bloomgate.lookup.lookup.Action;

/// One entry of `feeds.yaml`.
///
/// @param name lower-case letters, digits, `.`, `_`, `-`; unique, used in listings, metrics and file names
/// @param source a path relative to the working directory, a directory or a path with `*` or `?` for several
///     files, an `http:` or `https:` URL, `-` for stdin, or `dns:` and a zone that is queried for all
///     identifiers
/// @param category of the listings, a free word that policy may refer to
/// @param match how far each listing reaches
/// @param use where in a message the listings apply; all of it for passwords, which stand in no message
/// @param effect what its listings may lead to
/// @param atConnect rejects a listed client before it may send anything; for networks that send nothing wanted
/// @param trusted lifts the allow-list gate for this feed
/// @param promoteHosts of a URL feed: a host is listed as a whole when this many of its URLs are, by the
///     feeds of the layer that have this; 0: never
/// @param catalogue name of the entry of the catalogue whose keys apply where the feed has none; empty: none
/// @param retention how long a listing lives on after the feed was last seen to hold it; zero: not at all
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

    /// The same feed, whose download may take no longer than this.
    public Feed within(Duration time) {
        if (transfer.timeout().compareTo(time) <= 0) {
            return this;
        }
        Transfer shorter = new Transfer(
                transfer.allowPrivate(), transfer.maxBytes(), transfer.maxUnpackedBytes(), time, transfer.auth());
        return new Feed(
                name,
                kind,
                format,
                source,
                category,
                match,
                cadence,
                use,
                effect,
                trusted,
                atConnect,
                position,
                shorter,
                retention,
                confirming,
                bounds,
                promoteHosts,
                catalogue);
    }

    /// The effect of the listings. It is part of the manifest and so applies with the next snapshot.
    ///
    /// @param action the hardest; empty leaves it to policy
    /// @param shadow true tries the feed: what it would do is recorded, nothing is done
    /// @param redistribute true if the licence of the list allows it to be passed on to others by HTTP exports
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
    /// @param path of a JSON feed: member names joined by `.`, `*` for every member; arrays are entered. Left out,
    ///     the document itself holds the values
    /// @param digest of the values, for domains and addresses whose publisher does not give them away
    public record Position(Optional<String> column, Optional<String> path, Digest digest) {
        static Position defaults() {
            return new Position(Optional.empty(), Optional.empty(), Digest.NONE);
        }
    }

    /// How the source is fetched and unpacked.
    ///
    /// @param allowPrivate lets the source be on a loopback, private or link-local address
    /// @param maxBytes bound of what is fetched, as transferred
    /// @param maxUnpackedBytes bound of what a compressed feed unpacks to
    /// @param timeout bound of a whole download
    /// @param auth credentials for its web server
    public record Transfer(
            boolean allowPrivate, long maxBytes, long maxUnpackedBytes, Duration timeout, FeedAuth auth) {
        private static final long GIB = 1L << 30;

        static Transfer defaults() {
            return new Transfer(false, 2 * GIB, 8 * GIB, Duration.ofMinutes(30), FeedAuth.none());
        }
    }

    /// Who has the last word on the listings.
    ///
    /// @param zone queried with [Confirmation#DNS]: its name in lower case, without a final dot; otherwise
    ///     empty
    /// @param answers categories by the address of the zone's answer; if empty, each of 127.0.0.2 to
    ///     127.0.0.255 means the feed's own category
    /// @param bits categories by a bit of the last byte of the zone's answer; instead of `answers`
    /// @param errors further answers that mean "query refused"
    /// @param testPoint name that must be listed, instead of TEST or 127.0.0.2; empty for these
    /// @param keyEnv environment variable with the key that stands for `{key}` in the name of the zone
    /// @param keyFile file with that key, in its first line
    /// @param budget how long mail waits at most for a list that is a zone and nothing else
    public record Confirming(
            Confirmation confirm,
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
                    Confirmation.NONE, "", Map.of(), Map.of(), List.of(), "", "", "", Duration.ofMillis(20));
        }
    }

    /// Shares above which the feed is not taken; those of the rebuild when absent.
    ///
    /// @param maxRejectShare of rejected lines among those that are no comment
    /// @param maxHoldShare of entries held back
    /// @param maxShrinkShare of entries lost since the snapshot before
    /// @param maxGrowthShare of entries won since the snapshot before
    /// @param maxBlastShare of the mail of the last day that its new listings would have stopped
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

    /// The zone that the list is, when no one has a copy of it; empty for a list that is fetched.
    public Optional<String> askedZone() {
        return source.startsWith(ZONE_SCHEME) ? Optional.of(source.substring(ZONE_SCHEME.length())) : Optional.empty();
    }

    /// The feed of one file of a source of several.
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

    /// Every contradiction, one line each that begins with the key it is about; empty when the feed can be
    /// used.
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
