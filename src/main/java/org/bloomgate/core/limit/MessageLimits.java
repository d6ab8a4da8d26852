package org.bloomgate.core.limit;

import java.util.List;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.core.key.PhoneNumbers;

/// The `message` section of the configuration: how much of one message is inspected. A message beyond a limit
/// is "not fully inspected", for which policy has an action.
///
/// Other limits are constants of the class that enforces them: of archives, the depth in `content/mime/Nesting`,
/// the ratio in `content/archive/Members` and the unpacked bytes in [Allowance]. [Limit] names all limits.
///
/// @param words number of words that are looked up in keyword feeds, if there are any
/// @param wordShare the share of these words that may be listed before the content counts as listed
/// @param phoneRegions regions whose phone numbers are read without country code, in this order
public record MessageLimits(
        @NotASetting int headerBytes,
        @NotASetting int headerFields,
        @NotASetting int parts,
        @NotASetting int depth,
        @NotASetting int partTextBytes,
        @NotASetting int messageTextBytes,
        @NotASetting int encodedWordsPerField,
        @NotASetting int identifiers,
        @NotASetting int words,
        double wordShare,
        List<String> phoneRegions) {

    public MessageLimits {
        if (words < 1) {
            throw new IllegalArgumentException("words must be at least 1");
        }
        if (!(wordShare >= 0 && wordShare < 1)) {
            throw new IllegalArgumentException("wordShare must be from 0 to below 1");
        }
        for (String region : phoneRegions) {
            if (!PhoneNumbers.isRegion(region)) {
                throw new IllegalArgumentException(
                        "phoneRegions: " + region + ": write codes of two capital letters, for example US");
            }
        }
        phoneRegions = List.copyOf(phoneRegions);
    }

    /// The parser of phone numbers of the configured regions.
    public PhoneNumbers phones() {
        return new PhoneNumbers(phoneRegions);
    }

    public static MessageLimits defaults() {
        return new MessageLimits(
                256 * 1024,
                2_000,
                2_000,
                30,
                8 * 1024 * 1024,
                16 * 1024 * 1024,
                200,
                50_000,
                10_000,
                0.1,
                List.of("US"));
    }
}
