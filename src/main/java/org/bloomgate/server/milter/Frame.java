package org.bloomgate.server.milter;

/// One packet of the protocol. Its data are part of the reader's buffer and gone with the next one.
final class Frame {
    private final byte command;
    private final byte[] bytes;
    private final int from;
    private final int to;

    /// @param command a letter
    /// @param from of the data
    /// @param to end of the data
    Frame(byte command, byte[] bytes, int from, int to) {
        this.command = command;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    byte command() {
        return command;
    }

    /// The reader's buffer.
    byte[] bytes() {
        return bytes;
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
