package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `config check` says of rules that never matter.
class WithoutEffectTest {
    @TempDir
    private Path folder;

    private List<String> notes(String policy, String... feeds) throws Exception {
        Path file = folder.resolve("bloomgate.yaml");
        Path list = folder.resolve("feeds.yaml");
        Files.writeString(list, "feeds:\n" + String.join("\n", feeds) + "\n");
        Files.writeString(file, "feeds: " + list + "\n" + policy);
        Invocation checked = Invocation.of("", List.of("config", "check", "-c", file.toString()));
        assertEquals(ExitStatus.FINE, checked.status(), checked::toString);
        return checked.err()
                .lines()
                .filter(line -> line.startsWith("note: "))
                .filter(line -> !line.contains("no-password-list") && !line.contains(" is stale: "))
                .map(line -> line.replace(file.toString(), "FILE"))
                .toList();
    }

    @Test
    void cappedPlaces_areReportedWithTheirLines() throws Exception {
        assertEquals(
                List.of(
                        "note: category tracking (feed ads) does at most pass, whatever is set at"
                                + " policy.listed.link (FILE:4), policy.listed.raw (FILE:5)",
                        "note: feed new does at most tag, whatever is set at policy.listed.link (FILE:4),"
                                + " policy.listed.raw (FILE:5)"),
                notes(
                        "policy:\n  listed:\n    link: discard\n    raw: reject\n    dkim: pass\n",
                        "  - { name: ads, source: \"https://lists.example/a.txt\", category: tracking }",
                        "  - { name: new, source: \"https://lists.example/b.txt\", category: phishing, action: tag }",
                        "  - { name: words, source: \"https://lists.example/c.txt\", kind: password, category: tracking }"));
    }

    @Test
    void unsetAndUncappedPlaces_areNotReported() throws Exception {
        String ads = "  - { name: ads, source: \"https://lists.example/a.txt\", category: tracking }";
        assertEquals(List.of(), notes("policy: {}\n", ads));
        assertEquals(
                List.of(),
                notes(
                        "policy: { recipients: { \"u@dest.example\": { listed: reject, categories: { tracking: reject } } } }\n",
                        ads));
        List<String> held = notes(
                "policy: { recipients: { \"u@dest.example\": { listed: reject } }, senders: { x.example: { listed: { default: tag } } } }\n",
                ads);
        assertEquals(1, held.size());
        assertTrue(held.getFirst().contains("policy.recipients.u@dest.example.listed (FILE:2)"), held::toString);
        assertTrue(held.getFirst().contains("policy.senders.x.example.listed.default (FILE:2)"), held::toString);
        assertFalse(held.getFirst().contains("policy.listed"), held::toString);
    }

    @Test
    void manyPlaces_onlyThreeAreNamed() throws Exception {
        String ads = "  - { name: ads, source: \"https://lists.example/a.txt\", category: tracking }";
        assertEquals(List.of(), notes("policy: { listed: { link: reject, raw: tag } }\n", ads));
        assertEquals(
                List.of("note: category tracking (feed ads) does at most pass, whatever is set at"
                        + " policy.listed.raw (FILE:2), policy.listed.dkim (FILE:2), policy.listed.phone (FILE:2) and 1"
                        + " more"),
                notes("policy: { listed: { raw: reject, dkim: reject, phone: reject, schemeless: reject } }\n", ads));
    }

    @Test
    void rulesOfListeners_areChecked() throws Exception {
        List<String> held = notes(
                "smtp: { listeners: { more: { listen: \"127.0.0.1:0\", policy: { listed: { link: reject } } } } }\n",
                "  - { name: ads, source: \"https://lists.example/a.txt\", category: tracking }");
        assertEquals(1, held.size());
        assertTrue(held.getFirst().contains("smtp.listeners.more.policy.listed.link"), held::toString);
    }

    @Test
    void unusedCategory_isReportedWithItsLine() throws Exception {
        String feed = "  - { name: a, source: \"https://lists.example/a.txt\", category: phishing }";
        assertEquals(
                List.of(
                        "note: exact.onUnknown.malwere (FILE:2) has no effect: no feed has this category; there are"
                                + " phishing",
                        "note: policy.categories.phising (FILE:5) has no effect: no feed has this category; there"
                                + " are phishing",
                        "note: policy.recipients.u@dest.example.categories.spam (FILE:7) has no effect: no feed has"
                                + " this category; there are phishing"),
                notes("""
                        exact: { onUnknown: { malwere: defer, malware: tag } }
                        policy:
                          categories:
                            phising: tag
                            phishing: tag
                          recipients: { "u@dest.example": { categories: { spam: tag, default: tag } } }
                        """, feed).stream().sorted().toList());
    }

    @Test
    void categoryOfAZonesAnswer_isUsed() throws Exception {
        String zone = "  - { name: a, source: \"dns:dbl.example\", kind: domain, category: spam,"
                + " answers: { 127.0.1.4: phishing } }";
        assertEquals(
                List.of("note: feeds: a: clean mail waits up to 20 ms for this list"),
                notes("policy: { categories: { phishing: tag, spam: tag, adult: pass } }\n", zone));
    }
}
