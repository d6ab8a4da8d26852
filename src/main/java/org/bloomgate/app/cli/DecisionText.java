package org.bloomgate.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bloomgate.decision.journal.Decision;

/// A decision as lines for a terminal.
public final class DecisionText {
    private DecisionText() {}

    public static String of(Decision decision) {
        List<String> lines = new ArrayList<>();
        lines.add("token: " + decision.token() + ", " + decision.time());
        lines.add("client: " + decision.client() + ", HELO " + Printable.of(decision.helo())
                + (decision.tls().isEmpty() ? ", in the clear" : ", " + decision.tls()));
        lines.add("envelope: <" + Printable.of(decision.mailFrom()) + "> to "
                + Printable.of(String.join(", ", decision.recipients())));
        add("message-id: ", decision.messageId(), lines);
        add("from: ", decision.from(), lines);
        add("subject: ", decision.subject(), lines);
        decision.refused().forEach(refused -> lines.add("refused: " + Printable.of(refused)));
        lines.add("message: " + decision.sizeBytes() + " bytes, " + decision.keys() + " keys, " + decision.suspects()
                + " suspects, snapshot " + (decision.snapshot().isEmpty() ? "none" : decision.snapshot()));
        if (!decision.limits().isEmpty()) {
            lines.add("not fully inspected: " + String.join(", ", decision.limits()));
        }
        decision.authentication()
                .ifPresent(sender ->
                        lines.add("sender " + Printable.of(sender.name()) + ": " + Printable.of(sender.text())));
        decision.notes().forEach(note -> lines.add("note: " + Printable.of(note)));
        decision.found()
                .forEach(found -> lines.add("%s: %s %s [%s], key %s, feed %s, category %s%s"
                        .formatted(
                                found.verdict(),
                                found.kind(),
                                Printable.of(found.value()),
                                Printable.of(found.where()),
                                Printable.of(found.key()),
                                found.feed(),
                                found.category(),
                                found.exception().isEmpty() ? "" : "; " + Printable.of(found.exception()))));
        lines.add("verdict: " + decision.verdict() + ", action: " + decision.action()
                + (decision.enforced().equals(decision.action())
                        ? ""
                        : ", enforced: " + decision.enforced() + " (shadow mode)"));
        if (!decision.feed().isEmpty()) {
            lines.add("decided by: feed " + Printable.of(decision.feed()) + ", category "
                    + Printable.of(decision.category()) + ", value " + Printable.of(decision.value()));
        }
        new TreeMap<>(decision.would())
                .forEach((feed, action) ->
                        lines.add("shadow: feed " + Printable.of(feed) + " would " + Printable.of(action)));
        lines.add("reply: " + orNone(decision.reply()));
        lines.add("next hop: " + orNone(decision.nextHopReply()));
        add("next hop calls it: ", decision.nextHopId(), lines);
        lines.add("milliseconds: " + new TreeMap<>(decision.millis()));
        return String.join("\n", lines);
    }

    private static void add(String what, String text, List<String> lines) {
        if (!text.isEmpty()) {
            lines.add(what + Printable.of(text));
        }
    }

    private static String orNone(String reply) {
        return reply.isEmpty() ? "none" : Printable.of(reply);
    }
}
