package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.memory.NewLink;
import org.bloomgate.decision.memory.OtherGateways;
import org.bloomgate.decision.memory.SiteMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is remembered of one name.
class SeenNameTest {
    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-08T12:00:00Z");
    private SiteMemory memory = SiteMemory.NONE;
    private OtherGateways others = OtherGateways.NONE;

    @BeforeEach
    void open() throws IOException {
        memory = new SiteMemory(folder, new SiteMemory.Options(true, true), () -> now);
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private SeenName find(String name) {
        return tryFind(name).orElseThrow();
    }

    private Optional<SeenName> tryFind(String name) {
        MessageEvaluator.History history =
                new MessageEvaluator.History(memory, Set.of("popular.example"), Set.of("corp.example"));
        return SeenName.find(name, history, PublicSuffixes.bundled(), others);
    }

    @Test
    void link_hasFirstMinuteMessagesAndRecipients() {
        memory.links()
                .orElseThrow()
                .rememberDelivered("new.example", List.of("a@corp.example", "b@corp.example"), Optional.empty(), false);

        SeenName seen = find("www.NEW.example.");

        assertEquals("new.example", seen.name());
        assertEquals(Optional.of(new NewLink("new.example", now, 1, 2)), seen.link());
        assertFalse(seen.known());
        assertEquals(Optional.empty(), seen.sender());
    }

    @Test
    void sender_hasFirstDayOfAddressAndDomain() {
        memory.senders().orElseThrow().rememberName("ann@partner.example", Optional.empty());
        memory.senders().orElseThrow().rememberName("partner.example", Optional.empty());
        Optional<LocalDate> expected = Optional.of(LocalDate.parse("2026-01-08"));

        assertEquals(expected, find("Ann@Partner.example").sender());
        assertEquals(expected, find("mail.partner.example").sender());
        assertEquals(Optional.empty(), find("bob@partner.example").sender());
    }

    @Test
    void popularName_isKnown() {
        assertTrue(find("popular.example").known());
        assertFalse(find("other.example").known());
    }

    @Test
    void addressOfNetwork_isAName() {
        memory.links().orElseThrow().rememberDelivered("192.0.2.7", List.of("a@corp.example"), Optional.empty(), false);

        assertTrue(find("192.0.2.7").link().isPresent());
        assertFalse(find("192.0.2.8").link().isPresent());
    }

    @Test
    void publicSuffixOrText_isNoName() {
        assertEquals(Optional.empty(), tryFind("co.uk"));
        assertEquals(Optional.empty(), tryFind("two words"));
        assertEquals(Optional.empty(), tryFind(""));
    }

    @Test
    void partThatIsOffOrLearning_isUncertain() throws IOException {
        assertEquals(List.of("links", "senders"), find("new.example").uncertain());
        now = now.plus(Duration.ofDays(14));
        assertEquals(List.of(), find("new.example").uncertain());

        memory.close();
        memory = new SiteMemory(folder, new SiteMemory.Options(true, false), () -> now);
        assertEquals(List.of("senders"), find("new.example").uncertain());
    }

    @Test
    void otherGateways_areAskedForTheCanonicalName() {
        OtherGateways.Answer answer = new OtherGateways.Answer("mx2", Optional.of(now), 3, 2);
        others = name ->
                new OtherGateways.Answers(name.equals("new.example") ? List.of(answer) : List.of(), List.of("mx3"));

        assertEquals(List.of(answer), find("www.new.example").gateways());
        assertEquals(List.of("mx3"), find("other.example").unanswered());
    }
}
