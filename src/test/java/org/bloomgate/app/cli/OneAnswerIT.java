package org.bloomgate.app.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.server.milter.MilterClient;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every message fixture through SMTP, a milter, `/v1/messages` and `scan`: one result, one mark,
/// and a journal that tells what was done.
@Timeout(180)
class OneAnswerIT {
    private static final Path MESSAGES = Path.of("src/test/resources/messages");
    private static final String MAIL_SERVERS_CLIENT = "192.0.2.7";
    private static final String TOKEN = "\\b[0-9A-HJKMNP-TV-Z]{12}\\b";
    private static final String PREFIX = "[SUSPECT]";
    private static final String FORGED = "X-Bloomgate-Verdict: clean\r\n";
    private static final String LISTED_SENDER = "a@listed-sender.example";
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    /// What may make the listeners differ.
    enum Situation {
        FRESH("", "", "b@to.example"),
        STALE_WITH_DEFER(", maxSnapshotAge: 1ms", "onNoSnapshot: defer", "b@to.example"),
        SHADOW("", "shadow: true", "b@to.example"),
        NO_SNAPSHOT("", "", "b@to.example"),
        EXEMPT("", "", "postmaster@to.example"),
        MEMORY("", "signals: { newLinkOfStranger: tag }", "b@to.example"),
        TWO_RULES("", "recipients: { lists.example: { listed: tag } }", "b@to.example", "c@lists.example"),
        CATEGORIES_BY_RECIPIENT(
                "",
                "categories: { phishing: tag, tracking: quarantine }, senders: { from.example: { listed: { link: defer"
                        + " } } }, recipients: { c@lists.example: { categories: { phishing: reject, default: pass } },"
                        + " .example: { onPartial: quarantine } }",
                "b@to.example",
                "c@lists.example");

        private final String smtp;
        private final String policy;
        private final String recipients;

        Situation(String smtp, String policy, String... recipients) {
            this.smtp = smtp;
            this.policy = policy;
            this.recipients = String.join(" ", recipients);
        }
    }

    /// One message with its envelope.
    private record Mail(String name, String sender, List<String> recipients, String bytes) {}

    /// What a listener made of it; limits only where the message was taken.
    private record Answer(String verdict, String action, String enforced, String limits) {
        boolean isHeld() {
            return enforced.equals("quarantine");
        }

        boolean goesOn() {
            return enforced.equals("pass") || enforced.equals("tag");
        }

        static Answer of(JsonNode object) {
            return new Answer(
                    object.get("verdict").asText(),
                    object.get("action").asText(),
                    object.get("enforced").asText(),
                    object.get("limits").toString());
        }

