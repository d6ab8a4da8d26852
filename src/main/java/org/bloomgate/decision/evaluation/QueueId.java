package org.bloomgate.decision.evaluation;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the identifier that a mail server gives a message in its reply. No standard defines its position; the
/// known forms are those of Postfix and many others (`queued as ID`), Exim and Courier (`id=ID`, `id: ID`),
/// Sendmail (`ID Message accepted`), Exchange (`<ID> .. Queued mail`) and Gmail (`OK ID - gsmtp`).
final class QueueId {
    private static final int MAX_CHARS = 100;
    private static final String ID = "[\"'<\\[(]?(?<id>[A-Za-z0-9][A-Za-z0-9.@_+=-]{2,})[\"'>\\])]?";
    private static final Pattern QUEUED = Pattern.compile("(?i)\\bqueued (?:mail )?(?:as|with id) " + ID);
    private static final Pattern NAMED = Pattern.compile("(?i)\\b(?:id|msgid|queue-id|mid)[=:] ?" + ID);
    private static final Pattern ACCEPTED = Pattern.compile("(?i)(?:^| )" + ID + " Message accepted");
    private static final Pattern IN_BRACKETS = Pattern.compile("<(?<id>[^<> ]{3,})> ");
    private static final Pattern GMAIL = Pattern.compile("OK +(?<id>[0-9]+ [^ ]+) - gsmtp");

    /// The most characters of a reply that are read. Hides nothing: a line of a reply has 512 (RFC 5321 4.5.3.1.5).
    private static final int MAX_REPLY_CHARS = 1_024;

    private QueueId() {}

    /// Returns the identifier; empty if the reply does not accept the message or has no identifier.
    static String find(String reply) {
        if (!reply.startsWith("2")) {
            return "";
        }
        String text = reply.substring(0, Math.min(reply.length(), MAX_REPLY_CHARS));
        String exchange = text.substring(0, Math.max(0, text.lastIndexOf(" Queued mail") + 1));
        return find(QUEUED, text)
                .or(() -> find(NAMED, text))
                .or(() -> find(ACCEPTED, text))
                .or(() -> find(IN_BRACKETS, exchange))
                .or(() -> find(GMAIL, text))
                .orElse("");
    }

    private static Optional<String> find(Pattern form, String text) {
        Matcher matcher = form.matcher(text);
        return matcher.find()
                ? Optional.of(matcher.group("id")).map(id -> id.substring(0, Math.min(id.length(), MAX_CHARS)))
                : Optional.empty();
    }
}
