package org.bloomgate.decision.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.bloom.FoldingFilter;
import org.bloomgate.core.bloom.KeyHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryGroupTest {
    private static final Instant BEGIN = Instant.parse("2026-01-08T12:00:00Z");
    private static final int CANONICAL_FORM = 1;

    @TempDir
    private Path folder;

    private volatile Instant now = BEGIN;
    private Path key;
    private final List<Node> nodes = new ArrayList<>();

    /// A gateway of the group.
    private final class Node {
        private final String name;
        private final List<String> refusals = new ArrayList<>();
        private SiteMemory memory;

        Node(String name) throws IOException {
            this.name = name;
            memory = open();
            nodes.add(this);
        }

        private SiteMemory open() throws IOException {
            return new SiteMemory(
                    folder.resolve(name), new SiteMemory.Options(true, true, name, Optional.of(key)), () -> now);
        }

        void restart() throws IOException {
            memory.close();
            memory = open();
        }

        MemoryGroup group() {
            return memory.group().orElseThrow();
        }

        LinkMemory links() {
            return memory.links().orElseThrow();
        }

        void deliver(String domain, String... recipients) {
            links().rememberDelivered(domain, List.of(recipients), Optional.empty(), false);
            memory.maintain();
        }

        boolean hasSeen(String domain) {
            return links().findSeen(domain).isPresent();
        }

        LocalDate firstSeen(String domain) {
            return LocalDate.ofInstant(links().findSeen(domain).orElseThrow().firstSeen(), ZoneOffset.UTC);
        }

        /// One exchange, in which some files may be lost.
        void pull(Node peer, Predicate<MemoryFile> arrives) throws IOException {
            for (MemoryFile file : peer.group().list()) {
                try {
                    if (group().wants(file, false) && arrives.test(file)) {
                        byte[] bytes = peer.group()
                                .read(file.origin(), file.set(), file.day())
                                .orElseThrow();
                        group().receive(file, bytes);
                    }
                } catch (FilterRefusedException e) {
                    refusals.add(file.path() + ": " + e.getMessage());
                }
            }
            group().maintain();
        }

        void pull(Node peer) throws IOException {
            pull(peer, _ -> true);
        }
    }

    @BeforeEach
    void begin() throws IOException {
        key = Files.write(folder.resolve("group.key"), new byte[MemoryKey.BYTES]);
    }

    @AfterEach
    void end() {
        nodes.forEach(node -> node.memory.close());
    }

    private List<Node> ring(int size) throws IOException {
        for (int i = 0; i < size; i++) {
            Node _ = new Node("mx" + i + ".example");
        }
        return nodes;
    }

    private void pass(Duration time) {
        now = now.plus(time);
        nodes.forEach(node -> node.memory.maintain());
    }

    private LocalDate today() {
        return LocalDate.ofInstant(now, ZoneOffset.UTC);
    }

    /// Each pulls from the next one, as often as there are hops.
    private void converge() throws IOException {
        for (int hop = 0; hop < nodes.size(); hop++) {
            for (int i = 0; i < nodes.size(); i++) {
                nodes.get(i).pull(nodes.get((i + 1) % nodes.size()));
            }
        }
    }

    private static long seed(MemorySet set) {
        return new MemoryKey(new byte[MemoryKey.BYTES]).seed(set);
    }

    private static FoldingFilter parse(byte[] file, MemorySet set, String day) throws Exception {
        return FoldingFilter.ofFile(
                file,
                set.code(),
                CANONICAL_FORM,
                seed(set),
                SlotFiles.startOf(LocalDate.parse(day).toEpochDay()));
    }

    private static byte[] format(FoldingFilter filter, MemorySet set, LocalDate day) {
        return filter.toFile(set.code(), CANONICAL_FORM, seed(set), SlotFiles.startOf(day.toEpochDay()));
    }

    /// The OR of files, by set and day.
    private static Map<String, byte[]> unite(MemoryGroup group, Collection<MemoryFile> files) throws Exception {
        Map<String, FoldingFilter> filters = new TreeMap<>();
        for (MemoryFile file : files) {
            MemorySet set = file.findSet().orElseThrow();
            byte[] bytes = group.read(file.origin(), file.set(), file.day()).orElseThrow();
            filters.merge(file.set() + "/" + file.day(), parse(bytes, set, file.day()), FoldingFilter::unite);
        }
        Map<String, byte[]> united = new TreeMap<>();
        filters.forEach((path, filter) -> {
            String[] words = path.split("/", -1);
            MemorySet set =
                    new MemoryFile("", words[0], words[1], 0, "").findSet().orElseThrow();
            united.put(path, format(filter.foldToSmallest(), set, LocalDate.parse(words[1])));
        });
        return united;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void ring_afterRandomExchanges_hasTheOrOfAll(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        ring(5);
        List<String> domains = new ArrayList<>();
        for (int step = 0; step < 50; step++) {
            int at = random.nextInt(nodes.size());
            Node node = nodes.get(at);
            Node next = nodes.get((at + 1) % nodes.size());
            switch (random.nextInt(6)) {
                case 0 -> node.restart();
                case 1 -> node.pull(next, _ -> random.nextBoolean());
                case 2, 3 -> node.pull(next);
                default -> {
                    for (int i = random.nextInt(1, 200); i > 0; i--) {
                        String domain = "d" + domains.size() + ".example";
                        domains.add(domain);
                        node.links()
                                .rememberDelivered(domain, List.of("jane@corp.example"), Optional.empty(), i % 7 == 0);
                    }
                    node.memory.maintain();
                }
            }
            if (step % 20 == 19) {
                converge();
                pass(Duration.ofMinutes(13 * 60 + 30));
                converge();
                pass(Duration.ofMinutes(10 * 60 + 30));
            }
        }
        converge();
        List<MemoryFile> own = new ArrayList<>();
        Map<String, byte[]> expected = null;
        for (Node node : nodes) {
            List<MemoryFile> all = node.group().list();
            assertEquals(5, all.stream().map(MemoryFile::origin).distinct().count());
            Map<String, byte[]> united = unite(node.group(), all);
            if (expected == null) {
                for (Node origin : nodes) {
                    own.addAll(origin.group().list().stream()
                            .filter(file -> file.origin().equals(origin.name))
                            .toList());
                }
                expected = new TreeMap<>();
                expected.putAll(united);
            }
            assertEquals(expected.keySet(), united.keySet());
            for (String path : expected.keySet()) {
                assertArrayEquals(expected.get(path), united.get(path), node.name + " " + path);
            }
            // what came by hubs is what each made
            for (MemoryFile file : own) {
                assertTrue(all.contains(file), () -> node.name + " has another " + file);
            }
            assertTrue(domains.stream().allMatch(node::hasSeen), node.name);
            assertEquals(List.of(), node.refusals);
        }
    }

    @Test
    void known_ofOneGateway_isKnownToAll() throws IOException {
        ring(3);
        nodes.getFirst().links().rememberDelivered("shop.example", List.of("a@corp.example"), Optional.empty(), true);
        nodes.getFirst().memory.maintain();
        converge();
        assertTrue(nodes.stream().allMatch(node -> node.links().isKnown("shop.example")));
    }

    @Test
    void witnesses_neverLeave() throws IOException {
        ring(2);
        nodes.getFirst().deliver("new.example", "a@corp.example", "b@corp.example", "c@corp.example");
        assertTrue(nodes.getFirst().group().list().stream()
                .noneMatch(file -> file.set().equals(MemorySet.WITNESS.label())));
        assertEquals(
                Optional.empty(),
                nodes.getFirst().group().read("mx0.example", MemorySet.WITNESS.label(), today().toString()));
    }

    @Test
    void dayOfOther_becomesPartOfItsPeriod() throws IOException {
        ring(2);
        nodes.getFirst().deliver("old.example", "a@corp.example");
        converge();
        for (int day = 0; day < 100; day++) {
            pass(Duration.ofDays(1));
            nodes.get(1).group().maintain();
        }
        nodes.get(1).restart();
        assertTrue(nodes.get(1).firstSeen("old.example").isBefore(today().minusDays(70)));
    }

    @Test
    void evidence_ofOthers_doesNotCount() throws IOException {
        ring(2);
        nodes.getFirst().deliver("d.example", "a@corp.example", "b@corp.example", "c@corp.example");
        converge();
        pass(Duration.ofDays(1));
        nodes.get(1).deliver("d.example", "x@corp.example", "y@corp.example", "z@corp.example");
        assertFalse(nodes.get(1).links().isKnown("d.example"));
        nodes.getFirst().deliver("d.example", "a@corp.example");
        assertTrue(nodes.getFirst().links().isKnown("d.example"));
    }

    @Test
    void pairsAndSenders_areKnownToAll() throws IOException {
        ring(2);
        pass(Learning.PERIOD);
        SenderMemory first = nodes.getFirst().memory.senders().orElseThrow();
        SenderMemory second = nodes.get(1).memory.senders().orElseThrow();
        first.rememberPair("jane@corp.example", "news@shop.example", Optional.empty());
        first.rememberName("shop.example", Optional.empty());
        assertEquals(FirstContact.DOMAIN, second.firstContact(List.of("jane@corp.example"), "news@shop.example"));
        nodes.getFirst().memory.maintain();
        converge();
        assertEquals(FirstContact.NONE, second.firstContact(List.of("jane@corp.example"), "news@shop.example"));
        assertTrue(second.isKnown("shop.example"));
    }

    @Test
    void filtersThatDoNotFit_areProbedOneByOne() throws Exception {
        ring(3);
        for (int i = 0; i < 60_000; i++) {
            nodes.getFirst().links().rememberDelivered("a" + i + ".example", List.of(), Optional.empty(), false);
        }
        nodes.getFirst().memory.maintain();
        nodes.get(1).deliver("b.example", "a@corp.example");
        converge();
        assertTrue(nodes.get(2).hasSeen("b.example"));
        byte[] file = nodes.getFirst()
                .group()
                .read("mx0.example", "links", today().toString())
                .orElseThrow();
        FoldingFilter own = parse(file, MemorySet.LINKS, today().toString());
        KeyHash hash = new KeyHash(seed(MemorySet.LINKS));
        int kept = 0;
        for (int i = 0; i < 60_000; i++) {
            String domain = "a" + i + ".example";
            // a false hit of the growing slot is not written
            if (own.mightContain(hash.hash(nodes.getFirst().group().digest(domain)))) {
                kept++;
                assertTrue(nodes.get(2).hasSeen(domain), domain);
            }
        }
        assertTrue(kept > 59_000, "kept " + kept);
        int falseHits = 0;
        for (int i = 0; i < 60_000; i++) {
            falseHits += nodes.get(2).hasSeen("never" + i + ".example") ? 1 : 0;
        }
        assertTrue(falseHits <= 2 * 60_000 * FoldingFilter.MAX_RATE, "false hits " + falseHits);
    }

    @Test
    void answer_isOfThisGatewayAlone() throws IOException {
        ring(2);
        nodes.getFirst().deliver("d.example", "a@corp.example");
        converge();
        long digest = nodes.get(1).group().digest("d.example");
        assertEquals(Optional.empty(), nodes.get(1).group().answer(digest));
        OtherGateways.Answer answer = nodes.getFirst().group().answer(digest).orElseThrow();
        assertEquals(new OtherGateways.Answer("mx0.example", Optional.of(BEGIN), 1, 1), answer);
    }

    @Test
    void forgottenGateway_staysAwayInARing() throws IOException {
        ring(4);
        nodes.get(2).deliver("bad.example", "a@corp.example");
        nodes.get(3).deliver("good.example", "a@corp.example");
        converge();
        Node first = nodes.getFirst();
        assertTrue(first.hasSeen("bad.example"));
        assertTrue(MemoryGroup.forget(folder.resolve(first.name), "mx2.example"));
        assertFalse(MemoryGroup.forget(folder.resolve(first.name), "mx2.example"));
        assertFalse(MemoryGroup.forget(folder.resolve(first.name), ".."));
        converge();
        assertFalse(first.hasSeen("bad.example"));
        assertTrue(first.hasSeen("good.example"));
        first.restart();
        converge();
        assertFalse(first.hasSeen("bad.example"));
        assertTrue(nodes.get(1).hasSeen("bad.example"));
    }

    @Test
    void otherKey_isAnotherGroup() throws IOException {
        Node one = new Node("one.example");
        key = Files.write(
                folder.resolve("other.key"), "0123456789abcdef0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII));
        Node other = new Node("other.example");
        assertFalse(one.group().id().equals(other.group().id()));
        one.deliver("d.example", "a@corp.example");
        other.pull(one);
        assertFalse(other.hasSeen("d.example"));
        assertTrue(other.refusals.getFirst().contains("another key"), other.refusals::toString);
    }

    @Test
    void noKey_memoryDoesNotOpen() {
        key = folder.resolve("missing.key");
        assertThrows(IOException.class, () -> new Node("one.example"));
    }

    /// What a malicious peer offers.
    private static final class Malicious {
        private final Node victim;

        Malicious(Node victim) {
            this.victim = victim;
        }

        FoldingFilter filter(String... domains) {
            FoldingFilter filter = new FoldingFilter(8);
            for (String domain : domains) {
                filter.add(
                        new KeyHash(seed(MemorySet.LINKS)).hash(victim.group().digest(domain)));
            }
            return filter;
        }

        /// @return the reason of the refusal; empty if it was accepted or not fetched
        String offer(LocalDate day, FoldingFilter filter) throws IOException {
            return offer(day, format(filter, MemorySet.LINKS, day));
        }

        String offer(LocalDate day, byte[] bytes) throws IOException {
            MemoryFile file = new MemoryFile("evil.example", "links", day.toString(), 1, Sha256.hex(bytes));
            try {
                if (victim.group().wants(file, false)) {
                    victim.group().receive(file, bytes);
                }
                return "";
            } catch (FilterRefusedException e) {
                return String.valueOf(e.getMessage());
            } finally {
                victim.group().maintain();
            }
        }
    }

    @Test
    void maliciousPeer_cannotMakeANameOld() throws IOException {
        Node victim = ring(1).getFirst();
        Malicious evil = new Malicious(victim);
        for (int days = 1; days < 40; days++) {
            assertEquals("", evil.offer(today().minusDays(days), evil.filter("new.example")));
        }
        assertFalse(victim.hasSeen("new.example"));
        assertEquals("", evil.offer(today(), evil.filter("a.example")));
        pass(Duration.ofHours(14).minusSeconds(1));
        assertEquals("", evil.offer(today().minusDays(1), evil.filter("a.example", "b.example")));
        assertTrue(victim.hasSeen("b.example"));
        pass(Duration.ofSeconds(1));
        assertEquals(
                "changed after its day",
                evil.offer(today().minusDays(1), evil.filter("a.example", "b.example", "new.example")));
        assertFalse(victim.hasSeen("new.example"));
        assertTrue(victim.hasSeen("a.example"));
    }

    @Test
    void dateToCome_isRefused() throws IOException {
        Node victim = ring(1).getFirst();
        Malicious evil = new Malicious(victim);
        assertEquals("of a date to come", evil.offer(today().plusDays(1), evil.filter("new.example")));
        assertEquals("of a date to come", evil.offer(LocalDate.of(9999, 12, 31), evil.filter("new.example")));
        assertFalse(victim.hasSeen("new.example"));
        pass(Duration.ofHours(12).minus(MemoryGroup.MAX_SKEW));
        assertEquals("", evil.offer(today().plusDays(1), evil.filter("new.example")));
    }

    @Test
    void filterThatIsNotUsable_isRefused() throws IOException {
        Node victim = ring(1).getFirst();
        Malicious evil = new Malicious(victim);
        FoldingFilter full = new FoldingFilter(8);
        for (long i = 0; i < FoldingFilter.capacity(8) * 2; i++) {
            full.add(i * 0x9E3779B97F4A7C15L);
        }
        assertTrue(evil.offer(today(), full).contains("fuller"));
        byte[] damaged = format(evil.filter("d.example"), MemorySet.LINKS, today());
        damaged[damaged.length - 1] ^= 1;
        assertTrue(evil.offer(today(), damaged).contains("checksum"));
        assertTrue(evil.offer(today(), new byte[0]).length() > 0);
        byte[] ofOtherDay = format(evil.filter("d.example"), MemorySet.LINKS, today().minusDays(20));
        assertTrue(evil.offer(today(), ofOtherDay).contains("time"));
        byte[] ofOtherSet = format(evil.filter("d.example"), MemorySet.KNOWN, today());
        assertTrue(evil.offer(today(), ofOtherSet).length() > 0);
        FoldingFilter many = new FoldingFilter(16);
        for (long i = 0; i < MemoryGroup.MAX_DAY_KEYS * 1.05; i++) {
            many.add(i * 0x9E3779B97F4A7C15L);
        }
        assertTrue(evil.offer(today(), many).contains("too many keys"));
        assertFalse(victim.hasSeen("d.example"));
        assertEquals("", evil.offer(today(), evil.filter("d.example")));
        assertTrue(victim.hasSeen("d.example"));
    }

    @Test
    void namesOfGatewaysAndFiles_areBounded() throws Exception {
        Node victim = ring(1).getFirst();
        byte[] bytes = format(new FoldingFilter(8), MemorySet.LINKS, today());
        String sha256 = Sha256.hex(bytes);
        for (String origin : List.of("..", "a/b", "", "A", "x".repeat(254), victim.name)) {
            assertFalse(victim.group().wants(new MemoryFile(origin, "links", today().toString(), 1, sha256), false));
        }
        assertFalse(victim.group().wants(new MemoryFile("a", "witness", today().toString(), 1, sha256), false));
        assertFalse(victim.group().wants(new MemoryFile("a", "../x", today().toString(), 1, sha256), false));
        for (String day : List.of("today", "-0001-01-01", "+12026-01-08", "", "0".repeat(1000))) {
            assertFalse(victim.group().wants(new MemoryFile("a", "links", day, 1, sha256), true), day);
        }
        for (String digest : List.of("", sha256.substring(1), sha256 + "0", "g".repeat(64))) {
            assertFalse(
                    victim.group().wants(new MemoryFile("a", "links", today().toString(), 1, digest), false), digest);
        }
        assertEquals(Optional.empty(), victim.group().read("..", "links", today().toString()));
        for (int i = 0; i <= MemoryGroup.MAX_ORIGINS; i++) {
            MemoryFile file = new MemoryFile("gw" + i, "links", today().toString(), 1, sha256);
            if (i < MemoryGroup.MAX_ORIGINS) {
                assertTrue(victim.group().wants(file, false));
                victim.group().receive(file, bytes);
            } else {
                assertThrows(FilterRefusedException.class, () -> victim.group().wants(file, false));
            }
        }
    }

    @Test
    void dayThatWasListed_isAcceptedLate() throws IOException {
        ring(2);
        LocalDate day = today();
        nodes.getFirst().deliver("d.example", "a@corp.example");
        nodes.get(1).pull(nodes.getFirst());
        pass(Duration.ofHours(12));
        nodes.getFirst().deliver("later.example", "a@corp.example");
        nodes.get(1).pull(nodes.getFirst(), _ -> false);
        pass(MemoryGroup.LATE.minusSeconds(1));
        nodes.get(1).pull(nodes.getFirst());
        assertEquals(day, nodes.get(1).firstSeen("d.example"));
    }

    @Test
    void dayThatWasListed_afterSevenDays_isNot() throws IOException {
        ring(2);
        nodes.getFirst().deliver("d.example", "a@corp.example");
        nodes.get(1).pull(nodes.getFirst(), _ -> false);
        pass(Duration.ofHours(12).plus(MemoryGroup.LATE));
        nodes.get(1).pull(nodes.getFirst());
        assertFalse(nodes.get(1).hasSeen("d.example"));
    }

    @Test
    void earlierDays_areAcceptedFromAGatewayThatIsJoined() throws Exception {
        ring(2);
        LocalDate day = today();
        nodes.getFirst().deliver("d.example", "a@corp.example");
        pass(Duration.ofDays(20));
        nodes.get(1).pull(nodes.getFirst());
        assertFalse(nodes.get(1).hasSeen("d.example"));
        for (MemoryFile file : nodes.getFirst().group().list()) {
            if (nodes.get(1).group().wants(file, true)) {
                byte[] bytes = nodes.getFirst()
                        .group()
                        .read(file.origin(), file.set(), file.day())
                        .orElseThrow();
                nodes.get(1).group().receive(file, bytes);
            }
        }
        nodes.get(1).group().maintain();
        assertEquals(day, nodes.get(1).firstSeen("d.example"));
    }

    @Test
    void filesLargerThanTheirKeysNeed_areRefused() throws IOException {
        Malicious evil = new Malicious(ring(1).getFirst());
        FoldingFilter wide = new FoldingFilter(FoldingFilter.MAX_SHAPE);
        wide.add(1);
        assertEquals("larger than its keys need", evil.offer(today(), wide));
        assertEquals("", evil.offer(today(), evil.filter("d.example")));
    }

    @Test
    void filesOfOneRound_areBoundedInSum() throws Exception {
        Node victim = ring(1).getFirst();
        FoldingFilter full = new FoldingFilter(16);
        for (long i = 0; i < SetRing.MAX_SLOT_KEYS; i++) {
            full.add(i * 0x9E3779B97F4A7C15L);
        }
        byte[] bytes = format(full, MemorySet.LINKS, today());
        String sha256 = Sha256.hex(bytes);
        long room = SiteMemory.MAX_KEYS / full.keys();
        for (int i = 0; i <= room; i++) {
            MemoryFile file = new MemoryFile("gw" + i, "links", today().toString(), full.keys(), sha256);
            assertTrue(victim.group().wants(file, false));
            if (i < room) {
                victim.group().receive(file, bytes);
            } else {
                assertThrows(FilterRefusedException.class, () -> victim.group().receive(file, bytes));
            }
        }
    }

    @Test
    void interruptedReader_setsNoFileAside() throws IOException {
        ring(2);
        nodes.getFirst().deliver("d.example", "a@corp.example");
        converge();
        pass(Duration.ofDays(1));
        for (Node node : nodes) {
            node.restart();
            Thread.currentThread().interrupt();
            assertThrows(IOException.class, node.group()::list);
            assertTrue(Thread.interrupted());
            assertEquals(List.of(), node.memory.listLosses());
            node.restart();
            assertTrue(node.hasSeen("d.example"));
        }
    }

    @Test
    void fileThatCouldNotBeWritten_isFetchedAgain() throws IOException {
        ring(2);
        Node reader = nodes.get(1);
        nodes.getFirst().deliver("d.example", "a@corp.example");
        Path inTheWay = folder.resolve(reader.name).resolve("origins/mx0.example/links");
        Files.createDirectories(inTheWay.getParent());
        Files.createFile(inTheWay);
        assertThrows(IOException.class, () -> reader.pull(nodes.getFirst()));
        Files.delete(inTheWay);
        reader.pull(nodes.getFirst());
        assertTrue(reader.hasSeen("d.example"));
    }

    @Test
    void fileThatHasGrown_isListedAnew() throws IOException {
        ring(2);
        Node reader = nodes.get(1);
        for (String domain : List.of("a.example", "b.example")) {
            nodes.getFirst().deliver(domain, "a@corp.example");
            reader.pull(nodes.getFirst());
            assertEquals(nodes.getFirst().group().list(), reader.group().list());
            assertEquals(reader.group().list(), reader.group().list());
        }
    }

    @Test
    void damagedFileOfOther_isFetchedAgain_andIsNoLoss() throws IOException {
        ring(2);
        nodes.getFirst().deliver("d.example", "a@corp.example");
        converge();
        Path file = folder.resolve(nodes.get(1).name).resolve("origins/mx0.example/links/" + today() + SlotFiles.DAY);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        nodes.get(1).restart();
        assertFalse(nodes.get(1).hasSeen("d.example"));
        assertEquals(List.of(), nodes.get(1).memory.listLosses());
        converge();
        assertTrue(nodes.get(1).hasSeen("d.example"));
    }
}