        Answer without(String taken) {
            return taken.isEmpty() ? this : new Answer(verdict, action, enforced, "");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyListener_givesTheSameAnswer(Situation situation) throws Exception {
        Path file = configure(situation);
        if (situation != Situation.NO_SNAPSHOT) {
            Invocation built = Invocation.of("", List.of("rebuild", "-c", file.toString()));
            assertEquals(ExitStatus.FINE, built.status(), built::toString);
        }
        List<Mail> mails = mails(List.of(situation.recipients.split(" ")));
        List<String> replies = new ArrayList<>();
        List<Answer> overHttp = new ArrayList<>();
        List<MilterClient.Outcome> byMilter = new ArrayList<>();
        learn(situation);
        try (Gateway gateway = Gateway.start(new ConfigurationSource(file, Map.of()).read())) {
            for (Mail mail : mails) {
                replies.add(bySmtp(mail, port(gateway, "smtp")));
                overHttp.add(overHttp(mail, port(gateway, "http")));
            }
        }
        Map<String, String> asked = Map.of("milter.listen", "127.0.0.1:0", "nextHop", "smtp://127.0.0.1:9");
        learn(situation);
        try (Gateway gateway = Gateway.start(new ConfigurationSource(file, asked).read())) {
            for (Mail mail : mails) {
                byMilter.add(byMilter(mail, port(gateway, "milter")));
            }
        }
        List<JsonNode> journal = journal("127.0.0.1");
        List<JsonNode> ofMilter = journal(MAIL_SERVERS_CLIENT);
        Map<String, String> marks = marksOfDelivered();
        Map<String, Answer> scanned = scanned(mails, file);
        assertEquals(mails.size(), ofMilter.size());
        for (int i = 0; i < mails.size(); i++) {
            Mail mail = mails.get(i);
            String atRecipient = replies.get(i).startsWith("RCPT") ? "refused at RCPT" : "";
            Answer recorded = Answer.of(journal.get(i)).without(atRecipient);
            if (situation != Situation.MEMORY) {
                // which the relay has changed when these see the message
                assertEquals(recorded, overHttp.get(i).without(atRecipient), mail.name());
                assertEquals(recorded, requireNonNull(scanned.get(mail.name())).without(atRecipient), mail.name());
            }
            assertEquals(recorded, Answer.of(ofMilter.get(i)).without(atRecipient), mail.name());
            assertEquals(historyOf(journal.get(i)), historyOf(ofMilter.get(i)), mail.name());
            // A message that only some recipients get is answered by next hop or mail server.
            int compared =
                    recorded.isHeld() && mail.recipients().size() > 1 ? "250 2.0.0 Ok".length() : Integer.MAX_VALUE;
            assertEquals(
                    beginning(replies.get(i).replaceAll(TOKEN, "TOKEN"), compared),
                    beginning(replyOf(byMilter.get(i), recorded).replaceAll(TOKEN, "TOKEN"), compared),
                    mail.name());
            if (recorded.goesOn()) {
                assertEquals(
                        marks.getOrDefault(journal.get(i).get("token").asText(), ""),
                        marks(byMilter.get(i).message()),
                        mail.name());
            }
            assertEquals(
                    codeOf(recorded.enforced()),
                    replies.get(i).replace("RCPT ", "").substring(0, 3),
                    mail.name());
        }
        if (situation == Situation.MEMORY) {
            long withLink = journal.stream()
                    .filter(decision -> decision.at("/history/link").isObject())
                    .count();
            assertTrue(withLink > 20, withLink + " messages with a new link");
        }
        if (situation == Situation.SHADOW) {
            assertEquals(mails.size(), delivered(), "in shadow mode nothing is refused");
        }
    }

    /// Without times, which differ between the listeners.
    private static String historyOf(JsonNode decision) {
        return decision.at("/history").toString().replaceAll("\"firstSeen\":\"[^\"]*\"", "");
    }

    /// Begins a memory that has learned for 15 days and knows nothing.
    private void learn(Situation situation) throws IOException {
        Path memory = folder.resolve("memory");
        DurableFiles.deleteTree(memory);
        if (situation == Situation.MEMORY) {
            Files.createDirectories(memory);
            Files.write(memory.resolve("memory.key"), new byte[32]);
            String learned = "{\"began\":\"" + Instant.now().minus(Duration.ofDays(15)) + "\",\"reason\":\"\"}";
            Files.writeString(memory.resolve("links.json"), learned);
            Files.writeString(memory.resolve("senders.json"), learned);
        }
    }

    private static String codeOf(String enforced) {
        return switch (enforced) {
            case "pass", "tag", "quarantine", "discard" -> "250";
            case "defer" -> "451";
            case "reject" -> "550";
            default -> "no action " + enforced;
        };
    }

    private long delivered() throws IOException {
        try (Stream<Path> mail = Files.list(folder.resolve("mail/new"))) {
            return mail.count();
        }
    }

    private Path configure(Situation situation) throws IOException {
        Path file = folder.resolve("bloomgate.yaml");
        Files.writeString(
                file,
                """
                state: FOLDER
                nextHop: "maildir:FOLDER/mail"
                http: { listen: "127.0.0.1:0" }
                smtp: { listen: "127.0.0.1:0"SMTP }
                policy: { subjectPrefix: "[SUSPECT]", POLICY }
                feeds: FOLDER/feeds.yaml
                """.replace("FOLDER", folder.toString())
                                .replace("SMTP", situation.smtp)
                                .replace("POLICY", situation.policy)
                        + (situation == Situation.MEMORY ? "memory: { links: true, senders: true }\n" : ""));
        Files.writeString(folder.resolve("feeds.yaml"), """
            feeds:
              - { name: test, kind: domain, format: lines, match: suffix, source: "FOLDER/domains.txt",
                  category: phishing, cadence: nightly, use: [sender, header, link] }
              - { name: ads, kind: domain, format: lines, source: "FOLDER/ads.txt", category: tracking }
              - { name: capped, kind: domain, format: lines, source: "FOLDER/capped.txt", category: malware,
                  action: tag, cadence: hourly }
              - { name: trial, kind: domain, format: lines, source: "FOLDER/trial.txt", category: malware,
                  shadow: true }
            """.replace("FOLDER", folder.toString()));
        Files.writeString(folder.resolve("domains.txt"), "listed-sender.example\n" + everyThirdHost(0));
        Files.writeString(folder.resolve("ads.txt"), everyThirdHost(1));
        Files.writeString(folder.resolve("capped.txt"), everyThirdHost(2));
        Files.writeString(folder.resolve("trial.txt"), everyThirdHost(0) + everyThirdHost(1) + everyThirdHost(2));
        return file;
    }

    /// Of the hosts that the expectations of the fixtures name.
    private static String everyThirdHost(int first) throws IOException {
        TreeSet<String> hosts = new TreeSet<>();
        for (Path expectation : fixtures(".expect")) {
            for (String line : Files.readAllLines(expectation, ISO_8859_1)) {
                String last = line.substring(line.lastIndexOf(' ') + 1);
                if (last.matches("[a-z0-9.-]+\\.(example|test)")) {
                    hosts.add(last);
                }
            }
        }
        List<String> all = List.copyOf(hosts);
        assertTrue(all.size() > 30, "the fixtures name hosts");
        StringBuilder listed = new StringBuilder();
        for (int i = first; i < all.size(); i += 3) {
            listed.append(all.get(i)).append('\n');
        }
        return listed.toString();
    }

    private static List<Path> fixtures(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(MESSAGES)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    private static List<Mail> mails(List<String> recipients) throws IOException {
        List<Mail> mails = new ArrayList<>();
        for (Path file : fixtures(".eml")) {
            String bytes = Files.readString(file, ISO_8859_1).replaceAll("\r\n|\r|\n", "\r\n");
            String sender = mails.size() % 7 == 6 ? LISTED_SENDER : "a" + mails.size() + "@from.example";
            mails.add(new Mail(
                    file.getFileName().toString(),
                    sender,
                    recipients,
                    forged(bytes.endsWith("\r\n") ? bytes : bytes + "\r\n", mails.size())));
        }
        return mails;
    }

    /// Some begin with fields of ours.
    private static String forged(String bytes, int number) {
        return number % 4 == 1 && bytes.matches("(?s)[!-9;-~]+:.*") ? FORGED + FORGED + bytes : bytes;
    }

    private static int port(Gateway gateway, String name) {
        return Integer.parseInt(gateway.readyLine().replaceAll(".*\\b" + name + "=127\\.0\\.0\\.1:(\\d+).*", "$1"));
    }

    /// The last reply that matters, behind `RCPT` when no recipient was taken.
    private static String bySmtp(Mail mail, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            BufferedReader replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
            say(socket, replies, "");
            say(socket, replies, "EHLO client.example\r\n");
            say(socket, replies, "MAIL FROM:<" + mail.sender() + "> BODY=8BITMIME\r\n");
            boolean taken = false;
            String reply = "";
            for (String recipient : mail.recipients()) {
                reply = say(socket, replies, "RCPT TO:<" + recipient + ">\r\n");
                taken |= reply.startsWith("250");
            }
            if (!taken) {
                return "RCPT " + reply;
            }
            say(socket, replies, "DATA\r\n");
            String stuffed = mail.bytes().startsWith(".") ? "." + mail.bytes() : mail.bytes();
            return say(socket, replies, stuffed.replace("\r\n.", "\r\n..") + ".\r\n");
        }
    }

    private static String say(Socket socket, BufferedReader replies, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        String line = replies.readLine();
        while (line.charAt(3) == '-') {
            line = replies.readLine();
        }
        return line;
    }

    private static MilterClient.Outcome byMilter(Mail mail, int port) throws IOException {
        try (MilterClient client = MilterClient.connect(port)) {
            client.greet(MAIL_SERVERS_CLIENT, "client.example");
            MilterClient.Outcome outcome = client.mail(mail.sender(), mail.recipients(), mail.bytes());
            client.quit();
            return outcome;
        }
    }

    /// What a mail server says to its client, in the words of the relay.
    private static String replyOf(MilterClient.Outcome outcome, Answer decided) {
        String last = outcome.last();
        String taken = decided.isHeld() ? "250 2.0.0 Ok: kept as TOKEN" : "250 2.0.0 Ok: stored";
        String reply = last.startsWith("y") ? last.substring(1, last.length() - 1) : taken;
        return (outcome.message().isEmpty() ? "RCPT " : "") + reply;
    }

    private static String beginning(String reply, int length) {
        return reply.substring(0, Math.min(length, reply.length()));
    }

    /// The fields that only a gateway writes, without the token, and subjects that it marked.
    private static String marks(String message) {
        String header = message.substring(0, (message + "\r\n\r\n").indexOf("\r\n\r\n"));
        return header.lines()
                .filter(line -> line.regionMatches(true, 0, "X-Bloomgate-", 0, 12) || line.contains(PREFIX))
                .map(line -> line.replaceAll(TOKEN, "TOKEN").replaceAll("age=\\d+m", "age"))
                .collect(Collectors.joining("\n"));
    }

    /// By token, of the messages that the relay delivered.
    private Map<String, String> marksOfDelivered() throws IOException {
        Map<String, String> marks = new HashMap<>();
        try (Stream<Path> mails = Files.list(folder.resolve("mail/new"))) {
            for (Path mail : mails.toList()) {
                String message = Files.readString(mail, ISO_8859_1).replaceAll("\r?\n", "\r\n");
                String token = message.replaceAll("(?s)^.*? id (" + TOKEN + ").*$", "$1");
                marks.put(token, marks(message));
            }
        }
        return marks;
    }

    private static Answer overHttp(Mail mail, int port) throws Exception {
        String recipients =
                mail.recipients().stream().map(to -> "&rcptTo=" + to).collect(Collectors.joining());
        URI uri = URI.create("http://127.0.0.1:" + port + "/v1/messages?mailFrom=" + mail.sender() + recipients);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "message/rfc822")
                .POST(BodyPublishers.ofByteArray(mail.bytes().getBytes(ISO_8859_1)))
                .build();
        return Answer.of(
                JSON.readTree(CLIENT.send(request, BodyHandlers.ofString()).body()));
    }

