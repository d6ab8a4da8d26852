package org.bloomgate.app.cli.inspect;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.decision.evaluation.Explanation;
import org.bloomgate.decision.evaluation.Explanation.Answer;
import org.bloomgate.decision.evaluation.Explanation.KeyExplanation;

/// An [Explanation] as lines for a terminal.
public final class ExplanationText {
    private ExplanationText() {}

    public static String of(Explanation explanation) {
        List<String> lines = new ArrayList<>();
        lines.add("value: " + Printable.of(explanation.value()) + " (" + explanation.kind() + ")");
        if (!explanation.steps().isEmpty()) {
            lines.add("canonical form:");
            explanation.steps().forEach(step -> lines.add("  " + step.name() + ": " + Printable.of(step.value())));
        }
        lines.add("keys:");
        for (KeyExplanation key : explanation.keys()) {
            lines.add("  %-8s %s%s".formatted(key.kind(), Printable.of(key.key()), key.itself() ? "" : "  (parent)"));
            key.layers().forEach(layer -> describe(layer, lines));
        }
        explanation.exceptions().forEach(exception -> lines.add("overridden: " + Printable.of(exception)));
        lines.add("precedence: " + explanation.precedence());
        lines.add("verdict: " + explanation.verdict().label());
        return String.join("\n", lines);
    }

    private static void describe(Answer answer, List<String> lines) {
        lines.add("             %s/%s: filter says %s%s"
                .formatted(
                        answer.layer(),
                        answer.generation(),
                        answer.filter(),
                        answer.exact().isEmpty() ? "" : ", exact lookup says " + answer.exact()));
        answer.zones()
                .forEach(zone -> lines.add("             zone %s queried for %s: %s; feed %s: %s"
                        .formatted(
                                zone.zone(),
                                Printable.of(zone.question()),
                                Printable.of(zone.answer()),
                                zone.feed(),
                                zone.meaning())));
        answer.because().forEach(url -> lines.add("             the whole host, because of " + Printable.of(url)));
        answer.listings()
                .forEach(listing -> lines.add(
                        "             feed %s, category %s, match %s, used for %s, first seen %s, last seen %s%s%s"
                                .formatted(
                                        listing.feed(),
                                        listing.category(),
                                        listing.match(),
                                        listing.uses(),
                                        listing.firstSeen(),
                                        listing.lastSeen(),
                                        listing.atMost().isEmpty() ? "" : ", does at most " + listing.atMost(),
                                        listing.shadow() ? ", in shadow: recorded, not enforced" : "")));
    }
}
