package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.decision.keyjournal.Deliveries;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.lists.snapshot.TestKeys;
import org.bloomgate.lookup.local.DamagedFileException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A running gateway whose operators list and except values by command.
@Timeout(120)
class LocalEntriesIT extends CliRig {
    /// A command or a message is sent at a time.
    private static final Pattern PARTS = Pattern.compile("(?<=\r\n)(?=HELO|MAIL|RCPT|DATA|QUIT|Subject)");

    private static final String LISTED = "feed-listed.example";

    @BeforeEach
    void rebuild() throws IOException {
        configure(
                GATEWAY, "name: test, kind: domain, source: FOLDER/domains.txt, category: phishing, cadence: nightly");
        write("domains.txt", LISTED + "\n");
        done("rebuild");
    }

    @Test
    void listing_appliesWithinASecondAndAfterARestart() throws Exception {
        try (Gateway gateway = startGateway()) {
            assertEquals("250", link(gateway, "new.example"));
            done("listing", "add", "domain", "new.example", "--reason", "reported by phone", "--author", "ada");
            becomes("550", gateway, "www.new.example");
            assertEquals("250", link(gateway, "other.example"));
        }
        try (Gateway gateway = startGateway()) {
            assertEquals("550", link(gateway, "new.example"));
            done("listing", "remove", "domain", "new.example");
            becomes("250", gateway, "new.example");
            List<String> trail =
                    run("audit", "--value", "new.example").out().lines().toList();
            assertEquals(2, trail.size(), trail::toString);
            String me = System.getProperty("user.name");
            assertTrue(trail.getFirst().contains("  " + me), trail::toString);
            assertTrue(trail.getFirst().contains(" by command"), trail::toString);
            assertTrue(trail.getFirst().contains("  listing-remove  new.example  "), trail::toString);
            assertTrue(trail.getLast().contains("  listing-add  new.example  author ada, "), trail::toString);
        }
    }

    @Test
    void exception_overridesAFeedAndNamesItsAuthor() throws Exception {
        try (Gateway gateway = startGateway()) {
            assertEquals("550", link(gateway, LISTED));
            done("exception", "add", "domain", LISTED, "--feed", "local", "--author", "ada");
            done("exception", "add", "domain", LISTED, "--feed", "test", "--reason", "a customer", "--author", "ada");
            becomes("250", gateway, LISTED);
            assertEquals(List.of("overridden"), verdicts());
            done("exception", "remove", "domain", LISTED, "--feed", "test");
            becomes("550", gateway, LISTED);
        }
    }

    @Test
    void exceptionOfARecipientDomain_appliesThereOnly() throws Exception {
        try (Gateway gateway = startGateway()) {
            done("exception", "add", "domain", LISTED, "--recipient-domain", "to.example");
            becomes("250", gateway, LISTED);
            assertEquals("550", send(gateway, LISTED, "b@elsewhere.example"));
            assertEquals("250", sendToBoth(gateway, "b@to.example", "c@elsewhere.example"));
        }
    }

    @Test
    void exceptionOfASender_appliesToItsMessagesOnly() throws Exception {
        try (Gateway gateway = startGateway()) {
            done("exception", "add", "--sender", "other.example", "--author", "ada");
            assertEquals("550", link(gateway, LISTED), "mail of another sender");
            done(
                    "exception",
                    "add",
                    "--sender",
                    "A@From.example",
                    "--feed",
                    "test",
                    "--reason",
                    "a customer",
                    "--unauthenticated",
                    "--expires",
                    "90d",
                    "--author",
                    "ada");
            becomes("250", gateway, LISTED);
            assertEquals(List.of("overridden"), verdicts());
            assertEquals(ExitStatus.LISTED, run("check", "domain", LISTED).status(), "no mail, no sender");
            done("exception", "remove", "--sender", "a@from.example");
            becomes("550", gateway, LISTED);
            done(unauthenticated("elsewhere.example"));
            assertEquals("550", link(gateway, LISTED), "of another value");
            done(unauthenticated(LISTED));
            becomes("250", gateway, LISTED);
        }
    }

