package org.bloomgate.server.milter;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.bloomgate.core.smtp.Reply;

/// One packet to the mail server.
final class Answer {
    static final Answer CONTINUE = new Answer('c');
    static final Answer DISCARD = new Answer('d');
    static final Answer DEFER = new Answer('t');
    static final Answer PROGRESS = new Answer('p');

    private static final int TOP = 0;

    private final char code;
    private final byte[] data;

    /// @param code a letter
    /// @param data what follows it: empty for the plain ones, where Postfix takes any data as an error
    private Answer(char code, byte[] data) {
        this.code = code;
        this.data = data;
    }

    private Answer(char code) {
        this(code, new byte[0]);
    }

    private Answer(char code, String data) {
        this(code, data.getBytes(StandardCharsets.ISO_8859_1));
    }

    static Answer negotiated(byte[] data) {
        return new Answer('O', data);
    }

    /// An SMTP reply of 4xx or 5xx. The mail server expands percent signs, so that they come in pairs.
    static Answer reply(Reply reply) {
        String lines = reply.toWire().stripTrailing();
        return new Answer('y', lines.replace("%", "%%") + '\0');
    }

    /// A field above all others, the mail server's own trace field included.
    static Answer insert(String name, String value) {
        return new Answer('i', at(TOP) + name + '\0' + value + '\0');
    }

    /// @param index counts the fields of this name from 1
    /// @param value empty deletes the field
    static Answer change(int index, String name, String value) {
        return new Answer('m', at(index) + name + '\0' + value + '\0');
    }

    /// @param path as the mail server gave it at RCPT: it compares bytes
    static Answer removeRecipient(String path) {
        return new Answer('-', path + '\0');
    }

    private static String at(int index) {
        return new String(ByteBuffer.allocate(Integer.BYTES).putInt(index).array(), StandardCharsets.ISO_8859_1);
    }

    void writeTo(ByteArrayOutputStream out) {
        out.writeBytes(
                ByteBuffer.allocate(Integer.BYTES).putInt(data.length + 1).array());
        out.write(code);
        out.writeBytes(data);
    }
}
