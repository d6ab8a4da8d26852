package org.bloomgate.server.milter;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.bloomgate.core.smtp.Reply;

/// A response to the mail server: one packet.
final class MilterResponse {
    static final MilterResponse CONTINUE = new MilterResponse('c');
    static final MilterResponse DISCARD = new MilterResponse('d');
    static final MilterResponse DEFER = new MilterResponse('t');
    static final MilterResponse PROGRESS = new MilterResponse('p');

    private static final int TOP = 0;

    private final char code;
    private final byte[] data;

    /// @param code a letter
    /// @param data after the letter; must be empty for responses without data, where data is an error for
    ///     Postfix
    private MilterResponse(char code, byte[] data) {
        this.code = code;
        this.data = data;
    }

    private MilterResponse(char code) {
        this(code, new byte[0]);
    }

    private MilterResponse(char code, String data) {
        this(code, data.getBytes(StandardCharsets.ISO_8859_1));
    }

    static MilterResponse negotiate(byte[] data) {
        return new MilterResponse('O', data);
    }

    /// An SMTP reply of 4xx or 5xx. Percent signs are doubled, because the mail server expands them.
    static MilterResponse reply(Reply reply) {
        String lines = reply.toWire().stripTrailing();
        return new MilterResponse('y', lines.replace("%", "%%") + '\0');
    }

    /// Inserts a field above all others, including the mail server's own trace field.
    static MilterResponse insert(String name, String value) {
        return new MilterResponse('i', encodeIndex(TOP) + name + '\0' + value + '\0');
    }

    /// Changes or deletes a field.
    ///
    /// @param index of the field among those with this name, from 1
    /// @param value empty to delete the field
    static MilterResponse change(int index, String name, String value) {
        return new MilterResponse('m', encodeIndex(index) + name + '\0' + value + '\0');
    }

    /// @param path in the bytes that the mail server sent at RCPT, which it compares
    static MilterResponse removeRecipient(String path) {
        return new MilterResponse('-', path + '\0');
    }

    private static String encodeIndex(int index) {
        return new String(ByteBuffer.allocate(Integer.BYTES).putInt(index).array(), StandardCharsets.ISO_8859_1);
    }

    void writeTo(ByteArrayOutputStream out) {
        out.writeBytes(
                ByteBuffer.allocate(Integer.BYTES).putInt(data.length + 1).array());
        out.write(code);
        out.writeBytes(data);
    }
}
