package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.Interruption;
import org.bloomgate.lists.layer.RebuildClock;
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Feeds that are fetched from several servers at once.
class ManyFeedsTest {
    private static final List<String> NAMES = List.of("one", "two", "three");

    @TempDir
    private Path folder;

    private final List<HttpServer> servers = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /// Serves a list of one name, which is the path; none named two.
    private String server(CountDownLatch queried) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            queried.countDown();
            try {
                boolean all = queried.await(10, TimeUnit.SECONDS);
                String name = exchange.getRequestURI().getPath().substring(1);
                byte[] body = (name + ".example\n").getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(name.equals("two") || !all ? 404 : 200, body.length);
                open.decrementAndGet();
                exchange.getResponseBody().write(body);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    /// None answers before all were asked.
    @Test
    void serversAreAskedAtOnceAndFeedsReportedInTheirOrder() throws Exception {
        CountDownLatch queried = new CountDownLatch(NAMES.size());
        RebuildRig rig = new RebuildRig(folder);
        for (String name : NAMES) {
            rig.feeds.add(Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, server(queried) + name));
            rig.feedOption(name, "trusted", true);
        }
        RebuildReport report = rig.runDue();
        assertEquals(NAMES, report.feeds().stream().map(FeedReport::name).toList());
        assertTrue(report.feeds().get(1).failure().orElseThrow().contains("404"));
        assertEquals(Set.of("one"), rig.listedBy("one.example"));
        assertEquals(Set.of("three"), rig.listedBy("three.example"));
        assertEquals(Set.of(), rig.listedBy("two.example"));
    }

    @Test
    void oneServerIsAskedForOneFeedAtATime() throws Exception {
        String server = server(new CountDownLatch(0));
        RebuildRig rig = new RebuildRig(folder);
        for (int i = 0; i < 20; i++) {
            rig.feeds.add(Feed.of("list" + i, KeyKind.DOMAIN, FeedFormat.LINES, server + "list" + i));
            rig.feedOption("list" + i, "trusted", true);
        }
        RebuildReport report = rig.runDue();
        assertEquals(
                20,
                report.feeds().stream().filter(feed -> feed.failure().isEmpty()).count());
        assertEquals(1, most.get());
    }

    /// The others wait for what does not come, until they are interrupted.
    @Test
    void aFaultOfThisMachineEndsTheOthers() {
        List<Feed> feeds = NAMES.stream()
                .map(name -> Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, name))
                .toList();
        IOException full = new IOException("No space left on device");
        CountDownLatch waiting = new CountDownLatch(2);
        FetchThreads.Fetch fetch = (feed, _) -> {
            if (feed.name().equals("three")) {
                await(waiting);
                throw full;
            }
            waiting.countDown();
            await(new CountDownLatch(1));
            throw new InterruptedIOException(feed.name());
        };
        try (Interruption interruption = Interruption.watch()) {
            RebuildClock clock = new RebuildClock(RebuildProgress.silent(), interruption);
            assertSame(full, assertThrows(IOException.class, () -> FetchThreads.fetch(feeds, fetch, clock)));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
