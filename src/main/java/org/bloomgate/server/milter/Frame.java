package org.bloomgate.server.milter;

/// One packet of the protocol. Its data are part of the reader's buffer and gone with the next one.
final class Frame {
    private final byte command;
    private final byte[] octets;
    private final int from;
    private final int to;

    /// @param command a letter
    /// @param from of the data
    /// @param to end of the data
    Frame(byte command, byte[] octets, int from, int to) {
        this.command = command;
        this.octets = octets;
        this.from = from;
        this.to = to;
    }

    byte command() {
        return command;
    }

    /// The reader's buffer.
    byte[] octets() {
        return octets;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    int length() {
        return to - from;
    }
}
