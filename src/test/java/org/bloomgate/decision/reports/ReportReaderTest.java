package org.bloomgate.decision.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.content.mime.ReportParts;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.decision.authentication.DkimHeader;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.journal.DecisionQuery;
import org.bloomgate.decision.journal.JournalOptions;
import org.bloomgate.decision.journal.JournalPosition;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.decision.keyjournal.HourlyKeyJournal;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reports of a message that was delivered, in the forms of mail programs.
class ReportReaderTest {
    private static final Instant DELIVERED = Instant.parse("2031-05-06T07:08:09Z");
    private static final Instant NOW = DELIVERED.plusSeconds(3600);
    private static final String TOKEN = "0123456789AB";
    private static final String ANN = "ann@corp.example";
    private static final Reporter REPORTER = new Reporter(ANN, "192.0.2.0/24");
    private static final String LINK = "https://login-evil.example/pay";
    private static final String ID = "<77@evil-sender.example>";
    private static final String ORIGINAL = "From: Billing <billing@evil-sender.example>\r\nTo: ann@corp.example\r\n"
            + "Subject: Invoice\r\nMessage-ID: " + ID + "\r\nDate: Tue, 6 May 2031 07:08:00 +0000\r\n\r\nPay at " + LINK
            + "\r\n";
    private static final String SIGNATURE = "--\nAnn\nhttps://social.example/ann\n";

    @TempDir
    Path state;

    private final MessageReader reader = new MessageReader(MessageLimits.defaults());
    private JournalOptions options = JournalOptions.defaults(Path.of("unused"));

    @BeforeEach
    void deliverOriginal() throws IOException {
        options = JournalOptions.defaults(state);
        deliver(TOKEN, DELIVERED, List.of(ANN, "bob@corp.example"), ORIGINAL, ID);
    }

