package org.bloomgate.server.dns;

/// The transport of a query.
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
