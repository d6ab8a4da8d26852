package org.bloomgate.decision.journal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.smtp.RefusedRecipient;
import org.bloomgate.decision.authentication.Authentication;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One log line for each message, as `TOKEN reject client=192.0.2.7 from=<a@x.example> to=<b@y.example>
/// message-id=<1@x.example> feed=NAME key=KEY`, for `grep`. Recipients that were refused for reasons other than
/// policy follow with the code of their reply: `refused=<c@y.example>:550`. If the message was not accepted,
/// the line ends with the reply, as `reply="552 5.2.2 Mailbox full"`: the next hop may refuse a message that
/// policy passed. Written by the thread that writes the journal, after the journal, so that a slow log delays
/// no message.
///
/// Values from clients are quoted if they could be misread: blanks, quotes and invisible characters are
/// escaped. Immutable.
record MailLog(Decision decision) implements LogFields {
    private static final Logger LOG = LoggerFactory.getLogger("mail");
    private static final int MAX_RECIPIENTS = 5;

    /// The argument is passed in an array: the logger's method for a single argument is used by most other log calls
    /// too, and the compiler would inline the formatting of this line into each of them.
    static void write(Decision decision) {
        LOG.info("{}", new Object[] {new MailLog(decision)});
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("token", decision.token());
        facts.put("action", decision.outcome().action());
        facts.put("enforced", decision.outcome().enforced());
        facts.put("client", decision.connection().client());
        facts.put("from", decision.envelope().mailFrom());
        facts.put("to", decision.envelope().recipients());
        if (!decision.envelope().refused().isEmpty()) {
            facts.put("refused", decision.envelope().refused());
        }
        facts.put("messageId", decision.content().heading().messageId());
        facts.put("feed", decision.outcome().feed());
        facts.put("key", key(decision));
        decision.processing().authentication().ifPresent(sender -> facts.put("auth", sender.text()));
        facts.put("nextHopId", decision.processing().nextHopId());
        if (!decision.processing().negativeReply().isEmpty()) {
            facts.put("reply", decision.processing().negativeReply());
        }
        return facts;
    }

    @Override
    public String toString() {
        return line(decision);
    }

    static String line(Decision decision) {
        StringBuilder line = new StringBuilder(256);
        line.append(decision.token()).append(' ').append(action(decision));
        add(line, "client", decision.connection().client());
        path(line, " from=<", decision.envelope().mailFrom());
        recipients(line, decision.envelope().recipients());
        refused(line, decision.envelope().refused());
        add(line, "message-id", decision.content().heading().messageId());
        add(line, "feed", decision.outcome().feed());
        add(line, "key", key(decision));
        add(
                line,
                "auth",
                decision.processing().authentication().map(Authentication::text).orElse(""));
        add(line, "next-hop-id", decision.processing().nextHopId());
        reply(line, decision.processing().negativeReply());
        return line.toString();
    }

    private static String action(Decision decision) {
        return decision.outcome().enforced().equals(decision.outcome().action())
                ? decision.outcome().action()
                : "would-" + decision.outcome().action();
    }

    /// The key of the listing that decided.
    private static String key(Decision decision) {
        return decision.content().lookup().found().stream()
                .filter(found -> !decision.outcome().feed().isEmpty()
                        && found.feed().equals(decision.outcome().feed())
                        && found.value().equals(decision.outcome().value()))
                .map(Decision.RecordedFinding::key)
                .findFirst()
                .orElse("");
    }

    private static void recipients(StringBuilder line, List<String> recipients) {
        for (int i = 0; i < Math.min(recipients.size(), MAX_RECIPIENTS); i++) {
            path(line, i == 0 ? " to=<" : ",<", recipients.get(i));
        }
        others(line, recipients);
    }

    private static void refused(StringBuilder line, List<String> recipients) {
        for (int i = 0; i < Math.min(recipients.size(), MAX_RECIPIENTS); i++) {
            RefusedRecipient refused = RefusedRecipient.of(recipients.get(i));
            path(line, i == 0 ? " refused=<" : ",<", refused.path());
            line.append(':');
            plain(line, refused.code());
        }
        others(line, recipients);
    }

    private static void path(StringBuilder line, String before, String path) {
        line.append(before);
        plain(line, path);
        line.append('>');
    }

    private static void others(StringBuilder line, List<String> recipients) {
        if (recipients.size() > MAX_RECIPIENTS) {
            line.append(",+").append(recipients.size() - MAX_RECIPIENTS);
        }
    }

    private static void add(StringBuilder line, String name, String value) {
        if (!value.isEmpty()) {
            line.append(' ').append(name).append('=');
            plain(line, value);
        }
    }

    private static void reply(StringBuilder line, String reply) {
        if (!reply.isEmpty()) {
            line.append(" reply=\"");
            plain(line, reply, ' ');
            line.append('"');
        }
    }

    private static void plain(StringBuilder line, String text) {
        plain(line, text, '!');
    }

    /// Nothing that ends a word, quotes or a line, or cannot be seen.
    ///
    /// @param lowest character that stands for itself: a blank does where quotes hold it
    private static void plain(StringBuilder line, String text, char lowest) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= lowest && c < 0x7f && c != '"' && c != '\\') {
                line.append(c);
            } else if (c >= 0x80 && isSeen(c)) {
                line.append(c);
            } else {
                line.append(String.format("\\u%04x", (int) c));
            }
        }
    }

    private static boolean isSeen(char c) {
        int type = Character.getType(c);
        return Character.isLetterOrDigit(c)
                || type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.OTHER_PUNCTUATION
                || type == Character.MATH_SYMBOL;
    }
}
