package org.bloomgate.feed;

import java.util.Optional;

/// The formats a feed may come in. The label stands in `feeds.yaml`.
public enum FeedFormat {
    LINES("lines"),
    HOSTS("hosts"),
    ADBLOCK("adblock"),
    CSV("csv"),
    SHA1_COUNT("sha1-count");

    private final String label;

    FeedFormat(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public static Optional<FeedFormat> ofLabel(String label) {
        for (FeedFormat format : values()) {
            if (format.label.equals(label)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }
}
