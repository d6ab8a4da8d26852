package org.bloomgate.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bloomgate.account.FeedReport;
import org.bloomgate.account.RebuildReport;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedFormat;
import org.bloomgate.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Feeds that are fetched at once, from a server that answers none before all have asked.
class ManyFeedsTest {
    private static final List<String> NAMES = List.of("one", "two", "three");

    @TempDir
    private Path folder;

    @Test
    void sourcesAreAskedAtOnceAndReportedInTheirOrder() throws Exception {
        CountDownLatch allAsked = new CountDownLatch(NAMES.size());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                allAsked.countDown();
                try {
                    allAsked.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
                String name = exchange.getRequestURI().getPath().substring(1);
                byte[] body = (name + ".example\n").getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(name.equals("two") ? 404 : 200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            RebuildRig rig = new RebuildRig(folder);
            for (String name : NAMES) {
                String source = "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
                rig.feeds.add(Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, source));
            }
            RebuildReport report = rig.runDue();
            assertEquals(NAMES, report.feeds().stream().map(FeedReport::name).toList());
            assertTrue(report.feeds().get(1).failure().orElseThrow().contains("404"));
            assertEquals(Set.of("one"), rig.listedBy("one.example"));
            assertEquals(Set.of("three"), rig.listedBy("three.example"));
            assertEquals(Set.of(), rig.listedBy("two.example"));
        } finally {
            server.stop(0);
        }
    }
}