    private static String[] unauthenticated(String domain) {
        return "exception add domain %s --sender from.example --unauthenticated --expires 7d --reason x"
                .formatted(domain)
                .split(" ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "domain x.example --unauthenticated --expires 7d --reason x",
                "--sender x.example --unauthenticated --expires 7d",
                "--sender x.example --unauthenticated --reason x",
                "--sender x.example --unauthenticated --reason x --expires 91d"
            })
    void unauthenticatedExceptionWithoutTerms_isRejected(String terms) {
        Invocation refused = run(("exception add " + terms).split(" "));
        assertEquals(ExitStatus.MISTAKE, refused.status(), refused::err);
    }

    @Test
    void exceptionOfADecision_countsAsAnErrorOfItsFeed() throws Exception {
        try (Gateway gateway = startGateway()) {
            assertEquals("550", link(gateway, LISTED));
            String token = run("decisions", "--json").out().replaceAll("(?s).*\"token\":\"([0-9A-Z]{12})\".*", "$1");
            assertTrue(run("feeds", "report", "--json").out().contains("\"errors\":0,"));
            done("exception", "add", "--token", token, "--author", "ada");
            becomes("250", gateway, LISTED);
            assertTrue(run("feeds", "report", "--json").out().contains("\"errors\":1,"));
            assertTrue(run("exception", "list", "--json").out().contains("\"error\":\"" + token + "\""));
            String port = gateway.readyLine().replaceAll(".* http=127\\.0\\.0\\.1:(\\d+).*", "$1");
            try (InputStream metrics =
                    URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
                String scraped = new String(metrics.readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(scraped.contains("bloomgate_feed_errors{feed=\"test\"} 1.0"), scraped);
            }
        }
    }

    @Test
    void exceptionOfInvalidSender_isRejected() {
        for (String sender : List.of("co.uk", "not a sender", "@")) {
            assertTrue(run("exception", "add", "--sender", sender).status() != ExitStatus.FINE, sender);
        }
        assertTrue(run("exception", "add", "domain", "--sender", "from.example").status() != ExitStatus.FINE);
        assertTrue(run("exception", "add", "--feed", "test").status() != ExitStatus.FINE);
        assertEquals(List.of(), run("exception", "list").lines());
    }

    @Test
    void commands_applyListingsAndExceptions() {
        done("listing", "add", "domain", "new.example", "--category", "malware");
        Invocation listed = run("check", "domain", "www.new.example");
        assertEquals(ExitStatus.LISTED, listed.status());
        assertEquals(List.of("listed\twww.new.example\tlocal (malware) new.example"), listed.lines());
        done("exception", "add", "domain", "new.example", "--author", "ada", "--reason", "tested");
        assertEquals(ExitStatus.FINE, run("check", "domain", "www.new.example").status());
        Invocation explained = run("explain", "www.new.example");
        assertEquals(ExitStatus.FINE, explained.status());
        assertTrue(
                explained.lines().stream()
                        .anyMatch(line ->
                                line.startsWith("overridden: local on new.example: exception of domain new.example,"
                                                + " match suffix, by ada at TIME,")
                                        && line.endsWith(" because: tested, without end")),
                explained.out());
        assertTrue(
                explained.out().contains("precedence: exceptions (the narrowest scope is named), then local listings"),
                explained.out());
    }

    @Test
    void listingOfSharedDomain_needsForce() throws Exception {
        KeyJournalOptions keys = new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(7), 1 << 20);
        Deliveries.record(keys, Instant.now().minus(Duration.ofDays(2)), 3, "google.com");
        Deliveries.record(keys, Instant.now().minus(Duration.ofDays(2)), 4, "new.example");
        for (String strangers : List.of("google.com", "bit.ly", "docs.google.com")) {
            Invocation refused = run("listing", "add", "domain", strangers);
            assertEquals(ExitStatus.LISTED, refused.status(), refused::toString);
            assertTrue(refused.err().contains("would list "), refused.err());
            assertTrue(refused.err().contains("--force"), refused.err());
            assertEquals(List.of(), run("listing", "list").lines());
        }
        String said = run("listing", "add", "domain", "google.com").err();
        assertTrue(said.contains("it would have stopped 3 of 7 messages delivered in the last 7 days: "), said);
        Invocation forced = run("listing", "add", "domain", "google.com", "--force");
        assertEquals(ExitStatus.FINE, forced.status(), forced::toString);
        Invocation ordinary = run("listing", "add", "domain", "new.example");
        assertEquals(ExitStatus.FINE, ordinary.status(), ordinary::toString);
        assertTrue(ordinary.err().contains("it would have stopped 4 of 7 messages"), ordinary.err());
        assertEquals(2, run("listing", "list").lines().size());
    }