    /// By name, in two scans: to what is not listed it is all the same which sender of a domain it is.
    private Map<String, Answer> scanned(List<Mail> mails, Path configuration) throws IOException {
        Map<String, Answer> answers = new HashMap<>();
        for (String sender : List.of("a@from.example", LISTED_SENDER)) {
            List<String> arguments = new ArrayList<>(List.of("scan", "--json", "-c", configuration.toString()));
            arguments.addAll(List.of("--mail-from", sender));
            mails.getFirst().recipients().forEach(to -> arguments.addAll(List.of("--rcpt-to", to)));
            for (Mail mail : mails) {
                if (mail.sender().equals(LISTED_SENDER) == sender.equals(LISTED_SENDER)) {
                    arguments.add(Files.writeString(folder.resolve(mail.name()), mail.bytes(), ISO_8859_1)
                            .toString());
                }
            }
            for (String line : Invocation.of("", arguments).out().lines().toList()) {
                JsonNode answer = JSON.readTree(line);
                answers.put(Path.of(answer.get("file").asText()).getFileName().toString(), Answer.of(answer));
            }
        }
        return answers;
    }

    /// The decisions on what came from this client, in order.
    private List<JsonNode> journal(String client) throws IOException {
        List<JsonNode> decisions = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.resolve("decisions"))) {
            for (Path file : files.filter(one -> one.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                for (String line : Files.readAllLines(file)) {
                    JsonNode decision = JSON.readTree(line);
                    if (decision.get("client").asText().equals(client)) {
                        decisions.add(decision);
                    }
                }
            }
        }
        return decisions;
    }
}
