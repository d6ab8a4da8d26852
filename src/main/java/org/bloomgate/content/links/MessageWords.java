package org.bloomgate.content.links;

import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.TextUnits;
import org.bloomgate.core.key.Words;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// The words that a reader of the message sees, as one identifier: it is listed if listed terms cover more than
/// [MessageLimits#wordShare()] of them. A character of a script without blanks counts as a word.
final class MessageWords {
    /// The work for the segmentation of a character.
    private static final int WORK_PER_CHAR = 16;

    /// More than the average word of prose has, with its blank; other text is not read to its end.
    private static final int CHARS_PER_WORD = 8;

    private final Allowance allowance;
    private final int maxWords;
    private final Words words = new Words();
    private final TextUnits units = new TextUnits();
    private int charsLeft;

    MessageWords(Allowance allowance) {
        this.allowance = allowance;
        this.maxWords = Math.min(allowance.limits().words(), KeyBatch.MAX_UNITS - 1);
        this.charsLeft = maxWords * CHARS_PER_WORD;
    }

    void read(CharSequence text) {
        int length = Math.min(text.length(), charsLeft);
        charsLeft -= length;
        if (allowance.spend((long) length * WORK_PER_CHAR)) {
            words.split(text.subSequence(0, length), maxWords + 1, units);
        }
        if (length < text.length() || units.size() > maxWords) {
            allowance.reached(Limit.WORDS);
            units.cut(maxWords);
        }
    }

    /// Appends the keys of all possible terms; nothing for a message without words.
    void append(KeyBatch batch) {
        if (units.size() == 0) {
            return;
        }
        int quorum = (int) (units.size() * allowance.limits().wordShare()) + 1;
        String value = units.size() + " words";
        batch.begin(new Identifier(KeyKind.KEYWORD, value, Place.CONTENT, Place.CONTENT.label()), quorum);
        units.addTermsTo(batch);
    }
}
