package org.bloomgate.decision.memory;

import org.bloomgate.base.config.Labelled;

/// A span of time in which the new recipients of a user are limited.
public enum RecipientSpan implements Labelled {
    PER_HOUR("perHour", 3_600),
    PER_DAY("perDay", 86_400);

    private final String label;
    private final long seconds;

    RecipientSpan(String label, long seconds) {
        this.label = label;
        this.seconds = seconds;
    }

    @Override
    public String label() {
        return label;
    }

    long seconds() {
        return seconds;
    }
}
