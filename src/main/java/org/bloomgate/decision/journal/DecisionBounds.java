package org.bloomgate.decision.journal;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.journal.Decision.Found;

/// The bounds that keep a decision small whatever a client sent.
///
/// @param textBytes of one text in JSON; also the bound of 512 characters applies
/// @param recipients accepted ones and refused ones, each
/// @param found findings; listed ones take precedence over unresolved ones
record DecisionBounds(int textBytes, int recipients, int found) {
    static final DecisionBounds ORDINARY = new DecisionBounds(Integer.MAX_VALUE, 50, 20);

    /// One after the other for a decision that is too long; the last makes some 2 KB of any.
    static final List<DecisionBounds> SHORTER = List.of(
            new DecisionBounds(256, 20, 8),
            new DecisionBounds(128, 8, 4),
            new DecisionBounds(64, 4, 2),
            new DecisionBounds(32, 2, 1));

    /// Sender and client stay whole where they have the usual length.
    private static final int SENDER_BYTES = 128;

    private static final int ESCAPED = 6;

    /// @param subjects whether the subject and the header From stay
    Decision bounded(Decision whole, boolean subjects) {
        return bounded(whole, subjects, first(found, whole.notes()));
    }

    private Decision bounded(Decision whole, boolean subjects, List<String> notes) {
        int labels = isOrdinary() ? Integer.MAX_VALUE : found;
        return new Decision(
                whole.time(),
                cut(whole.token()),
                cut(whole.client(), SENDER_BYTES),
                cut(whole.helo()),
                cut(whole.tls()),
                cut(whole.mailFrom(), SENDER_BYTES),
                first(recipients, whole.recipients()),
                first(recipients, whole.refused()),
                cut(whole.messageId()),
                subjects ? cut(whole.subject()) : "",
                subjects ? cut(whole.from()) : "",
                whole.sizeBytes(),
                whole.keys(),
                whole.suspects(),
                found(whole),
                whole.limits().stream().limit(labels).toList(),
                whole.filters().stream().limit(labels).toList(),
                notes,
                whole.verdict(),
                whole.action(),
                whole.enforced(),
                cut(whole.feed()),
                cut(whole.category()),
                cut(whole.value()),
                would(whole.would()),
                cut(whole.reply()),
                cut(whole.nextHopReply()),
                cut(whole.nextHopId()),
                cut(whole.snapshot()),
                whole.millis(),
                whole.authentication().map(this::cut));
    }

    /// The same, with a note of what is missing.
    Decision shortened(Decision whole) {
        String note = "shortened to 4 KB: %d recipients, %d refused recipients and %d findings are left out"
                .formatted(
                        Math.max(0, whole.recipients().size() - recipients),
                        Math.max(0, whole.refused().size() - recipients),
                        Math.max(0, whole.found().size() - found));
        return bounded(
                whole,
                true,
                Stream.concat(Stream.of(note), first(found, whole.notes()).stream())
                        .toList());
    }

    private boolean isOrdinary() {
        return textBytes == Integer.MAX_VALUE;
    }

    private List<String> first(int most, List<String> whole) {
        return whole.stream().limit(most).map(this::cut).toList();
    }

    private Map<String, String> would(Map<String, String> whole) {
        return whole.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .limit(found)
                .collect(Collectors.toMap(entry -> cut(entry.getKey()), Map.Entry::getValue, (one, _) -> one));
    }

    /// A finding that decided comes first where findings are left out.
    private List<Found> found(Decision whole) {
        Comparator<Found> listedFirst =
                Comparator.comparing(one -> !one.verdict().equals("listed"));
        Comparator<Found> decidingFirst = Comparator.comparing(
                one -> !one.feed().equals(whole.feed()) || !one.value().equals(whole.value()));
        return whole.found().stream()
                .sorted(whole.found().size() > found ? decidingFirst.thenComparing(listedFirst) : listedFirst)
                .limit(found)
                .map(one -> new Found(
                        one.kind(),
                        cut(one.value()),
                        cut(one.where()),
                        one.verdict(),
                        key(one.key()),
                        one.keyKind(),
                        cut(one.feed()),
                        cut(one.category()),
                        one.firstSeen(),
                        cut(one.exception())))
                .toList();
    }

    /// A part of a key is another key and is left out, unless its length shows that it is one.
    private String key(String whole) {
        String cut = cut(whole);
        return cut.length() == whole.length() || cut.length() == Decision.MAX_TEXT ? cut : "";
    }

    private Authentication cut(Authentication whole) {
        return isOrdinary()
                ? whole
                : new Authentication(
                        cut(whole.name()),
                        whole.in(),
                        whole.result(),
                        whole.mechanism(),
                        cut(whole.domain()),
                        cut(whole.reason()),
                        whole.queries());
    }

    private String cut(String text) {
        return cut(text, 0);
    }

    /// @param atLeast bytes that stay in any case
    private String cut(String text, int atLeast) {
        int most = Math.max(textBytes, atLeast);
        int end = Math.min(text.length(), Decision.MAX_TEXT);
        if (most / ESCAPED < end) {
            int bytes = 0;
            int fitting = 0;
            while (fitting < end && bytes + bytes(text.charAt(fitting)) <= most) {
                bytes += bytes(text.charAt(fitting));
                fitting++;
            }
            end = fitting;
        }
        if (end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return end == text.length() ? text : text.substring(0, end);
    }

    /// Of a character in JSON, at most.
    private static int bytes(char c) {
        return c < ' ' || c == 0x7f ? ESCAPED : c == '"' || c == '\\' ? 2 : c < 0x80 ? 1 : 3;
    }

    /// In all texts whose length a client or a publisher chooses.
    static int characters(Decision decision) {
        int sum = decision.helo().length()
                + decision.mailFrom().length()
                + decision.messageId().length()
                + decision.subject().length()
                + decision.from().length()
                + decision.value().length()
                + decision.reply().length()
                + decision.nextHopReply().length()
                + decision.nextHopId().length();
        for (List<String> texts : List.of(decision.recipients(), decision.refused(), decision.notes())) {
            for (String text : texts) {
                sum += text.length();
            }
        }
        for (Found found : decision.found()) {
            sum += found.value().length() + found.where().length() + found.key().length();
        }
        return sum;
    }
}
