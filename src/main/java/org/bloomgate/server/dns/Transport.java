package org.bloomgate.server.dns;

/// How a question came.
enum Transport {
    UDP("udp"),
    TCP("tcp");

    private final String label;

    Transport(String label) {
        this.label = label;
    }

    /// As in metrics.
    String label() {
        return label;
    }
}
