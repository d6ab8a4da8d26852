package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Generated sessions against a model of the relay: in lock-step with the next hop, except for a sender that is
/// already to be rejected.
@Timeout(60)
class RejectedSenderIT {
    private static final long SEED = 7;
    private static final int SESSIONS = 300;
    private static final int COMMANDS = 14;

    /// `later` and `never` are deferred and rejected by the next hop.
    private static final List<String> SENDERS = List.of(
            "",
            "a@from.example",
            "later@from.example",
            "never@from.example",
            "a@listed.example",
            "later@listed.example",
            "never@listed.example");

    /// A rule tags at `mild.example`, and rejects nothing.
    private static final List<String> RECIPIENTS = List.of(
            "b@to.example",
            "later@to.example",
            "never@to.example",
            "postmaster@to.example",
            "b@mild.example",
            "later@mild.example",
            "never@mild.example",
            "c@mild.example");

    @TempDir
    private Path folder;

    @Test
    void generatedSessions_agreeWithTheModel() throws Exception {
        Random random = new Random(SEED);
        int deferredMails = 0;
        try (RelayWorld world = new RelayWorld(Map.of("recipients.mild.example", "tag"), nextHopReplies(), folder)) {
            for (int i = 0; i < SESSIONS; i++) {
                Model model = new Model();
                int recordedBefore = world.nextHop.record().size();
                List<String> said = new ArrayList<>();
                try (TestClient client = new TestClient(world.relay.port())) {
                    client.reply();
                    client.say("EHLO client.example");
                    for (int n = 0; n < COMMANDS; n++) {
                        String command = command(random);
                        said.add(command);
                        String expected = model.reply(command);
                        String reply = client.say(command);
                        assertTrue(reply.startsWith(expected), () -> said + ": " + reply + ", not " + expected);
                        if (reply.startsWith("354")) {
                            assertEquals("250 2.0.0 kept", client.say("Subject: x\r\n."), said::toString);
                        }
                    }
                    model.end();
                    client.say("QUIT");
                    assertEquals(TestClient.CLOSED, client.line());
                }
                List<String> record = world.nextHop.record();
                assertEquals(
                        model.atNextHop,
                        record.subList(recordedBefore, record.size()).stream()
                                .filter(line -> !line.startsWith("TAG "))
                                .toList(),
                        said::toString);
                deferredMails += model.deferredMails;
            }
        }
        assertTrue(deferredMails > SESSIONS / 10, "only " + deferredMails + " senders were sent on with a recipient");
    }

    private static String command(Random random) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> "MAIL FROM:<" + SENDERS.get(random.nextInt(SENDERS.size())) + ">";
            case 3 -> "DATA";
            case 4 -> "RSET";
            default -> "RCPT TO:<" + RECIPIENTS.get(random.nextInt(RECIPIENTS.size())) + ">";
        };
    }

    private static Map<String, Reply> nextHopReplies() {
        Map<String, Reply> replies = new HashMap<>();
        for (String sender : SENDERS) {
            replies.put("MAIL FROM:<" + sender + ">", reply(sender, "sender"));
        }
        for (String recipient : RECIPIENTS) {
            replies.put("RCPT TO:<" + recipient + ">", reply(recipient, "recipient"));
        }
        return replies;
    }

    private static Reply reply(String mailbox, String what) {
        return switch (mailbox.split("@", 2)[0]) {
            case "later" -> Reply.of(450, "4.2.1", what + " later");
            case "never" -> Reply.of(550, "5.1.1", what + " never");
            default -> Reply.of(250, "2.1.0", what + " ok");
        };
    }

    private static String text(Reply reply) {
        return reply.toWire().strip();
    }

    /// What the relay has to answer, and to send to the next hop.
    private static final class Model {
        private final List<String> atNextHop = new ArrayList<>();
        private Optional<String> sender = Optional.empty();
        private Optional<Reply> mailReply = Optional.empty();
        private int recipients;
        private int deferredMails;

        String reply(String command) {
            String argument = command.substring(command.indexOf('<') + 1).replace(">", "");
            return switch (command.substring(0, 4)) {
                case "MAIL" -> mail(argument);
                case "RCPT" -> rcpt(argument);
                case "DATA" -> data();
                default -> reset();
            };
        }

        private String mail(String mailbox) {
            if (sender.isPresent()) {
                return "503 5.5.1";
            }
            sender = Optional.of(mailbox);
            if (isListed()) {
                return "250 2.1.0 Ok";
            }
            Reply reply = mailAtNextHop();
            if (!reply.positive()) {
                end();
            }
            return text(reply);
        }

        private boolean isListed() {
            return sender.orElse("").endsWith("@listed.example");
        }

        private Reply mailAtNextHop() {
            String mailbox = sender.orElseThrow();
            atNextHop.add("MAIL FROM:<" + mailbox + ">");
            Reply reply = RejectedSenderIT.reply(mailbox, "sender");
            mailReply = Optional.of(reply);
            return reply;
        }

        private String rcpt(String mailbox) {
            if (sender.isEmpty()) {
                return "503 5.5.1";
            }
            if (isListed() && !mailbox.startsWith("postmaster@") && !mailbox.endsWith("@mild.example")) {
                return "550 5.7.1 Message refused by policy";
            }
            if (mailReply.isEmpty()) {
                deferredMails++;
            }
            Reply sent = mailReply.orElseGet(this::mailAtNextHop);
            if (!sent.positive()) {
                return text(sent);
            }
            atNextHop.add("RCPT TO:<" + mailbox + ">");
            Reply reply = RejectedSenderIT.reply(mailbox, "recipient");
            recipients += reply.positive() ? 1 : 0;
            return text(reply);
        }

        private String data() {
            if (recipients == 0) {
                return "503 5.5.1";
            }
            atNextHop.add("DATA Subject: x\\r\\n");
            forget();
            return "354";
        }

        private String reset() {
            end();
            return "250 2.0.0 Ok";
        }

        /// Ends an open transaction without a message.
        void end() {
            if (sender.isPresent()) {
                atNextHop.add("END");
            }
            forget();
        }

        private void forget() {
            sender = Optional.empty();
            mailReply = Optional.empty();
            recipients = 0;
        }
    }
}
