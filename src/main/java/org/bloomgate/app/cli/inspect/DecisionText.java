package org.bloomgate.app.cli.inspect;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.decision.journal.Decision;

/// A decision as lines for a terminal.
public final class DecisionText {
    private DecisionText() {}

    public static String of(Decision decision) {
        List<String> lines = new ArrayList<>();
        lines.add("token: " + decision.token() + ", " + decision.time());
        lines.add("client: " + decision.connection().client() + ", HELO "
                + Printable.of(decision.connection().helo())
                + (decision.connection().tls().isEmpty()
                        ? ", in the clear"
                        : ", " + decision.connection().tls()));
        lines.add("envelope: <" + Printable.of(decision.envelope().mailFrom()) + "> to "
                + Printable.of(String.join(", ", decision.envelope().recipients())));
        add("message-id: ", decision.content().heading().messageId(), lines);
        add("from: ", decision.content().heading().from(), lines);
        add("subject: ", decision.content().heading().subject(), lines);
        decision.envelope().refused().forEach(refused -> lines.add("refused: " + Printable.of(refused)));
        lines.add("message: " + decision.content().sizeBytes() + " bytes, "
                + decision.content().lookup().keys() + " keys, "
                + decision.content().lookup().suspects() + " suspects, snapshot "
                + (decision.processing().snapshot().isEmpty()
                        ? "none"
                        : decision.processing().snapshot()));
        if (!decision.content().lookup().limits().isEmpty()) {
            lines.add("not fully inspected: "
                    + String.join(", ", decision.content().lookup().limits()));
        }
        decision.processing()
                .authentication()
                .ifPresent(sender ->
                        lines.add("sender " + Printable.of(sender.name()) + ": " + Printable.of(sender.text())));
        decision.content().history().ifPresent(history -> lines.addAll(history.describe(decision.time())));
        decision.content().notes().forEach(note -> lines.add("note: " + Printable.of(note)));
        decision.content()
                .lookup()
                .found()
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
        lines.add("verdict: " + decision.outcome().verdict() + ", action: "
                + decision.outcome().action()
                + (decision.outcome().enforced().equals(decision.outcome().action())
                        ? ""
                        : ", enforced: " + decision.outcome().enforced() + " (shadow mode)"));
        if (!decision.outcome().feed().isEmpty()) {
            lines.add("decided by: feed " + Printable.of(decision.outcome().feed()) + ", category "
                    + Printable.of(decision.outcome().category()) + ", value "
                    + Printable.of(decision.outcome().value()));
        }
        new TreeMap<>(decision.outcome().would())
                .forEach((feed, action) ->
                        lines.add("shadow: feed " + Printable.of(feed) + " would " + Printable.of(action)));
        lines.add("reply: " + orNone(decision.processing().reply()));
        lines.add("next hop: " + orNone(decision.processing().nextHopReply()));
        add("next hop calls it: ", decision.processing().nextHopId(), lines);
        lines.add("milliseconds: " + new TreeMap<>(decision.processing().millis()));
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
