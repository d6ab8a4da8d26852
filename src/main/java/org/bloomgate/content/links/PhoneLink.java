package org.bloomgate.content.links;

import java.util.Optional;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.key.PhoneNumbers;

/// Reads the phone number that a link calls or writes to. A number is a whole piece of the link between two
/// delimiters: `tel:+1..`, `skype:+1..?call`, `viber://chat?number=..`, `https://wa.me/1..`,
/// `https://api.whatsapp.com/send?phone=..`. In a link of the web it has its country code, because other
/// digits there are mostly identifiers of something else.
final class PhoneLink {
    private static final String DELIMITERS = "/?&#=;,:@!";

    /// The work for parsing a piece.
    private static final int WORK_PER_NUMBER = 1_000;

    private final KeyExtractor keys;
    private final PhoneNumbers numbers;
    private final PhoneScan scan;

    PhoneLink(KeyExtractor keys, PhoneScan scan) {
        this.keys = keys;
        this.numbers = keys.allowance().limits().phones();
        this.scan = scan;
    }

    /// Reads as much of a link as is searched for wrapped links.
    ///
    /// @param web whether the link leads to a page; not if an application opens it, or if it is text of a code
    void read(String link, boolean web) {
        if (!keys.pay(link.length())) {
            return;
        }
        String text = PercentDecoding.decode(link.substring(0, Math.min(link.length(), KeyExtractor.MAX_URL_CHARS)));
        Optional<String> whole = web ? Optional.empty() : numbers.canonical(text);
        whole.ifPresent(keys::phone);
        boolean found = whole.isPresent();
        for (int from = 0, to; from < text.length() && whole.isEmpty(); from = to + 1) {
            to = endOfPiece(text, from);
            found |= to - from >= PhoneNumbers.FEWEST_DIGITS
                    && readPiece(text.substring(from, to).strip(), web);
        }
        if (!found && !web) {
            scan.read(new TextBuffer(text.length() + 1).append(text));
        }
    }

    private static int endOfPiece(String text, int from) {
        int to = from;
        while (to < text.length() && DELIMITERS.indexOf(text.charAt(to)) < 0) {
            to++;
        }
        return to;
    }

    private boolean readPiece(String piece, boolean web) {
        boolean sign = piece.startsWith("+");
        int digits = 0;
        for (int i = 0; i < piece.length(); i++) {
            char c = piece.charAt(i);
            if (Character.isLetter(c) || (web && c == '.')) {
                return false;
            }
            digits += Character.digit(c, 10) < 0 ? 0 : 1;
        }
        int fewest = sign || !web ? PhoneNumbers.FEWEST_DIGITS : PhoneNumbers.FEWEST_WITHOUT_SIGN;
        if (digits < fewest
                || digits > PhoneNumbers.MOST_DIGITS
                || !keys.allowance().spend(WORK_PER_NUMBER)) {
            return false;
        }
        String bare = piece.replace('+', ' ').strip();
        Optional<String> number = sign || web ? Optional.empty() : numbers.canonical(bare);
        number = number.or(() -> PhoneNumbers.INTERNATIONAL.canonical(bare.startsWith("00") ? bare : "+" + bare));
        number.ifPresent(keys::phone);
        return number.isPresent();
    }
}
