package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands against a snapshot of the shipped samples: what they print, and with which status they end.
class BloomgateTest {
    private static final String PHISH = "{\"feed\":\"sample-domains\",\"category\":\"phishing\","
            + "\"key\":\"phish.example\",\"firstSeen\":\"TIME\",\"lastSeen\":\"TIME\"}";

    @TempDir
    static Path folder;

    @BeforeAll
    static void rebuildFromTheSamples() {
        Invocation rebuilt = run("rebuild", "--json");
        assertEquals(ExitStatus.FINE, rebuilt.status(), rebuilt::err);
        assertTrue(rebuilt.out().startsWith("{"), rebuilt::out);
    }

    private static Invocation run(String... arguments) {
        return with("", arguments);
    }

    private static Invocation with(String stdin, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        int end = all.indexOf("--");
        List<String> own = List.of(
                "--set",
                "snapshots=" + folder.resolve("snapshots"),
                "--set",
                "journal.directory=" + folder.resolve("j"));
        all.addAll(end < 0 ? all.size() : end, own);
        return Invocation.of(stdin, all);
    }

    private static Path message(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void checkAsJson_hasOneObjectPerValue() {
        Invocation checked = run("check", "domain", "a.phish.example", "bank.example", "--json");
        assertEquals(
                List.of(
                        "{\"kind\":\"domain\",\"value\":\"a.phish.example\",\"verdict\":\"listed\",\"listings\":["
                                + PHISH + "],\"suspect\":true}",
                        "{\"kind\":\"domain\",\"value\":\"bank.example\",\"verdict\":\"clean\",\"listings\":[],"
                                + "\"suspect\":false}"),
                checked.lines());
        assertEquals(ExitStatus.LISTED, checked.status());
        assertEquals("", checked.err());
    }

    @ParameterizedTest
    @CsvSource({
        "domain, good.example, 0",
        "domain, 192.0.2.66, 1",
        "address, MALLORY@mail.example, 1",
        "address, alice@good.example, 0",
        "address, nobody, 2",
        "url, http://files.example/drop/x/y.exe, 1",
        "url, http://files.example/other, 0",
        "url, mailto:x, 2",
        "password, 123456, 1",
        "hash, 275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f, 1",
        "password, -looks-like-an-option, 0",
    })
    void check_endsWithTheStatusOfItsVerdict(String kind, String value, int status) {
        assertEquals(status, run("check", kind, "--", value).status());
    }

    @Test
    void checkOfStdin_skipsEmptyLines() {
        Invocation checked = with("phish.example\r\n\ngood.example\n", "check", "domain", "-");
        assertEquals(
                List.of("listed\tphish.example\tsample-domains (phishing) phish.example", "clean\tgood.example"),
                checked.lines());
        assertEquals(ExitStatus.LISTED, checked.status());
    }

    @Test
    void checkWithoutSnapshot_isUnresolved() {
        Invocation checked = Invocation.of(
                "", List.of("check", "domain", "good.example", "--set", "snapshots=" + folder.resolve("none")));
        assertEquals(ExitStatus.UNKNOWN, checked.status());
        assertTrue(checked.out().startsWith("unresolved\t"), checked::out);
    }

    @Test
    void listedPassword_isNotPrinted() {
        Invocation checked = with("football\n", "check", "password", "-", "--json");
        assertEquals(ExitStatus.LISTED, checked.status(), checked::err);
        assertTrue(checked.out().startsWith("{\"kind\":\"password\",\"verdict\":\"listed\",\"listings\":[{\"feed\":"));
        assertFalse(checked.mentions("football"));
        assertFalse(checked.out().matches("(?s).*[0-9A-Fa-f]{40}.*"), checked::out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-secret", "--secret=word", "--set=secret"})
    void passwordTakenForAnOption_isNotPrinted(String password) {
        Invocation refused = run("check", "password", password);
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertFalse(refused.mentions("secret"), refused::err);
        assertTrue(refused.mentions("check password -- VALUE"), refused::err);
    }

    @Test
    void argumentWithAt_isNoFileOfArguments() throws IOException {
        Path arguments = message("arguments", "domain phish.example");
        assertEquals(ExitStatus.FINE, run("check", "password", "@" + arguments).status());
    }

    @Test
    void explainOfAPassword_isAMistake() {
        Invocation refused = run("explain", "--kind", "password", "football");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertFalse(refused.mentions("football"), refused::err);
    }

    @Test
    void scanAsJson_hasOneObjectPerMessage() throws IOException {
        Path file = message("m.eml", """
            From: Mallory <mallory@phish.example>
            Content-Type: text/html

            <a href="http://good.example/a">x</a>
            """);
        Invocation scanned = run("scan", "--json", "--mail-from", "<mallory@mail.example>", file.toString());
        assertEquals(
                List.of("{\"file\":\"" + file
                        + "\",\"verdict\":\"listed\",\"action\":\"reject\",\"enforced\":\"reject\",\"identifiers\":["
                        + "{\"kind\":\"address\",\"value\":\"mallory@mail.example\",\"where\":\"envelope\","
                        + "\"verdict\":\"listed\",\"listings\":[{\"feed\":\"sample-addresses\",\"category\":\"spam\"}]},"
                        + "{\"kind\":\"address\",\"value\":\"mallory@phish.example\",\"where\":\"header:From\","
                        + "\"verdict\":\"listed\",\"listings\":[{\"feed\":\"sample-domains\",\"category\":\"phishing\"}]},"
                        + "{\"kind\":\"url\",\"value\":\"http://good.example/a\",\"where\":\"link\","
                        + "\"verdict\":\"clean\"}],\"limits\":[]}"),
                scanned.lines());
        assertEquals(ExitStatus.LISTED, scanned.status());
    }

    @Test
    void scanOfStdin_readsOneMessage() {
        Invocation scanned = with("From: a@good.example\n\nhello\n", "scan", "-");
        assertEquals(
                List.of("-: clean, pass (nothing found)", "  clean      address  a@good.example  [header:From]"),
                scanned.lines());
        assertEquals(ExitStatus.FINE, scanned.status());
    }

    @Test
    void unreadableMessage_doesNotHideTheNext() throws IOException {
        Path good = message("good.eml", "From: a@good.example\n\nhello\n");
        Invocation scanned = run("scan", folder.resolve("absent.eml").toString(), folder.toString(), good.toString());
        assertEquals(ExitStatus.MISTAKE, scanned.status());
        assertTrue(scanned.out().startsWith(good + ": clean"), scanned::out);
        assertEquals(2, scanned.err().lines().count(), scanned::err);
        assertTrue(scanned.err().contains("absent.eml: no such file\n"), scanned::err);
    }

    @Test
    void invalidEnvelope_isAMistake() {
        Invocation refused = with("\n", "scan", "-", "--mail-from", "not an address");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains("the sender 'not an address' is not an address"), refused::err);
        assertEquals(
                ExitStatus.FINE, with("\n", "scan", "-", "--mail-from", "<>").status());
    }

    @Test
    void canonicalize_hasOneAnswerPerLine() {
        String lines = "HTTP://GOOD.example:80/%41\n\nmailto:x\n";
        List<String> plain = List.of("http://good.example/A\tgood.example/A good.example/", "\t", "\t");
        assertEquals(plain, with(lines, "canonicalize").lines());
        assertEquals(plain, with(lines, "canonicalize", "-").lines());
        assertEquals(
                List.of("{\"input\":\"http://good.example\",\"canonical\":\"http://good.example/\","
                        + "\"keys\":[\"good.example/\"]}"),
                run("canonicalize", "--json", "http://good.example").lines());
    }

    @Test
    void explain_namesStepsKeyAndFeed() {
        Invocation explained = run("explain", "http://A.good.example/?to=http://phish.example/");
        assertEquals(ExitStatus.LISTED, explained.status());
        for (String part : List.of(
                "host lower-case",
                "http://a.good.example/?to=http://phish.example/",
                "wrapped inside",
                "filter says no",
                "filter says maybe, exact lookup says listed",
                "feed sample-domains, category phishing, match suffix",
                "verdict: listed")) {
            assertTrue(explained.out().contains(part), () -> part + " is not in\n" + explained.out());
        }
    }

    @Test
    void explainAsJson_hasTheVerdict() {
        Invocation explained = run("explain", "--json", "PHISH.example.");
        assertEquals(1, explained.lines().size());
        String object = explained.lines().getFirst();
        assertTrue(object.contains("\"steps\":[{\"name\":\"canonical\",\"value\":\"phish.example\"}]"), object);
        assertTrue(object.contains("\"feed\":\"sample-domains\""), object);
        assertTrue(object.contains("\"verdict\":\"listed\""), object);
    }

    @Test
    void explainOfUnknownToken_endsWithUnknown() {
        Invocation explained = run("explain", "0123456789AB");
        assertEquals(ExitStatus.UNKNOWN, explained.status());
        assertTrue(explained.err().contains("no decision 0123456789AB"), explained::err);
    }

    @Test
    void inspect_measuresEveryFilter() {
        Invocation inspected = run("inspect", "--json", "--measure", "1000");
        assertEquals(ExitStatus.FINE, inspected.status(), inspected::err);
        String object = inspected.lines().getFirst();
        Stream.of(
                        "generation\":\"GENERATION",
                        "verified\":true",
                        "kind\":\"domain",
                        "measuredRate\":0.0",
                        "sample-urls")
                .forEach(part -> assertTrue(object.contains(part), () -> part + " is not in " + object));
        assertTrue(run("inspect", "nightly").out().contains("predicted"));
        assertFalse(run("inspect", "--json").mentions("measuredRate"));
    }

    @ParameterizedTest
    @CsvSource({
        "inspect nowhere, no snapshot nowhere",
        "inspect --measure -5, --measure",
        "rollback, has no generation before",
        "rollback nowhere, has no generation nowhere",
        "rebuild --feed nowhere, no such feed: nowhere",
        "chek domain x, Did you mean: bloomgate check",
        "check domain x --jsn, Possible solutions: --json",
        "check domian x, 'address, domain, url, password'",
        "check domain x --set smtp.listn=x, did you mean 'smtp.listen'",
        "check domain x --set http.listen=x, is not host:port",
        "check domain x -c nowhere.yaml, no such file",
        "config check --set feeds=blacklists/README.md, blacklists/README.md:",
        "decisions --action foo, 'none of pass, tag, quarantine, defer, discard, reject, none, lost'",
        "config, Commands: check",
        "'', Missing required subcommand",
    })
    void mistake_hasStatusTwoAndNamesTheRemedy(String line, String says) {
        Invocation refused = line.isEmpty()
                ? Invocation.of("", List.of())
                : line.equals("config") ? Invocation.of("", List.of(line)) : run(line.split(" "));
        assertEquals(ExitStatus.MISTAKE, refused.status(), refused::err);
        assertTrue(refused.err().contains(says), refused::err);
        assertFalse(refused.err().contains("\tat "), refused::err);
        assertEquals("", refused.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway",
                "rebuild",
                "rollback",
                "spark",
                "mirror",
                "check",
                "scan",
                "canonicalize",
                "explain",
                "lookup",
                "inspect",
                "config check"
            })
    void everyCommand_hasHelpAndConfigurationOptions(String command) {
        List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
        arguments.add("--help");
        Invocation help = Invocation.of("", arguments);
        assertEquals(ExitStatus.FINE, help.status());
        assertTrue(help.out().contains("-c, --config=FILE") && help.out().contains("--set=KEY=VALUE"), help::out);
    }

    @Test
    void configCheck_printsSettingsButNoSecret() {
        Invocation checked = run("config", "check", "--set", "http.adminToken=swordfish-swordfish");
        assertEquals(ExitStatus.FINE, checked.status(), checked::err);
        assertTrue(checked.lines().contains("http.adminToken: (set)"), checked::out);
        assertFalse(checked.mentions("swordfish"));
    }

    @Test
    void configCheckAsJson_hasTypes() throws JsonProcessingException {
        JsonNode checked = new JsonMapper()
                .readTree(run("config", "check", "--json", "--set", "http.hosts=a.example,b.example")
                        .out());
        assertEquals("250ms", checked.get("exact.deadline").asText());
        assertEquals(8_192, checked.get("smtp.maxSessions").intValue());
        assertTrue(checked.get("policy.shadow").isBoolean());
        assertEquals(2, checked.get("http.hosts").size());
        assertEquals("reject", checked.get("policy.listed").get("link").asText());
    }
}
