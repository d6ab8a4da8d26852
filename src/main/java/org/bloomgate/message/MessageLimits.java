package org.bloomgate.message;

import java.time.Duration;

/// The `message` section of the configuration: how much of one message is looked at. Beyond a limit the message is
/// "not fully inspected", which policy decides about.
///
/// @param words looked up against keyword feeds, when there are any
/// @param wordShare of those words that may be listed before the content is
public record MessageLimits(
        int headerBytes,
        int headerFields,
        int parts,
        int depth,
        int partTextBytes,
        int messageTextBytes,
        int encodedWordsPerField,
        int identifiers,
        int words,
        double wordShare,
        Duration wallTime) {

    public MessageLimits {
        if (words < 1) {
            throw new IllegalArgumentException("words must be at least 1");
        }
        if (!(wordShare >= 0 && wordShare < 1)) {
            throw new IllegalArgumentException("wordShare must be from 0 to below 1");
        }
    }

    public static MessageLimits defaults() {
        return new MessageLimits(
                256 * 1024,
                2_000,
                1_000,
                30,
                4 * 1024 * 1024,
                8 * 1024 * 1024,
                200,
                5_000,
                10_000,
                0.1,
                Duration.ofSeconds(2));
    }
}
