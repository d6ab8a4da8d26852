package org.bloomgate.content.mime;

import java.util.Arrays;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.content.links.LenientBase64;
import org.bloomgate.content.links.PercentDecoding;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;

/// Decodes the encoded words of a header field (RFC 2047), up to `MessageLimits.encodedWordsPerField()`.
/// Tolerant: words may be longer than 75 characters, contain blanks and touch other text; characters that are
/// split over two words are joined.
///
/// Mime4j's own decoder is a regular expression that takes quadratic time on `=??a?a?a..`.
final class EncodedWords {
    private final String value;
    private final Allowance allowance;
    private final TextBuffer decoded;
    private byte[] bytes = new byte[64];
    private int length;
    private String charset = "";

    private EncodedWords(String value, Allowance allowance) {
        this.value = value;
        this.allowance = allowance;
        this.decoded = new TextBuffer(value.length() + 16);
    }

    /// The decoded text; words that cannot be decoded, and those beyond the limit, stay as they are.
    static String decode(String value, Allowance allowance) {
        return value.contains("=?") ? new EncodedWords(value, allowance).decode() : value;
    }

    private String decode() {
        int copied = 0;
        int words = 0;
        int start = value.indexOf("=?");
        while (start >= 0) {
            if (words == allowance.limits().encodedWordsPerField()) {
                allowance.reached(Limit.ENCODED_WORDS);
                break;
            }
            words++;
            int encoding = value.indexOf('?', start + 2);
            if (encoding >= 0 && !isEncoding(encoding)) {
                start = value.indexOf("=?", start + 2);
                continue;
            }
            // Only here: the end of a field may be the end of many words.
            int end = encoding < 0 ? -1 : value.indexOf("?=", encoding + 3);
            if (end < 0) {
                break;
            }
            appendBetween(copied, start);
            decodeWord(value.substring(start + 2, encoding), encoding, end);
            copied = end + 2;
            start = value.indexOf("=?", copied);
        }
        flush();
        decoded.append(value.substring(copied));
        return decoded.toString();
    }

    private boolean isEncoding(int question) {
        boolean isWord = value.startsWith("?", question + 2);
        char c = isWord ? Vocabulary.lower(value.charAt(question + 1)) : ' ';
        return c == 'b' || c == 'q';
    }

    /// Blanks between two encoded words are ignored; any other text ends the run of encoded words.
    private void appendBetween(int from, int to) {
        if (from == to || (length > 0 && value.substring(from, to).isBlank())) {
            return;
        }
        flush();
        decoded.append(value.substring(from, to));
    }

    private void decodeWord(String charsetAndLanguage, int encoding, int end) {
        int language = charsetAndLanguage.indexOf('*');
        String name =
                TextForms.lowerCase(language < 0 ? charsetAndLanguage : charsetAndLanguage.substring(0, language));
        if (!name.equals(charset)) {
            flush();
            charset = name;
        }
        String text = value.substring(encoding + 3, end);
        byte[] wordBytes = Vocabulary.lower(value.charAt(encoding + 1)) == 'b'
                ? LenientBase64.decode(text)
                : PercentDecoding.bytes(text.replace('_', ' '), '=');
        if (length + wordBytes.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, (length + wordBytes.length) * 2);
        }
        System.arraycopy(wordBytes, 0, bytes, length, wordBytes.length);
        length += wordBytes.length;
    }

    private void flush() {
        if (length > 0) {
            TextDecoding.decode(Arrays.copyOf(bytes, length), length, charset, allowance, decoded);
            length = 0;
        }
    }
}
