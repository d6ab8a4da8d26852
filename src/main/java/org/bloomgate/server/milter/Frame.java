package org.bloomgate.server.milter;

/// One packet of the protocol. Its data are in the reader's buffer and valid until the next frame is read.
final class Frame {
    private final byte command;
    private final byte[] bytes;
    private final int from;
    private final int to;

    /// @param command a letter
    /// @param from start of the data
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