    /// Both sides of the threshold: 5 messages, or more than 0.5 % of those delivered.
    @Test
    void listingThatStopsMuchMail_needsForce() throws Exception {
        KeyJournalOptions keys = new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(7), 1 << 20);
        Instant at = Instant.now().minus(Duration.ofDays(2));
        Deliveries.record(keys, at, 4, "four.example");
        Deliveries.record(keys, at, 5, "five.example");
        assertEquals(
                ExitStatus.FINE, run("listing", "add", "domain", "four.example").status());
        Invocation five = run("listing", "add", "domain", "five.example");
        assertEquals(ExitStatus.LISTED, five.status(), five::toString);
        assertTrue(five.err().contains("domain five.example and everything below it, wherever"), five.err());
        assertTrue(five.err().contains("from 5 on it must be confirmed"), five.err());
        Deliveries.record(keys, at, 1991, "other.example");
        Deliveries.record(keys, at, 5, "five.example");
        Invocation ten = run("listing", "add", "domain", "five.example");
        assertEquals(ExitStatus.FINE, ten.status(), ten::toString);
        assertTrue(ten.err().contains("from 11 on it must be confirmed"), ten.err());
        Deliveries.record(keys, at, 1, "five.example");
        Invocation eleven = run("listing", "add", "domain", "five.example");
        assertEquals(ExitStatus.LISTED, eleven.status(), eleven::toString);
        assertEquals(
                ExitStatus.FINE,
                run("listing", "add", "domain", "five.example", "--force").status());
    }

    @Test
    void list_marksPublishedAndOverruledEntries() throws IOException {
        assertEquals(List.of(), marks(run("listing", "add", "domain", "alone.example")));
        new TestKeys(folder).pair("own", "Ed25519");
        Files.writeString(
                file(),
                "publisher: { currentKey: \"" + folder.resolve("own.key") + "\" }\n",
                StandardOpenOption.APPEND);
        done("listing", "add", "domain", "told.example");
        assertEquals(List.of("published", "published"), marks(run("listing", "list")));
        String[] mirror = {"--set", "mirror.url=http://127.0.0.1:9", "--set", "local.directory=" + folder.resolve("own")
        };
        assertEquals(List.of("publisher", "publisher"), marks(run(with(mirror, "listing", "list"))));
        done(with(mirror, "listing", "add", "domain", "told.example"));
        assertEquals(List.of("overrules", "publisher", "overruled"), marks(run(with(mirror, "listing", "list"))));
        Invocation json = run(with(mirror, "listing", "list", "--json"));
        assertTrue(json.lines().getLast().endsWith("\"mark\":\"overruled\"}"), json.out());
        Files.writeString(folder.resolve("snapshots/listings"), "cut");
        Invocation damaged = run(with(mirror, "listing", "list"));
        assertEquals(1, damaged.lines().size(), "what is here is shown");
        assertTrue(damaged.err().contains("publisher entries not shown: "), damaged.err());
    }

    private static String[] with(String[] settings, String... command) {
        return Stream.concat(Stream.of(command), Stream.of(settings)).toArray(String[]::new);
    }

    private static List<String> marks(Invocation listed) {
        assertEquals(ExitStatus.FINE, listed.status(), listed::toString);
        return Pattern.compile("  \\[([a-z]+)]$", Pattern.MULTILINE)
                .matcher(listed.out())
                .results()
                .map(mark -> mark.group(1))
                .toList();
    }

    @Test
    void exceptionOfUnknownFeed_isRejected() {
        Invocation refused = run("exception", "add", "domain", LISTED, "--feed", "tset");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains("there is no such feed; there are local, test"), refused.err());
        assertEquals(List.of(), run("exception", "list").lines());
    }

    @Test
    void damagedEntries_areNamedAndPreventTheStart() throws Exception {
        done("listing", "add", "domain", "new.example");
        Path entries = folder.resolve("local", "entries.jsonl");
        Files.writeString(entries, Files.readString(entries).replace("new.example", "nev.example"));
        Invocation refused = run("check", "domain", "new.example");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains(entries + ": damaged or edited by hand"), refused.err());
        assertEquals(
                ExitStatus.MISTAKE,
                run("listing", "add", "domain", "more.example").status());
        assertThrows(DamagedFileException.class, this::startGateway);
    }

    private List<String> verdicts() {
        String token = "";
        Path mail = folder.resolve("mail", "new");
        try (var messages = Files.list(mail)) {
            String message = Files.readString(messages.findFirst().orElseThrow());
            token = message.replaceAll("(?s).* id ([0-9A-Z]{12}).*", "$1");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        Invocation explained = run("explain", token);
        assertTrue(explained.out().matches("(?s).*, by ada at 20[-0-9T:]+Z, because: a customer.*"), explained.out());
        return explained
                .out()
                .lines()
                .filter(line -> line.contains("exception of"))
                .map(line -> line.substring(0, line.indexOf(':')))
                .toList();
    }

    /// Asks until the answer is that, for a second at most.
    private static void becomes(String code, Gateway gateway, String domain) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        String last = link(gateway, domain);
        while (!last.equals(code) && System.nanoTime() < deadline) {
            last = link(gateway, domain);
        }
        assertEquals(code, last);
    }

    private static String link(Gateway gateway, String domain) throws IOException {
        return send(gateway, domain, "b@to.example");
    }

    /// The code of the reply to a message with a link to the domain.
    private static String send(Gateway gateway, String domain, String recipient) throws IOException {
        String text = "HELO client.example\r\nMAIL FROM:<a@from.example>\r\nRCPT TO:<" + recipient
                + ">\r\nDATA\r\nSubject: x\r\n\r\nsee http://" + domain + "/\r\n.\r\nQUIT\r\n";
        return reply(gateway, text, 6);
    }

    /// The code of the reply to a message with a link to the listed domain.
    private static String sendToBoth(Gateway gateway, String first, String second) throws IOException {
        String text = "HELO client.example\r\nMAIL FROM:<a@from.example>\r\nRCPT TO:<" + first + ">\r\nRCPT TO:<"
                + second + ">\r\nDATA\r\nSubject: x\r\n\r\nsee http://" + LISTED + "/\r\n.\r\nQUIT\r\n";
        return reply(gateway, text, 7);
    }

    private static String reply(Gateway gateway, String text, int number) throws IOException {
        int port = Integer.parseInt(gateway.readyLine().replaceAll(".* smtp=127\\.0\\.0\\.1:(\\d+) .*", "$1"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            BufferedReader replies =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            List<String> seen = new ArrayList<>(List.of(replies.readLine()));
            for (String line : PARTS.splitAsStream(text).toList()) {
                socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
                seen.add(replies.readLine());
            }
            return seen.get(number - 1).substring(0, 3);
        }
    }
}
