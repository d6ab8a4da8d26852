package org.bloomgate.message;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.key.Identifier;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Place;
import org.bloomgate.key.Words;

/// The words a reader of the message sees, as one identifier: it is listed when more than
/// [MessageLimits#wordShare()] of its keys are.
final class MessageWords {
    /// What segmentation costs, against reading.
    private static final int WORK_PER_CHAR = 16;

    /// Words of prose are shorter on average, blanks included; text of another kind is not read to its end.
    private static final int CHARS_PER_WORD = 8;

    private final InspectionBudget budget;
    private final int most;
    private final Words words = new Words();
    private final List<String> found = new ArrayList<>();
    private int charsLeft;

    MessageWords(InspectionBudget budget) {
        this.budget = budget;
        this.most = budget.limits().words();
        this.charsLeft = most * CHARS_PER_WORD;
    }

    void read(CharSequence shown) {
        int length = Math.min(shown.length(), charsLeft);
        charsLeft -= length;
        if (budget.spend((long) length * WORK_PER_CHAR)) {
            words.split(shown.subSequence(0, length), most + 1, found);
        }
        if (length < shown.length() || found.size() > most) {
            budget.reached("words");
            found.subList(Math.min(most, found.size()), found.size()).clear();
        }
    }

    /// Appends the keys; nothing for a message without words.
    void append(KeyBatch batch) {
        if (found.isEmpty()) {
            return;
        }
        int quorum = (int) (found.size() * budget.limits().wordShare()) + 1;
        String value = found.size() + " words";
        batch.begin(new Identifier(KeyKind.KEYWORD, value, Place.CONTENT, Place.CONTENT.label()), quorum);
        for (String word : found) {
            batch.append(word).endKey(KeyKind.KEYWORD, true);
        }
    }
}
