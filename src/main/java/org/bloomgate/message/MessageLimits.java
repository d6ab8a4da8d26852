package org.bloomgate.message;

import java.time.Duration;

/// The `message` section of the configuration: how much of one message is looked at. Beyond a limit the message is "not
/// fully inspected", which policy decides about.
public record MessageLimits(
        int headerBytes,
        int headerFields,
        int parts,
        int depth,
        int partTextBytes,
        int messageTextBytes,
        int encodedWordsPerField,
        int identifiers,
        Duration wallTime) {

    public static MessageLimits defaults() {
        return new MessageLimits(
                256 * 1024, 2_000, 1_000, 30, 4 * 1024 * 1024, 8 * 1024 * 1024, 200, 5_000, Duration.ofSeconds(2));
    }
}
