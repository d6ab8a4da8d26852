package org.bloomgate.message;

import java.nio.charset.StandardCharsets;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;

/// Encoded words of a header field (RFC 2047), up to [MessageLimits#encodedWordsPerField()].
final class EncodedWords {
    private EncodedWords() {}

    /// The text decoded; what cannot be decoded, and what stands beyond the limit, stays as it is.
    static String decode(String value, InspectionBudget budget) {
        int first = value.indexOf("=?");
        if (first < 0) {
            return value;
        }
        int end = first;
        int words = 0;
        while (end >= 0 && words < budget.limits().encodedWordsPerField()) {
            words++;
            end = endOfWord(value, end);
            end = end < 0 ? -1 : value.indexOf("=?", end);
        }
        if (end >= 0) {
            budget.reached("encodedWordsPerField");
            return decode(value.substring(0, end)) + value.substring(end);
        }
        return decode(value);
    }

    /// Behind `=?charset?encoding?text?=`, or -1.
    private static int endOfWord(String value, int start) {
        int encoding = value.indexOf('?', start + 2);
        int text = encoding < 0 ? -1 : value.indexOf('?', encoding + 1);
        int end = text < 0 ? -1 : value.indexOf("?=", text + 1);
        return end < 0 ? -1 : end + 2;
    }

    private static String decode(String value) {
        try {
            return DecoderUtil.decodeEncodedWords(value, DecodeMonitor.SILENT, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException unreadable) {
            return value;
        }
    }
}
