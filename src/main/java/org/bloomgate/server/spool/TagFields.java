package org.bloomgate.server.spool;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.memory.HistoryFacts;

/// The fields added to a delivered message in which something was found or could not be looked up. They name
/// the kind of finding and never the found text: the text of a message must not get into its header.
public final class TagFields {
    /// The prefix of field names that only this gateway may write.
    public static final String PREFIX = "X-Bloomgate-";

    private static final int MAX_VALUE = 200;

    private TagFields() {}

    /// One header field.
    ///
    /// @param value printable ASCII in one line, without the blank after the colon
    public record Field(String name, String value) {}

    /// The fields of a decision, in order.
    public static List<Field> createDecisionFields(MessageDecision decision, String token) {
        Field verdict = new Field(PREFIX + "Verdict", decision.verdict().label());
        Field reason = new Field(PREFIX + "Reason", formatReason(decision));
        Field tokenField = new Field(PREFIX + "Token", token);
        return decision.category().isEmpty()
                ? List.of(verdict, tokenField, reason)
                : List.of(
                        verdict, tokenField, reason, new Field(PREFIX + "Category", toPrintable(decision.category())));
    }

    /// The fields of what is new: the newest link domain, and a sender of whom a recipient has received nothing. The
    /// domain is the one text of a message in a field; it is a canonical host name.
    ///
    /// @param now when the message was received
    public static List<Field> createHistoryFields(HistoryFacts facts, Instant now) {
        return Stream.concat(
                        facts.link().map(link -> new Field(PREFIX + "New-Link", toPrintable(link.text(now)))).stream(),
                        facts
                                .sender()
                                .map(sender -> new Field(PREFIX + "First-Contact", sender.firstContact()))
                                .stream())
                .toList();
    }

    /// The fields as text, complete with CRLF.
    public static String format(List<Field> fields) {
        return fields.stream()
                .map(field -> field.name() + ": " + field.value() + "\r\n")
                .collect(Collectors.joining());
    }

    /// The reason, in printable ASCII for a header.
    public static String formatReason(MessageDecision decision) {
        return toPrintable(decision.reason());
    }

    private static String toPrintable(String text) {
        String ascii = TextScan.printable(text);
        return ascii.substring(0, Math.min(ascii.length(), MAX_VALUE));
    }

    /// True if the name imitates a field of this gateway.
    public static boolean isForged(String name) {
        OwnFieldName own = new OwnFieldName();
        OwnFieldName.Match match = OwnFieldName.Match.OPEN;
        for (int i = 0; i < name.length() && match == OwnFieldName.Match.OPEN; i++) {
            match = own.take(name.charAt(i));
        }
        return match == OwnFieldName.Match.OWN || (match == OwnFieldName.Match.OPEN && own.isLikeOwn());
    }
}
