package org.bloomgate.decision.memory;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Tiers;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.policy.Signal;

/// Delivers messages to the evaluator of a configuration with a memory whose clock is that of the messages, and prints
/// the signals of each. A message is a line: time in seconds, `in` or `out`, whether the author is authenticated,
/// author, recipients, hosts of links; `3:HOST` is a host that only mailbox 3 hears of, unless it is popular. A line of
/// the output is the number of signals, and whether the newest link was never seen. ReplayMemory CONFIGURATION MESSAGES
/// SIGNALS
public final class ReplayMemory {
    private static final ConnectingClient OUTSIDE =
            new ConnectingClient(Optional.empty(), "", "", false, ResultsSource.OWN_MAIL_SERVER);
    private static final ConnectingClient USER =
            new ConnectingClient(Optional.empty(), "", "", true, ResultsSource.STRANGER);

    private static volatile Instant now = Instant.EPOCH;

    public static void main(String[] args) throws Exception {
        Configuration configuration = new ConfigurationSource(Path.of(args[0]), Map.of()).read();
        now = Instant.ofEpochSecond(firstTime(Path.of(args[1])));
        try (Tiers tiers = Tiers.open(configuration);
                SiteMemory memory =
                        new SiteMemory(configuration.memory().folder(), new SiteMemory.Options(true, true), () -> now);
                BufferedReader messages = Files.newBufferedReader(Path.of(args[1]));
                PrintStream out = new PrintStream(args[2], StandardCharsets.UTF_8)) {
            MessageEvaluator evaluator = tiers.evaluator().withParts(memory);
            for (String line = messages.readLine(); line != null; line = messages.readLine()) {
                String[] fields = line.split("\t", -1);
                Instant next = Instant.ofEpochSecond(Long.parseLong(fields[0]));
                boolean isNextDay = next.getEpochSecond() / 86_400 > now.getEpochSecond() / 86_400;
                now = next;
                if (isNextDay) {
                    memory.maintain();
                }
                out.println(deliver(evaluator, tiers, memory, fields));
            }
        }
    }

    private static long firstTime(Path messages) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(messages)) {
            return Long.parseLong(reader.readLine().split("\t", 2)[0]);
        }
    }

    private static String deliver(MessageEvaluator evaluator, Tiers tiers, SiteMemory memory, String[] fields)
            throws IOException {
        String author = fields[3];
        StringBuilder text = new StringBuilder();
        if (fields[2].equals("1")) {
            text.append("Authentication-Results: mx.corp.example; dkim=pass header.d=")
                    .append(author.substring(author.lastIndexOf('@') + 1))
                    .append("\r\n");
        }
        text.append("From: <").append(author).append(">\r\nContent-Type: text/html\r\n\r\n");
        for (String host : fields[5].split(",")) {
            if (!host.isEmpty()) {
                text.append("<a href=\"http://")
                        .append(nameFor(host, evaluator.senders().history().popular()))
                        .append("/\">a</a>\r\n");
            }
        }
        byte[] message = text.toString().getBytes(StandardCharsets.UTF_8);
        ConnectingClient client = fields[1].equals("out") ? USER : OUTSIDE;
        try (MessageEvaluation evaluation = evaluator.open(tiers.layers().lease(), client)) {
            evaluation.mailFrom(author);
            List.of(fields[4].split(",")).forEach(evaluation::rcptTo);
            evaluation.message(() -> new ByteArrayInputStream(message), message.length);
            evaluation.lookUp();
            evaluation.decide(() -> new ByteArrayInputStream(message));
            Set<Signal> signals =
                    new DecisionDraft("", new Decision.Connection("", "", ""), author, evaluation).signals();
            boolean isNeverSeen = evaluation
                    .facts()
                    .link()
                    .filter(link ->
                            memory.links().orElseThrow().findSeen(link.domain()).isEmpty())
                    .isPresent();
            evaluation.delivered();
            return signals.size() + "\t" + (isNeverSeen ? 1 : 0);
        }
    }

    private static String nameFor(String host, Set<String> popular) {
        int colon = host.indexOf(':');
        String name = host.substring(colon + 1);
        String domain = PublicSuffixes.bundled().registrable(name);
        return colon < 0 || popular.contains(domain)
                ? name
                : domain.replace('.', '-') + "-m" + host.substring(0, colon) + ".example";
    }
}
