package org.bloomgate.lookup.dnsbl;

import static org.bloomgate.lookup.remote.HeldListings.key;
import static org.bloomgate.lookup.remote.HeldListings.listing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsMessages;
import org.bloomgate.lookup.dns.DnsOptions;
import org.bloomgate.lookup.dns.ScriptedDnsServer;
import org.bloomgate.lookup.remote.HeldListings;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;

/// The whole way to a DNS server on a loopback port that answers as scripted.
class DnsConfirmationIT {
    private static final String ZONE = "dbl.example";
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final String LISTED = "127.0.0.2";

    private final HeldListings held = new HeldListings();
    private ScriptedDnsServer server;
    private Zones zones;
    private ExactLookup tier;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedDnsServer(ZONE);
        zones = zones(Duration.ofSeconds(2), server.address());
        tier = zones.over(held);
    }

    @AfterEach
    void stop() throws IOException {
        zones.close();
        server.close();
    }

    private static Zones zones(Duration timeout, String... resolvers) {
        Zones zones = new Zones(new DnsClient(new DnsOptions(List.of(resolvers)), timeout), InstantSource.system());
        zones.use(
                List.of(new ConfirmedFeed(
                        "dbl", ZoneSettings.of(ZONE), new ZoneAnswers("spam", Map.of(LISTED, "phishing"), Map.of()))),
                List.of());
        return zones;
    }

    private ExactAnswer ask(String host) {
        held.holds(listing("dbl", "spam", host));
        return tier.lookup(List.of(key(host)), TIME).getFirst();
    }

    private static ExactAnswer listed(String host) {
        return new ExactAnswer.Listed(List.of(listing("dbl", "phishing", host)));
    }

    private static byte[] found(Message query) {
        return DnsMessages.addresses(query, 60, LISTED).toWire();
    }

    @Test
    void listedAndDelistedNamesAreToldApart() {
        server.script("bad.example", query -> List.of(found(query)));
        server.script(
                "nodata.example",
                query -> List.of(
                        DnsMessages.denial(query, Rcode.NOERROR, ZONE, 60).toWire()));
        assertEquals(listed("bad.example"), ask("bad.example"));
        assertEquals(new ExactAnswer.NotListed(true), ask("delisted.example"));
        assertEquals(new ExactAnswer.NotListed(true), ask("nodata.example"));
    }

    @Test
    void everyQuestionHasAnIdAndAPortOfItsOwnAndSaysHowMuchItTakes() {
        List<Integer> payloads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            server.script("n" + i + ".example", query -> {
                payloads.add(query.getOPT().getPayloadSize());
                return List.of(found(query));
            });
            ask("n" + i + ".example");
        }
        assertTrue(new HashSet<>(server.ids()).size() > 15, () -> "ids: " + server.ids());
        assertTrue(new HashSet<>(server.ports()).size() > 15, () -> "ports: " + server.ports());
        assertEquals(List.of(1232), payloads.stream().distinct().toList());
    }

    @Test
    void answersAreKeptAndAskedForOnce() throws Exception {
        server.script("bad.example", query -> List.of(found(query)));
        held.holds(listing("dbl", "spam", "bad.example"));
        List<Callable<ExactAnswer>> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(() -> tier.lookup(List.of(key("bad.example")), TIME).getFirst());
        }
        try (ExecutorService mails = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<ExactAnswer> answer : mails.invokeAll(many)) {
                assertEquals(listed("bad.example"), answer.get());
            }
        }
        assertEquals(1, server.queried("bad.example"));
    }

    @Test
    void anAnswerCutShortIsAskedForOverTcp() {
        server.script(
                "long.example", query -> List.of(ScriptedDnsServer.cut(DnsMessages.response(query, Rcode.NOERROR))));
        server.tcpScript("long.example", query -> List.of(found(query)));
        server.script(
                "gone.example", query -> List.of(ScriptedDnsServer.cut(DnsMessages.response(query, Rcode.NXDOMAIN))));
        assertEquals(listed("long.example"), ask("long.example"));
        assertEquals(2, server.queried("long.example"));
        assertEquals(new ExactAnswer.NotListed(true), ask("gone.example"));
    }

    @Test
    void aHugeAnswerOverTcpIsRead() {
        server.script(
                "huge.example", query -> List.of(ScriptedDnsServer.cut(DnsMessages.response(query, Rcode.NOERROR))));
        server.tcpScript("huge.example", query -> List.of(huge(query)));
        assertEquals(listed("huge.example"), ask("huge.example"));
    }

    @Test
    void moreOverUdpThanWasAskedForAndSilenceOverTcpAreUnknown() {
        server.script("large.example", query -> List.of(huge(query)));
        server.script(
                "mute.example", query -> List.of(ScriptedDnsServer.cut(DnsMessages.addresses(query, 60, LISTED))));
        server.tcpScript("mute.example", query -> List.of());
        held.holds(listing("dbl", "spam", "large.example")).holds(listing("dbl", "spam", "mute.example"));
        try (Zones impatient = zones(SHORT, server.address())) {
            List<String> reasons =
                    impatient.over(held).lookup(List.of(key("large.example"), key("mute.example")), TIME).stream()
                            .map(answer -> assertInstanceOf(ExactAnswer.Unknown.class, answer)
                                    .reason())
                            .toList();
            assertTrue(reasons.getFirst().startsWith("zone not reached or unreadable: "), reasons::toString);
            assertEquals("zone silent: no answer in time", reasons.getLast());
            assertTrue(server.queried("mute.example") >= 2, "asked over TCP as well");
        }
    }

    /// Each is sent for a name that is listed in truth and for one that is not.
    @Test
    void noOddAnswerListsOrDelists() {
        Map<String, ScriptedDnsServer.Script> odd = new TreeMap<>();
        odd.put("id", query -> List.of(changed(found(query), 0, 0x55)));
        odd.put("denial-id", query -> List.of(changed(denied(query), 1, 0x55)));
        odd.put("question", query -> List.of(found(asking(query, "other.example." + ZONE))));
        odd.put("denial-question", query -> List.of(denied(asking(query, "other.example." + ZONE))));
        odd.put("no-question", query -> {
            Message response = DnsMessages.addresses(query, 60, LISTED);
            response.removeAllRecords(Section.QUESTION);
            return List.of(response.toWire());
        });
        odd.put("query-back", query -> List.of(query.toWire()));
        odd.put("not-a-response", query -> {
            Message response = DnsMessages.addresses(query, 60, LISTED);
            response.getHeader().unsetFlag(Flags.QR);
            return List.of(response.toWire());
        });
        odd.put("compression-loop", query -> List.of(looping(query)));
        odd.put("cut-octets", query -> List.of(Arrays.copyOf(found(query), found(query).length - 3)));
        odd.put("header-only", query -> List.of(Arrays.copyOf(found(query), 12)));
        odd.put("half-a-header", query -> List.of(Arrays.copyOf(found(query), 5)));
        odd.put("empty", query -> List.of(new byte[0]));
        odd.put("garbage", query -> List.of(garbage(query, 400)));
        odd.put(
                "servfail",
                query -> List.of(DnsMessages.response(query, Rcode.SERVFAIL).toWire()));
        odd.put(
                "refused",
                query -> List.of(DnsMessages.response(query, Rcode.REFUSED).toWire()));
        odd.put(
                "outside",
                query -> List.of(DnsMessages.addresses(query, 60, "192.0.2.1").toWire()));
        odd.put(
                "outside-too",
                query -> List.of(
                        DnsMessages.addresses(query, 60, LISTED, "192.0.2.1").toWire()));
        odd.put(
                "no-meaning",
                query -> List.of(DnsMessages.addresses(query, 60, "127.0.0.77").toWire()));
        odd.put(
                "elsewhere",
                query -> List.of(DnsMessages.denial(query, Rcode.NXDOMAIN, "elsewhere.example", 60)
                        .toWire()));
        odd.put("cut-no-tcp", query -> List.of(ScriptedDnsServer.cut(DnsMessages.addresses(query, 60, LISTED))));
        server.tcpScript(
                "cut-no-tcp.example",
                query -> List.of(ScriptedDnsServer.cut(DnsMessages.addresses(query, 60, LISTED))));
        odd.put("cut-tcp-garbage", query -> List.of(ScriptedDnsServer.cut(DnsMessages.response(query, Rcode.NOERROR))));
        server.tcpScript("cut-tcp-garbage.example", query -> List.of(garbage(query, 9)));
        odd.forEach((host, script) -> {
            server.script(host + ".example", script);
            held.holds(listing("dbl", "spam", host + ".example"));
        });
        List<Key> keys =
                odd.keySet().stream().map(host -> key(host + ".example")).toList();
        try (Zones impatient = zones(SHORT, server.address())) {
            List<ExactAnswer> answers = impatient.over(held).lookup(keys, TIME);
            for (int i = 0; i < keys.size(); i++) {
                assertInstanceOf(
                        ExactAnswer.Unknown.class, answers.get(i), keys.get(i).text());
            }
            assertEquals(ZoneStatus.State.PASSED, impatient.status().getFirst().state());
        }
    }

    /// Forged datagrams before the answer do not suppress it.
    @Test
    void forgedDatagrams_areSkipped() {
        server.script(
                "forged.example",
                query -> List.of(
                        changed(denied(query), 0, 0x55),
                        denied(asking(query, "other.example." + ZONE)),
                        new byte[1],
                        found(query)));
        assertEquals(listed("forged.example"), ask("forged.example"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.FORMERR, Rcode.NOTIMP})
    void serverWithoutEdns_isQueriedAgainWithoutIt(int rcode) {
        server.script(
                "old.example",
                query -> List.of(
                        query.getOPT() == null
                                ? found(query)
                                : DnsMessages.response(query, rcode).toWire()));
        assertEquals(listed("old.example"), ask("old.example"));
    }

    @Test
    void aRepeatedAnswerChangesNothing() {
        server.script("twice.example", query -> List.of(found(query), found(query), denied(query)));
        assertEquals(listed("twice.example"), ask("twice.example"));
        assertEquals(listed("twice.example"), ask("twice.example"));
        assertEquals(new ExactAnswer.NotListed(true), ask("other.example"));
    }

    @Test
    void silenceEndsWithTheDeadlineAndALateAnswerIsThereForTheNext() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        server.script("late.example", query -> {
            await(release);
            return List.of(found(query));
        });
        held.holds(listing("dbl", "spam", "late.example"));
        zones.close();
        zones = zones(Duration.ofSeconds(30), server.address());
        tier = zones.over(held);
        assertInstanceOf(ExactAnswer.NotListed.class, ask("warm.example"));
        ExactAnswer early = tier.lookup(List.of(key("late.example")), SHORT).getFirst();
        assertEquals(
                "zone silent: deadline passed",
                assertInstanceOf(ExactAnswer.Unknown.class, early).reason());
        release.countDown();
        assertEquals(
                listed("late.example"),
                tier.lookup(List.of(key("late.example")), TIME).getFirst());
        assertEquals(1, server.queried("late.example"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aResolverThatFailsOrIsSilentIsFollowedByTheNext() throws Exception {
        try (ScriptedDnsServer silent = new ScriptedDnsServer(ZONE);
                ScriptedDnsServer failing = new ScriptedDnsServer(ZONE)) {
            for (String host : List.of("test", "invalid", "bad.example")) {
                silent.script(host, query -> List.of());
                failing.script(
                        host,
                        query -> List.of(
                                DnsMessages.response(query, Rcode.SERVFAIL).toWire()));
            }
            server.script("bad.example", query -> List.of(found(query)));
            held.holds(listing("dbl", "spam", "bad.example"));
            try (Zones three = zones(SHORT, silent.address(), failing.address(), server.address())) {
                assertEquals(
                        listed("bad.example"),
                        three.over(held)
                                .lookup(List.of(key("bad.example")), TIME)
                                .getFirst());
                held.holds(listing("dbl", "spam", "next.example"));
                three.over(held).lookup(List.of(key("next.example")), TIME);
                assertEquals(0, silent.queried("next.example"));
            }
        }
    }

    @Test
    void nobodyThereIsUnknownAndFailsTheSelfTest() throws Exception {
        String gone;
        try (ScriptedDnsServer closed = new ScriptedDnsServer(ZONE)) {
            gone = closed.address();
        }
        held.holds(listing("dbl", "spam", "bad.example"));
        try (Zones nobody = zones(SHORT, gone)) {
            ExactAnswer answer =
                    nobody.over(held).lookup(List.of(key("bad.example")), TIME).getFirst();
            String reason = assertInstanceOf(ExactAnswer.Unknown.class, answer).reason();
            assertTrue(reason.startsWith("zone-self-test: dbl.example: TEST: "), reason);
            assertEquals(ZoneStatus.State.FAILED, nobody.status().getFirst().state());
        }
    }

    @Test
    void aZoneThatListsEverythingIsNotBelieved() throws Exception {
        try (ScriptedDnsServer everything = new ScriptedDnsServer(ZONE)) {
            everything.script("invalid", query -> List.of(found(query)));
            everything.script("good.example", query -> List.of(found(query)));
            held.holds(listing("dbl", "spam", "good.example"));
            try (Zones zone = zones(SHORT, everything.address())) {
                ExactAnswer answer = zone.over(held)
                        .lookup(List.of(key("good.example")), TIME)
                        .getFirst();
                assertInstanceOf(ExactAnswer.Unknown.class, answer);
            }
        }
    }

    @Test
    void aNameTooLongToAskIsUnknown() {
        String label = "a".repeat(62) + ".";
        assertInstanceOf(ExactAnswer.Unknown.class, ask(label.repeat(3) + "a".repeat(50) + ".example"));
        assertInstanceOf(ExactAnswer.Unknown.class, ask("a".repeat(64) + ".example"));
        assertInstanceOf(ExactAnswer.Unknown.class, ask("a..example"));
    }

    @Test
    void aBatchTakesAsLongAsItsSlowestQuestion() {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String host = "n" + i + ".example";
            server.script(host, query -> List.of(found(query)));
            held.holds(listing("dbl", "spam", host));
            keys.add(key(host));
        }
        server.script("silent.example", query -> List.of());
        held.holds(listing("dbl", "spam", "silent.example"));
        keys.add(key("silent.example"));
        List<ExactAnswer> answers = tier.lookup(keys, Duration.ofSeconds(1));
        assertEquals(
                50,
                answers.stream().filter(ExactAnswer.Listed.class::isInstance).count());
        assertInstanceOf(ExactAnswer.Unknown.class, answers.getLast());
    }

    private static byte[] denied(Message query) {
        return DnsMessages.denial(query, Rcode.NXDOMAIN, ZONE, 60).toWire();
    }

    private static byte[] huge(Message query) {
        Message huge = DnsMessages.addresses(query, 60, LISTED);
        for (int i = 0; i < 240; i++) {
            huge.addRecord(
                    new TXTRecord(DnsMessages.name("ns.example"), DClass.IN, 60, "x".repeat(250) + i),
                    Section.ADDITIONAL);
        }
        return huge.toWire(65_535);
    }

    private static Message asking(Message query, String name) {
        Message other = DnsMessages.query(name);
        other.getHeader().setID(query.getHeader().getID());
        return other;
    }

    private static byte[] changed(byte[] bytes, int at, int by) {
        bytes[at] ^= (byte) by;
        return bytes;
    }

    /// The name of the answer points to itself.
    private static byte[] looping(Message query) {
        byte[] bytes = DnsMessages.addresses(query, 60, LISTED).toWire();
        int name = bytes.length - 16;
        bytes[name] = (byte) 0xC0;
        bytes[name + 1] = (byte) name;
        return bytes;
    }

    private static byte[] garbage(Message query, int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        bytes[0] = (byte) (query.getHeader().getID() >> 8);
        bytes[1] = (byte) query.getHeader().getID();
        return bytes;
    }
}
