package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.concurrent.TaskResult;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.SourceStamp;
import org.bloomgate.lists.layer.RebuildClock;
import org.bloomgate.lists.layer.RebuildStage;

/// Fetches feeds of several servers at once, and those of one server one after the other: several slow servers
/// take the time of the slowest, and each server has one connection. Thread-safe.
final class FetchThreads {
    /// Number of servers that are used at once.
    static final int AT_ONCE = 4;

    private static final Pattern SERVER = Pattern.compile("https?://(?:[^/?#]*@)?([^/?#]*).*", Pattern.DOTALL);
    private static final long TICK_SECONDS = 1;

    /// The time of a feed is this part of its cadence: half a minute for a layer that is rebuilt every few
    /// minutes, six minutes for the hourly one.
    private static final int PARTS_OF_CADENCE = 8;

    /// All feeds of a server together have the time of two, so that a slow server does not delay the layer once
    /// for each.
    private static final int TIMES_OF_SERVER = 2;

    /// The time of a feed whose server has used up its time: enough if the server answers at once.
    private static final Duration MIN_TIME = Duration.ofSeconds(1);

    private FetchThreads() {}

    /// Fetches one feed; called by one of several threads.
    @FunctionalInterface
    interface Fetch {
        FeedOutcome fetch(Feed feed, Duration timeout) throws IOException;
    }

    /// Fetches all feeds and returns the results in their order.
    ///
    /// @throws IOException the first fault, which ends the others
    /// @throws java.util.concurrent.CancellationException if the process received a signal to stop
    static List<FeedOutcome> fetch(List<Feed> feeds, Fetch fetch, RebuildClock progress) throws IOException {
        Collection<List<Feed>> servers = feeds.stream()
                .collect(Collectors.groupingBy(FetchThreads::server, LinkedHashMap::new, Collectors.toList()))
                .values();
        progress.begin(RebuildStage.READ, feeds.size() == 1 ? feeds.getFirst().name() : feeds.size() + " feeds");
        Map<String, FeedOutcome> results = new HashMap<>();
        try (ExecutorService threads =
                Executors.newFixedThreadPool(AT_ONCE, BackgroundTask.createThreadFactory("fetch"))) {
            try {
                CompletionService<Map<String, FeedOutcome>> done = new ExecutorCompletionService<>(threads);
                servers.forEach(ofServer -> done.submit(() -> fetchAll(ofServer, fetch)));
                for (int i = 0; i < servers.size(); i++) {
                    Future<Map<String, FeedOutcome>> next =
                            next(done, () -> progress.advance(results.size(), feeds.size()));
                    results.putAll(TaskResult.await(next, "feeds were fetched"));
                }
            } finally {
                threads.shutdownNow();
            }
        }
        return feeds.stream().map(feed -> results.get(feed.name())).toList();
    }

    private static String server(Feed feed) {
        Matcher address = SERVER.matcher(TextForms.lowerCase(feed.source()));
        return SourceStamp.isRemote(feed) && address.matches() ? address.group(1) : feed.name();
    }

    private static Map<String, FeedOutcome> fetchAll(List<Feed> ofServer, Fetch fetch) throws IOException {
        Map<String, FeedOutcome> results = new HashMap<>();
        Duration longest = ofServer.stream()
                .map(FetchThreads::time)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        long end = System.nanoTime() + longest.multipliedBy(TIMES_OF_SERVER).toNanos();
        for (Feed feed : ofServer) {
            Duration left = Duration.ofNanos(Math.max(MIN_TIME.toNanos(), end - System.nanoTime()));
            Duration time = time(feed).compareTo(left) < 0 ? time(feed) : left;
            results.put(feed.name(), fetch.fetch(feed, time));
        }
        return results;
    }

    /// A feed that takes longer than this part of its cadence is late: the layer is published with its last
    /// good copy.
    private static Duration time(Feed feed) {
        Duration part = feed.cadence().dueAfter().dividedBy(PARTS_OF_CADENCE);
        Duration own = feed.transfer().timeout();
        return own.compareTo(part) < 0 ? own : part;
    }

    private static <T> Future<T> next(CompletionService<T> done, Runnable tick) throws InterruptedIOException {
        try {
            Future<T> next = done.poll(TICK_SECONDS, TimeUnit.SECONDS);
            while (next == null) {
                tick.run();
                next = done.poll(TICK_SECONDS, TimeUnit.SECONDS);
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while feeds were fetched");
        }
    }
}
