package org.bloomgate.lookup.store;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import com.github.benmanes.caffeine.cache.Cache;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.remote.FailoverClient;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.UnknownReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Exact stores in the published files of snapshots on a web server: pages are read one by one, by range requests
/// (RFC 9110, section 14). Nothing between the signed manifest and this process is trusted: each root and page must
/// have the digest that the manifest, the root or its index page names.
///
/// Index pages are kept in memory, so that a key costs one request, and two or three in a new store. Thread-safe.
public final class PublishedStores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PublishedStores.class);

    /// The most bytes of index pages of all stores in memory: those of 200 million keys. The least recently used pages
    /// are evicted.
    private static final long INDEX_BYTES = 64 << 20;

    /// The most keys that are looked up at the same time, each over a connection.
    private static final int MAX_LOOKUPS = 32;

    /// The most places with wrong bytes that are remembered; beyond that, all of them are forgotten.
    private static final int MAX_WRONG_PLACES = 1000;

    /// The time to open a store, whose root may have a megabyte.
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);

    private static final int PARTIAL = 206;
    private static final Set<Integer> NO_SUCH_RANGE = Set.of(404, 410, 416);

    private final FailoverClient client;
    private final Duration timeout;
    private final Cache<PageReference, Page> indexPages = StorePart.createIndexCache(INDEX_BYTES);
    private final Set<String> wrongPlaces = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads =
            Executors.newFixedThreadPool(MAX_LOOKUPS, Thread.ofVirtual().factory());

    /// @param client of servers with snapshots, such as `https://lists.example/v1/snapshots`; closed with this object
    /// @param timeout of a request for a page
    public PublishedStores(FailoverClient client, Duration timeout) {
        this.client = client;
        this.timeout = timeout;
    }

    /// Thrown if bytes cannot be read, or are not those that were published.
    static final class UnreadableException extends IOException {
        private static final long serialVersionUID = 1L;

        private final UnknownReason reason;

        UnreadableException(UnknownReason reason) {
            super(reason.label());
            this.reason = reason;
        }

        UnknownReason reason() {
            return reason;
        }
    }

    /// Opens the store of a snapshot. If the server does not work, the roots are read with the first lookup.
    ///
    /// @param roots of the parts, by path and in the order of paths
    /// @throws IOException if the server works and does not have these roots
    public ExactLookup open(String generation, Map<String, PartRoot> roots) throws IOException {
        PublishedStore store = new PublishedStore(generation, roots);
        try {
            SortedStore _ = store.open(OPEN_TIMEOUT);
        } catch (UnreadableException e) {
            if (!e.reason().fault() || e.reason() == UnknownReason.BAD_ANSWER) {
                throw new IOException("exact store of " + generation + ": " + e.getMessage(), e);
            }
            LOG.warn("exact store of {}: {} (opened with the first lookup)", generation, e.getMessage());
        }
        return store;
    }

    /// Ends the lookups in progress.
    @Override
    public void close() {
        threads.shutdownNow();
        client.close();
    }

    private final class PublishedStore implements ExactLookup {
        private final String generation;
        private final Map<String, PartRoot> roots;
        private Optional<SortedStore> opened = Optional.empty();

        PublishedStore(String generation, Map<String, PartRoot> roots) {
            this.generation = generation;
            this.roots = roots;
        }

        synchronized SortedStore open(Duration within) throws IOException {
            if (opened.isEmpty()) {
                List<StorePart> parts = new ArrayList<>();
                for (Map.Entry<String, PartRoot> part : roots.entrySet()) {
                    PartRoot root = part.getValue();
                    String path = generation + "/" + part.getKey();
                    byte[] bytes = read(path, root.offset(), root.length(), root::isRoot, within);
                    parts.add(new StorePart(
                            page -> read(path, page.offset(), page.length(), page::isDigestOf, timeout),
                            root.offset(),
                            bytes,
                            indexPages));
                }
                if (parts.isEmpty() || !Arrays.equals(parts.getLast().to(), SortedStore.LAST)) {
                    throw new MalformedStoreException("exact store of " + generation + ": a part is missing");
                }
                opened = Optional.of(new SortedStore(generation, parts));
            }
            return opened.get();
        }

        @Override
        public List<ExactAnswer> lookup(List<Key> keys, Duration within) {
            try {
                SortedStore store = open(within);
                List<Callable<ExactAnswer>> lookups = new ArrayList<>();
                keys.forEach(key ->
                        lookups.add(() -> store.lookup(List.of(key), within).getFirst()));
                return threads.invokeAll(lookups, within.toNanos(), NANOSECONDS).stream()
                        .map(lookup -> lookup.state() == Future.State.SUCCESS
                                ? lookup.resultNow()
                                : UnknownReason.TIMEOUT.answer())
                        .toList();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Collections.nCopies(keys.size(), UnknownReason.CLOSED.answer());
            } catch (UnreadableException e) {
                return Collections.nCopies(keys.size(), e.reason().answer());
            } catch (IOException e) {
                return Collections.nCopies(keys.size(), new ExactAnswer.Unknown(String.valueOf(e.getMessage())));
            }
        }

        @Override
        public void close() {}
    }

    private byte[] read(String path, long offset, int length, Predicate<byte[]> isPublished, Duration within)
            throws IOException {
        String place = path + " at " + offset;
        byte[] bytes = request(path, offset, length, wrongPlaces.contains(place), within);
        if (!isPublished.test(bytes)) {
            if (wrongPlaces.size() >= MAX_WRONG_PLACES) {
                wrongPlaces.clear();
            }
            if (wrongPlaces.add(place)) {
                LOG.warn("exact store: {}: not the published bytes (later requests bypass caches)", place);
            }
            throw new UnreadableException(UnknownReason.BAD_ANSWER);
        }
        return bytes;
    }

    private byte[] request(String path, long offset, int length, boolean bypassesCaches, Duration within)
            throws IOException {
        String range = offset + "-" + (offset + length - 1);
        HttpRequest.Builder request =
                HttpRequest.newBuilder().header("Range", "bytes=" + range).header("Accept-Encoding", "identity");
        if (bypassesCaches) {
            request.header("Cache-Control", "no-cache");
        }
        return switch (client.query("/" + path, request, head -> check(head, range), length, within)) {
            case FailoverClient.Result.Body(InputStream bytes) -> bytes.readAllBytes();
            case FailoverClient.Result.Failure(UnknownReason reason) -> throw new UnreadableException(reason);
        };
    }

    /// Returns why an answer is not read: for example, because the server sends the whole file, or another range.
    private static Optional<UnknownReason> check(ResponseInfo head, String range) {
        boolean isRange = head.headers()
                .firstValue("Content-Range")
                .filter(field -> field.startsWith("bytes " + range + "/"))
                .isPresent();
        int status = head.statusCode();
        return status == PARTIAL && isRange
                ? Optional.empty()
                : Optional.of(
                        status / 100 == 2
                                ? UnknownReason.BAD_ANSWER
                                : NO_SUCH_RANGE.contains(status) ? UnknownReason.NO_DATA : UnknownReason.BAD_STATUS);
    }
}