    private void deliver(String token, Instant time, List<String> recipients, String message, String id)
            throws IOException {
        KeyBatch batch = reader.takeBatch();
        reader.read(
                new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8)),
                PublicSuffixes.bundled(),
                EnumSet.allOf(KeyKind.class),
                batch,
                reader.createAllowance());
        try (HourlyKeyJournal keys = new HourlyKeyJournal(options.keys(), InstantSource.fixed(time));
                JsonDecisionJournal journal = new JsonDecisionJournal(options, InstantSource.fixed(time))) {
            MailKeys mail = keys.begin().orElseThrow();
            mail.add(batch);
            mail.addMessageId(id);
            keys.record(token, time, mail);
            journal.record(decision(token, time, recipients));
        }
    }

    private static Decision decision(String token, Instant time, List<String> recipients) {
        return new Decision(
                time,
                token,
                new Decision.Connection("192.0.2.7", "mail.example", ""),
                new Decision.Envelope("billing@evil-sender.example", recipients, List.of()),
                new Decision.Content(
                        new Decision.Heading(ID, "Invoice", ""),
                        99,
                        new Decision.Lookup(1, 0, List.of(), List.of(), List.of()),
                        List.of(),
                        Optional.empty()),
                new Decision.Outcome("clean", "pass", "pass", "", "", "", Map.of()),
                new Decision.Processing("250 2.0.0 Ok", "", "", "", Map.of(), Optional.empty()));
    }

    private List<ReportedMessage> read(String report, Reporter reporter) {
        try (JsonDecisionJournal journal = new JsonDecisionJournal(options, InstantSource.fixed(NOW))) {
            return read(report, reporter, journal, InstantSource.fixed(NOW));
        }
    }

    private List<ReportedMessage> read(String report, Reporter reporter, DecisionJournal journal, InstantSource clock) {
        byte[] bytes = report.getBytes(StandardCharsets.UTF_8);
        try {
            Originals originals = new Originals(journal, options.keys(), "mx.corp.example", clock);
            return new ReportReader(reader, PublicSuffixes::bundled, originals, Set.of("corp.example"))
                    .read(DkimHeader.read(new ByteArrayInputStream(bytes)), new ByteArrayInputStream(bytes), reporter);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private ReportedMessage readOne(String report) {
        List<ReportedMessage> messages = read(report, REPORTER);
        assertEquals(1, messages.size());
        return messages.getFirst();
    }

    private static String attached(String type, String encoding, String content) {
        return "From: ann@corp.example\r\nTo: phish@corp.example\r\nSubject: FW: Invoice\r\nMIME-Version: 1.0\r\n"
                + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nLook!\r\n"
                + SIGNATURE + "--b\r\nContent-Type: " + type + "\r\nContent-Transfer-Encoding: " + encoding
                + "\r\n\r\n" + content + "\r\n--b--\r\n";
    }

    private static String inline(String text) {
        return "From: ann@corp.example\r\nTo: phish@corp.example\r\nSubject: Fwd: Invoice\r\n"
                + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + text;
    }

    private static Set<String> offered(ReportedMessage message) {
        return message.identifiers().stream()
                .filter(identifier -> identifier.objection().isEmpty())
                .map(identifier -> identifier.key().line())
                .collect(Collectors.toSet());
    }

    private static void assertFound(ReportedMessage message) {
        assertEquals(Optional.of(TOKEN), message.token());
        assertEquals(List.of(ANN, "bob@corp.example"), message.recipients());
        assertEquals(Optional.of(DELIVERED), message.date());
        assertTrue(
                offered(message).contains("domain login-evil.example"),
                () -> offered(message).toString());
        assertTrue(
                offered(message).contains("url login-evil.example/pay"),
                () -> offered(message).toString());
        assertFalse(offered(message).contains("domain social.example"));
    }

    @Test
    void attachedMessage_isFoundByItsMessageId() {
        ReportedMessage message = readOne(attached("message/rfc822", "7bit", ORIGINAL));
        assertFound(message);
        assertEquals("Invoice", message.subject());
        assertEquals("Billing <billing@evil-sender.example>", message.from());
        assertEquals("77@evil-sender.example", message.messageId());
        assertTrue(offered(message).contains("address billing@evil-sender.example"));
        assertTrue(offered(message).contains("domain evil-sender.example"));
    }

    @Test
    void attachedFile_isReadByItsName() {
        String base64 = Base64.getMimeEncoder().encodeToString(ORIGINAL.getBytes(StandardCharsets.UTF_8));
        assertFound(readOne(attached("application/octet-stream; name=\"mail.eml\"", "base64", base64)));
    }

    @Test
    void fileWithOtherLineEnds_isFoundByItsMessageId() {
        String file = "From: a@other.example\nMessage-ID: " + ID + "\n\nhttps://other.example/\n";
        String base64 = Base64.getMimeEncoder().encodeToString(file.getBytes(StandardCharsets.UTF_8));
        ReportedMessage message = readOne(attached("application/octet-stream; name=\"mail.eml\"", "base64", base64));
        assertEquals(Optional.of(TOKEN), message.token());
        assertEquals(Set.of(), offered(message));
    }

    @Test
    void ownField_hasTheToken() {
        String received = "Received: from x (x)\r\n\tby mx.corp.example with ESMTP id " + TOKEN
                + ";\r\n\tTue, 6 May 2031 07:08:09 +0000\r\n";
        assertFound(readOne(attached("message/rfc822", "7bit", received + ORIGINAL.replace(ID, "<other@x.example>"))));
    }

    /// The same domain as sender, and at a place of the content.
    @ParameterizedTest
    @CsvSource({
        "From, text/plain, https://evil.example/x, link",
        "From, text/html, <a href=//evil.example/x>x</a>, link",
        "From, text/html, <img src=//evil.example>, link",
        "Reply-To, text/plain, www.evil.example, sender",
        "Reply-To, text/plain, http://evil.example, link",
        "Sender, text/plain, https://evil.example/x, link",
        "From, text/plain, nothing, sender"
    })
    void domainOfSenderAndLink_isOfALink(String field, String type, String body, String place) {
        String message = field + ": a@evil.example\r\nContent-Type: " + type + "\r\n\r\n" + body + "\r\n";
        assertEquals(
                List.of(place),
                readOne(attached("message/rfc822", "7bit", message)).identifiers().stream()
                        .filter(one -> one.key().line().equals("domain evil.example"))
                        .map(ReportedIdentifier::where)
                        .toList());
    }

    /// A journal that finds nothing and takes all the time that it may.
    private static final class SlowJournal implements DecisionJournal {
        private Instant now = NOW;

        @Override
        public void record(Decision decision) {
            throw new IllegalStateException("only searched");
        }

        @Override
        public Optional<Decision> find(String token) {
            throw new IllegalStateException("searched without a bound");
        }

        @Override
        public SearchResult find(DecisionQuery query, Optional<JournalPosition> from, Duration within) {
            now = now.plus(within.isNegative() ? Duration.ZERO : within);
            return new SearchResult(List.of(), Optional.empty(), Optional.empty());
        }

        @Override
        public void close() {}
    }

    @Test
    void searchesForOneReport_areBoundedTogether() {
        String part =
                "--b\r\nContent-Type: message/rfc822\r\n\r\nX-Bloomgate-Token: ZZZZZZZZZZZZ\r\n" + ORIGINAL + "\r\n";
        String report = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
                + part.repeat(ReportParts.MAX_MESSAGES) + "--b--\r\n";
        SlowJournal journal = new SlowJournal();
        assertEquals(
                ReportParts.MAX_MESSAGES,
                read(report, REPORTER, journal, () -> journal.now).size());
        assertEquals(NOW.plus(Originals.REPORT_TIMEOUT), journal.now);
    }

    @Test
    void messageOfAProvider_isNotSearchedFor() {
        String feedback = attached("message/feedback-report", "7bit", "Feedback-Type: abuse")
                .replace("--b--", "--b\r\nContent-Type: message/rfc822\r\n\r\n" + ORIGINAL + "\r\n--b--");
        SlowJournal journal = new SlowJournal();
        assertEquals(
                1,
                read(feedback, new Reporter("", "192.0.2.0/24"), journal, () -> journal.now)
                        .size());
        assertEquals(NOW, journal.now);
    }

    /// Newer copies of a campaign, to others, are as good until their recipients are known.
    @ParameterizedTest
    @ValueSource(ints = {Originals.MAX_SINGLE - 1, Originals.MAX_SINGLE, 30})
    void copyOfACampaign_isFoundAmongMany(int others) throws IOException {
        for (int i = 0; i < others; i++) {
            deliver("ZZZZZZZZZZ%02d".formatted(i), DELIVERED.plusSeconds(i), List.of("eve@corp.example"), ORIGINAL, ID);
        }
        assertFound(readOne(attached("message/rfc822", "7bit", ORIGINAL)));
        assertFound(readOne(inline("Look\n\nFrom: Billing <billing@evil-sender.example>\n\nPay at " + LINK + "\n")));
    }

    @Test
    void hostBehindManyLinks_isOffered() {
        String links = IntStream.rangeClosed(1, ReportedMessage.MAX_IDENTIFIERS)
                .mapToObj(i -> "https://google.com/" + i + "\r\n")
                .collect(Collectors.joining());
        String own = "https://www.corp.example/ https://mail.corp.example/\r\n";
        ReportedMessage message = readOne(inline("From: Eve <eve@unknown.example>\n\n" + own + links + LINK + "\r\n"));
        assertEquals(ReportedMessage.MAX_IDENTIFIERS, message.identifiers().size());
        assertEquals(ReportedMessage.MAX_IDENTIFIERS, offered(message).size());
        assertTrue(offered(message).contains("domain login-evil.example"));
    }

    @Test
    void hostBehindFortyLinks_isOffered() {
        String links = IntStream.rangeClosed(1, 40)
                .mapToObj(i -> "https://h" + i + ".example/" + i + "\r\n")
                .collect(Collectors.joining());
        ReportedMessage message = readOne(inline("From: Eve <eve@unknown.example>\n\n" + links + LINK + "\r\n"));
        assertTrue(offered(message).contains("domain login-evil.example"));
    }

    /// A sender chooses a Message-ID, and whoever reports chooses what is attached.
    @Test
    void messageOfOthers_isNotTheOriginal() throws IOException {
        String other = "From: x@other.example\r\nMessage-ID: <9@x>\r\n\r\nhttps://x.example/\r\n";
        deliver("ZZZZZZZZZZZZ", DELIVERED, List.of("eve@corp.example"), other, "<9@x>");
        assertEquals(
                Optional.empty(),
                readOne(attached("message/rfc822", "7bit", other)).token());
    }

    /// Mail to the reporter shares a key with many a message.
    @Test
    void messageWithFewOfTheKeys_isNotTheOriginal() {
        String text = "From: Eve <eve@unknown.example>\nSubject: Prize\n\nhttps://prize.example/ " + LINK + "\n";
        ReportedMessage message = readOne(inline(text));
        assertEquals(Optional.empty(), message.token());
        assertTrue(offered(message).contains("domain prize.example"));
    }

    @Test
    void keyThatWasNotDelivered_hasAnObjection() {
        ReportedMessage message =
                readOne(attached("message/rfc822", "7bit", ORIGINAL + "https://competitor.example/\r\n"));
        assertFound(message);
        assertFalse(offered(message).contains("domain competitor.example"));
        assertTrue(message.identifiers().stream()
                .anyMatch(identifier -> identifier.key().text().equals("competitor.example")));
    }

    @Test
    void ownNames_haveAnObjection() {
        ReportedMessage message =
                readOne(attached("message/rfc822", "7bit", ORIGINAL.replace(LINK, "https://www.corp.example/")));
        assertFalse(offered(message).contains("domain www.corp.example"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Look\n" + SIGNATURE
                        + "\n---------- Forwarded message ---------\nFrom: Billing <b@evil-sender.example>\n"
                        + "Date: Tue, May 6\nSubject: Invoice\nTo: <ann@corp.example>\n\nPay at " + LINK + "\n",
                "> Anfang der weitergeleiteten Nachricht:\n"
                        + ">\n"
                        + "> Von: Billing <b@evil-sender.example>\n"
                        + "> Betreff: Invoice\n"
                        + "> An:"
                        + " ann@corp.example\n"
                        + ">\n"
                        + "> Pay"
                        + " at " + LINK + "\n" + SIGNATURE,
                "De : Billing <b@evil-sender.example>\nObjet : Invoice\nPay at " + LINK + "\n" + SIGNATURE,
                "On 6/5/2031 07:08, \"Billing\" <b@evil-sender.example> wrote:\n\n   Pay at " + LINK,
                "This is phishing: " + LINK + "\n" + SIGNATURE
            })
    void quotedMessage_isFoundByItsKeys(String text) {
        assertFound(readOne(inline(text)));
    }

    @Test
    void quotedMessageThatIsNotFound_isOfferedWithoutSignatures() {
        ReportedMessage message = readOne(inline("Hi\nhttps://mine.example/\n\nFrom: Eve <eve@unknown.example>\n"
                + "Subject: Prize\n\nSee https://prize.example/\n" + SIGNATURE));
        assertEquals(Optional.empty(), message.token());
        assertEquals("Eve <eve@unknown.example>", message.from());
        assertEquals("Fwd: Invoice", message.subject());
        assertEquals(
                Set.of(
                        "domain prize.example",
                        "url prize.example/",
                        "domain unknown.example",
                        "address eve@unknown.example"),
                offered(message));
    }

    @Test
    void html_isReadWithTheTargetsOfItsLinks() {
        String html =
                "<p>Look</p><a href=https://social.example/>me</a><div>From: Billing &lt;b@evil-sender.example&gt;"
                        + "</div><div>Subject: Invoice</div><a href=" + LINK + ">pay</a>";
        assertFound(readOne(inline(html).replace("text/plain", "text/html")));
    }

    @Test
    void automaticMessage_isNoReport() {
        String report = "Auto-Submitted: auto-replied\r\n" + attached("message/rfc822", "7bit", ORIGINAL);
        assertEquals(List.of(), read(report, REPORTER));
        assertFound(readOne("Auto-Submitted: no\r\n" + attached("message/rfc822", "7bit", ORIGINAL)));
    }

    @Test
    void provider_sendsFeedbackReportsAlone() {
        Reporter provider = new Reporter("", "192.0.2.0/24");
        String feedback = attached("message/feedback-report", "7bit", "Feedback-Type: abuse")
                .replace("--b--", "--b\r\nContent-Type: message/rfc822\r\n\r\n" + ORIGINAL + "\r\n--b--");
        ReportedMessage message = read(feedback, provider).getFirst();
        assertEquals("Invoice", message.subject());
        assertTrue(offered(message).contains("domain login-evil.example"));
        assertEquals(Optional.empty(), message.token());
        assertEquals(List.of(), read(attached("message/rfc822", "7bit", ORIGINAL), provider));
    }

    @Test
    void attachedMessages_atBoundAndBeyond() {
        String part = "--b\r\nContent-Type: message/rfc822\r\n\r\n" + ORIGINAL + "\r\n";
        for (int count : List.of(ReportParts.MAX_MESSAGES, ReportParts.MAX_MESSAGES + 1)) {
            String report = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
                    + IntStream.range(0, count).mapToObj(_ -> part).collect(Collectors.joining())
                    + "--b--\r\n";
            assertEquals(ReportParts.MAX_MESSAGES, read(report, REPORTER).size());
        }
    }
}
