package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.wiring.Endpoint;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A gateway that has only the filters, and the lookup service that has the store.
@Timeout(120)
class RemoteExactIT {
    private static final String CALLS = "bloomgate_exact_calls_seconds_count";

    @TempDir
    private Path folder;

    private final ConfigurationOptions source = new ConfigurationOptions();

    @Test
    void suspectsAreAskedThereOnceAndCleanMailNever() throws Exception {
        build();
        try (Endpoint service = Endpoint.open(source.source().read())) {
            service.start();
            askedAt(service);
            try (RunningGateway gateway =
                    new RunningGateway(Gateway.start(source.source().read()))) {
                assertEquals("250", gateway.link("good.example"));
                assertTrue(metrics(gateway).contains(CALLS + " 1"), "the first question, before any mail");
                assertEquals("550", gateway.link(RunningGateway.LISTED));
                assertEquals("550", gateway.link(RunningGateway.LISTED));
                String metrics = metrics(gateway);
                assertTrue(metrics.contains(CALLS + " 2\n"), metrics);
                assertTrue(metrics.contains("bloomgate_exact_cache_hits_total 1.0\n"), metrics);
                assertTrue(metrics.contains("bloomgate_exact_breaker{state=\"closed\"} 1.0\n"), metrics);
            }
        }
    }

    @Test
    void withoutTheServiceASuspectIsTaggedOrDeferredAndNeverRefused() throws Exception {
        build();
        try (Endpoint service = Endpoint.open(source.source().read())) {
            service.start();
            askedAt(service);
        }
        try (RunningGateway gateway =
                new RunningGateway(Gateway.start(source.source().read()))) {
            assertEquals("250", gateway.link("good.example"));
            assertTrue(ready(gateway).contains("\"status\":\"ready\""), () -> ready(gateway));
            for (int suspects = 0; suspects < 20; suspects++) {
                assertEquals("250", gateway.link(RunningGateway.LISTED));
            }
            assertTrue(ready(gateway).contains("\"status\":\"degraded\""), () -> ready(gateway));
            assertTrue(metrics(gateway).contains("bloomgate_lookup_degraded 1.0\n"));
        }
        set("exact: { onUnknown: { phishing: defer }, ");
        try (RunningGateway gateway =
                new RunningGateway(Gateway.start(source.source().read()))) {
            assertEquals("451", gateway.link(RunningGateway.LISTED));
            assertEquals("250", gateway.link("good.example"));
        }
        Invocation check =
                Invocation.of("", List.of("check", "-c", source.file.toString(), "domain", RunningGateway.LISTED));
        assertEquals(ExitStatus.UNKNOWN, check.status(), check::toString);
        assertTrue(check.mentions("nightly: refused"), check::toString);
    }

    @Test
    void aSnapshotWithoutItsStoreIsEnough() throws Exception {
        build();
        try (Endpoint service = Endpoint.open(source.source().read())) {
            service.start();
            Path copy = folder.resolve("copy");
            copyWithoutStores(folder.resolve("snapshots"), copy);
            askedAt(service);
            set("snapshots: " + copy + "\nexact: { ");
            Invocation explained =
                    Invocation.of("", List.of("explain", "-c", source.file.toString(), RunningGateway.LISTED));
            assertEquals(ExitStatus.LISTED, explained.status(), explained::toString);
            assertTrue(explained.mentions("feed test, category phishing"), explained::toString);
        }
    }

    @Test
    void theServiceTellsItsAddressAndHasNoMail() throws Exception {
        build();
        try (Endpoint service = Endpoint.open(source.source().read())) {
            service.start();
            assertTrue(
                    service.address().matches("http=127\\.0\\.0\\.1:\\d+ snapshot=\\d{8}T\\d{6}Z-[0-9a-f]{4} aot=none"),
                    service.address());
        }
    }

    private static String ready(RunningGateway gateway) {
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(gateway.http("/health/ready")).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// A snapshot, by a gateway that is gone.
    private void build() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(folder)) {
            assertFalse(gateway.gateway().readyLine().contains("snapshot=none"));
        }
        source.file = folder.resolve("bloomgate.yaml");
    }

    private void askedAt(Endpoint service) throws Exception {
        String url = service.address().replaceAll("http=(\\S+) .*", "http://$1");
        Files.writeString(
                source.file,
                "exact: { store: http, deadline: 10s, http: { urls: [\"" + url + "\"] } }\n",
                StandardOpenOption.APPEND);
    }

    /// Before what the section `exact` says already.
    private void set(String more) throws Exception {
        String text = Files.readString(source.file);
        if (more.startsWith("snapshots:")) {
            text = text.replaceFirst("snapshots: \\S+\n", "");
        }
        Files.writeString(source.file, text.replace("exact: { ", more));
    }

    private static void copyWithoutStores(Path from, Path to) throws Exception {
        try (var all = Files.walk(from)) {
            for (Path file :
                    all.filter(one -> !one.toString().contains("/exact")).toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static String metrics(RunningGateway gateway) throws Exception {
        URI uri = gateway.http("/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
