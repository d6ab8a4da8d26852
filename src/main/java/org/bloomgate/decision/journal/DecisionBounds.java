package org.bloomgate.decision.journal;

import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.decision.authentication.Authentication;

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

    /// The decision within these bounds.
    ///
    /// @param subjects whether the subject and the header From stay
    Decision bounded(Decision whole, boolean subjects) {
        return whole.cut(this, subjects, "");
    }

    /// The same, with a note of what is missing.
    Decision shortened(Decision whole) {
        Decision.Envelope envelope = whole.envelope();
        String note = "shortened to 4 KB: %d recipients, %d refused recipients and %d findings are left out"
                .formatted(
                        Math.max(0, envelope.recipients().size() - recipients),
                        Math.max(0, envelope.refused().size() - recipients),
                        Math.max(0, whole.content().lookup().found().size() - found));
        return whole.cut(this, true, note);
    }

    private boolean isOrdinary() {
        return textBytes == Integer.MAX_VALUE;
    }

    /// The number of labels of the gateway itself, such as limits, in one list.
    int labels() {
        return isOrdinary() ? Integer.MAX_VALUE : found;
    }

    /// The first texts, each cut.
    List<String> first(int most, List<String> texts) {
        return texts.stream().limit(most).map(this::cut).toList();
    }

    /// The first notes, after a note that may be empty and is not cut.
    List<String> notes(String note, List<String> notes) {
        return Stream.concat(Stream.of(note).filter(text -> !text.isEmpty()), first(found, notes).stream())
                .toList();
    }

    /// A part of a key is another key and is left out, unless its length shows that it is one.
    String cutKey(String key) {
        String cut = cut(key);
        return cut.length() == key.length() || cut.length() == Decision.MAX_TEXT ? cut : "";
    }

    Authentication cut(Authentication whole) {
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

    String cut(String text) {
        return cut(text, textBytes);
    }

    /// Cuts the text of a sender or a client.
    String cutSender(String text) {
        return cut(text, Math.max(textBytes, SENDER_BYTES));
    }

    private static String cut(String text, int maxBytes) {
        int end = Math.min(text.length(), Decision.MAX_TEXT);
        if (maxBytes / ESCAPED < end) {
            int bytes = 0;
            int fitting = 0;
            while (fitting < end && bytes + bytes(text.charAt(fitting)) <= maxBytes) {
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

    /// The greatest number of bytes of a character in JSON.
    private static int bytes(char c) {
        return c < ' ' || c == 0x7f ? ESCAPED : c == '"' || c == '\\' ? 2 : c < 0x80 ? 1 : 3;
    }
}
