package org.bloomgate.decision.evaluation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the identifier that a mail server gives a message in its reply. No standard defines its position; the
/// known forms are those of Postfix and many others (`queued as ID`), Exim and Courier (`id=ID`, `id: ID`),
/// Sendmail (`ID Message accepted`), Exchange (`<ID> .. Queued mail`) and Gmail (`OK ID - gsmtp`).
final class QueueId {
    private static final int MAX_CHARS = 100;
    private static final String ID = "[\"'<\\[(]?(?<id>[A-Za-z0-9][A-Za-z0-9.@_+=-]{2,})[\"'>\\])]?";
    private static final Pattern[] FORMS = {
        Pattern.compile("(?i)\\bqueued (?:mail )?(?:as|with id) " + ID),
        Pattern.compile("(?i)\\b(?:id|msgid|queue-id|mid)[=:] ?" + ID),
        Pattern.compile("(?i)(?:^| )" + ID + " Message accepted"),
        Pattern.compile("<(?<id>[^<> ]{3,})> .*\\bQueued mail"),
        Pattern.compile("OK +(?<id>[0-9]+ [^ ]+) - gsmtp"),
    };

    private QueueId() {}

    /// Empty when the reply does not take the message, or does not say.
    static String in(String reply) {
        if (!reply.startsWith("2")) {
            return "";
        }
        for (Pattern form : FORMS) {
            Matcher matcher = form.matcher(reply);
            if (matcher.find()) {
                String id = matcher.group("id");
                return id.substring(0, Math.min(id.length(), MAX_CHARS));
            }
        }
        return "";
    }
}
