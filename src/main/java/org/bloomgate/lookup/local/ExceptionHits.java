package org.bloomgate.lookup.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The day (UTC) on which each exception last kept a listing from counting: `hits.json` next to the entries, at
/// most one line for each exception. A hit writes a number into a map; every few seconds the file is replaced
/// if an exception had its first hit of the day, so that a crash loses the last seconds.
///
/// A file that cannot be read starts empty, and with it the time from which an exception can be reported as
/// unused. Thread-safe; several processes may share one file, each adds its own hits.
public final class ExceptionHits {
    /// An exception without a hit for this time is reported as unused.
    public static final Duration UNUSED_AFTER = Duration.ofDays(90);

    static final String NAME = "hits.json";

    /// Of [LocalEntries#MAX_ENTRIES] exceptions, each some 90 bytes.
    static final int MAX_BYTES = 32 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ExceptionHits.class);

    private final JsonFile<Content> file;
    private final InstantSource clock;
    private final Map<String, LocalDate> days = new ConcurrentHashMap<>();
    private final Map<String, String> claims = new ConcurrentHashMap<>();
    private volatile boolean news;
    private volatile LocalDate since;

    /// Whether the file has the first day with records. Guarded by this object's monitor, as is `failing`.
    private boolean hasSince;

    private boolean failing;

    /// The file.
    ///
    /// @param since the first day with records
    /// @param days by the identifier of the exception
    /// @param claims the last day and the reason, by the same identifier, of exceptions whose sender was not
    ///     authenticated
    private record Content(LocalDate since, Map<String, LocalDate> days, Map<String, String> claims) {}

    /// Reads the file.
    ///
    /// @param directory of the local entries
    public ExceptionHits(Path directory, InstantSource clock) {
        this.file = new JsonFile<>(directory.resolve(NAME), MAX_BYTES, Content.class);
        this.clock = clock;
        this.since = today();
        this.hasSince = merge();
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    /// Records a hit: the exception overrides a listing now.
    void recordHit(Key key, Entry.Scope scope) {
        LocalDate today = today();
        if (!today.equals(days.put(id(key, scope), today))) {
            news = true;
        }
    }

    /// Records that the exception would override a listing if the sender of the message were authenticated.
    ///
    /// @param why results of the mechanisms
    void recordClaim(Key key, Entry.Scope scope, String why) {
        String claim = today() + " (" + why + ")";
        if (!claim.equals(claims.put(id(key, scope), claim))) {
            news = true;
        }
    }

    /// The last day on which a message claimed the sender of the exception in vain, with the reason in
    /// parentheses; empty if there is none.
    public Optional<String> lastClaim(Entry exception) {
        return Optional.ofNullable(claims.get(id(exception.key(), exception.scope())));
    }

    /// Identifies key and scope, which no two exceptions share; of a fixed length, and without revealing a
    /// password.
    private static String id(Key key, Entry.Scope scope) {
        String text = key.kind().label() + " " + key.text() + " " + scope;
        return Sha256.hex(text.getBytes(UTF_8)).substring(0, 32);
    }

    /// The last day with a hit; empty if unknown.
    public Optional<LocalDate> lastHit(Entry exception) {
        return Optional.ofNullable(days.get(id(exception.key(), exception.scope())));
    }

    /// True if it is older than [#UNUSED_AFTER] and had no hit for that time.
    public boolean isUnused(Entry exception) {
        Instant start = clock.instant().minus(UNUSED_AFTER);
        LocalDate first = LocalDate.ofInstant(start, ZoneOffset.UTC);
        return exception.terms().added().isBefore(start)
                && !since.isAfter(first)
                && lastHit(exception).filter(day -> !day.isBefore(first)).isEmpty();
    }

    /// Writes new hits, without those of removed exceptions. A disk error is logged once, and the write is
    /// tried again.
    synchronized void save(LocalEntries current) {
        if (!news && (hasSince || current.of(Entry.Type.EXCEPTION).isEmpty())) {
            return;
        }
        news = false;
        try (LockFile _ = file.tryLock().orElseThrow(() -> new IOException("in use"))) {
            hasSince = merge();
            Set<String> left = current.of(Entry.Type.EXCEPTION).stream()
                    .map(entry -> id(entry.key(), entry.scope()))
                    .collect(Collectors.toSet());
            days.keySet().retainAll(left);
            claims.keySet().retainAll(left);
            file.write(new Content(since, new TreeMap<>(days), new TreeMap<>(claims)));
            hasSince = true;
            failing = false;
        } catch (IOException e) {
            news = true;
            if (!failing) {
                LOG.warn("{}: cannot save the last-hit dates of exceptions: {}", file.path(), IoText.of(e));
            }
            failing = true;
        }
    }

    /// Merges the days of the file; false if it cannot be read. A day in the future comes from a wrong clock and
    /// counts as today.
    private boolean merge() {
        Optional<Content> content = file.readOrRestart("exception hits are recorded from today");
        content.ifPresent(saved -> {
            LocalDate today = today();
            saved.days().forEach((id, day) -> days.merge(id, earlier(day, today), ExceptionHits::later));
            saved.claims().forEach((id, claim) -> claims.merge(id, claim, ExceptionHits::laterClaim));
            since = earlier(saved.since(), since);
        });
        return content.isPresent();
    }

    /// Both begin with a day.
    private static String laterClaim(String one, String other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private static LocalDate later(LocalDate one, LocalDate other) {
        return one.isBefore(other) ? other : one;
    }

    private static LocalDate earlier(LocalDate one, LocalDate other) {
        return one.isBefore(other) ? one : other;
    }
}
