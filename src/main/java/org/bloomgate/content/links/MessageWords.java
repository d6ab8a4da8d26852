package org.bloomgate.content.links;

import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.TextUnits;
import org.bloomgate.core.key.Words;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// The words a reader of the message sees, as one identifier: it is listed when listed terms cover more than
/// [MessageLimits#wordShare()] of them. A character of a script without blanks counts as a word.
final class MessageWords {
    /// The work for segmentation, compared with reading.
    private static final int WORK_PER_CHAR = 16;

    /// Words of prose are shorter on average, blanks included; text of another kind is not read to its end.
    private static final int CHARS_PER_WORD = 8;

    private final Allowance allowance;
    private final int most;
    private final Words words = new Words();
    private final TextUnits found = new TextUnits();
    private int charsLeft;

    MessageWords(Allowance allowance) {
        this.allowance = allowance;
        this.most = Math.min(allowance.limits().words(), KeyBatch.MAX_UNITS - 1);
        this.charsLeft = most * CHARS_PER_WORD;
    }

    void read(CharSequence shown) {
        int length = Math.min(shown.length(), charsLeft);
        charsLeft -= length;
        if (allowance.spend((long) length * WORK_PER_CHAR)) {
            words.split(shown.subSequence(0, length), most + 1, found);
        }
        if (length < shown.length() || found.size() > most) {
            allowance.reached(Limit.WORDS);
            found.cut(most);
        }
    }

    /// Appends the keys of all terms there may be; nothing for a message without words.
    void append(KeyBatch batch) {
        if (found.size() == 0) {
            return;
        }
        int quorum = (int) (found.size() * allowance.limits().wordShare()) + 1;
        String value = found.size() + " words";
        batch.begin(new Identifier(KeyKind.KEYWORD, value, Place.CONTENT, Place.CONTENT.label()), quorum);
        found.append(batch);
    }
}
