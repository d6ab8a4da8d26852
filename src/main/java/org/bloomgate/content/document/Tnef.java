package org.bloomgate.content.document;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.Limit;

/// Reads `winmail.dat` (MS-OXTNEF): the body in each of its forms, and attached files. Attributes that end
/// beyond the file are the limit `opaque`.
public final class Tnef implements MapiProperties.Sink {
    public static final String MAGIC = "x\u009f>\"";
    private static final int HEADER_BYTES = 6;
    private static final int ATTRIBUTE_BYTES = 9;
    private static final int CHECKSUM_BYTES = 2;

    private static final int BODY = 0x2800c;
    private static final int ATTACHED_NAME = 0x18010;
    private static final int ATTACHED = 0x6800f;
    private static final int MESSAGE_PROPERTIES = 0x69003;
    private static final int ATTACHED_PROPERTIES = 0x69005;

    private final byte[] tnef;
    private final int length;
    private final LinkSink sink;
    private String name = "";

    private Tnef(byte[] tnef, int length, LinkSink sink) {
        this.tnef = tnef;
        this.length = length;
        this.sink = sink;
    }

    public static void read(byte[] tnef, int length, LinkSink sink) {
        new Tnef(tnef, length, sink).attributes();
    }

    private void attributes() {
        int at = HEADER_BYTES;
        while (at + ATTRIBUTE_BYTES < length && sink.spend(ATTRIBUTE_BYTES)) {
            int id = (int) LittleEndian.four(tnef, length, at + 1);
            int from = at + ATTRIBUTE_BYTES;
            long end = from + LittleEndian.four(tnef, length, at + 5);
            if (end > length) {
                sink.reached(Limit.OPAQUE);
            }
            int to = (int) Math.min(length, end);
            attribute(id, from, to);
            at = to + CHECKSUM_BYTES;
        }
    }

    private void attribute(int id, int from, int to) {
        switch (id) {
            case BODY -> sink.addText(new String(tnef, from, to - from, StandardCharsets.ISO_8859_1));
            case ATTACHED_NAME -> name = text(from, to, StandardCharsets.ISO_8859_1);
            case ATTACHED -> file(name, from, to);
            case MESSAGE_PROPERTIES, ATTACHED_PROPERTIES -> new MapiProperties(tnef, to, this).read(from);
            default -> {}
        }
    }

    @Override
    public void unread() {
        sink.reached(Limit.OPAQUE);
    }

    @Override
    public void property(int id, int type, int from, int to) {
        boolean wide = type == MapiProperties.UNICODE;
        switch (id) {
            case 0x1000 -> sink.addText(text(from, to, wide ? StandardCharsets.UTF_16LE : StandardCharsets.ISO_8859_1));
            case 0x1013 -> file(".html", from, to);
            case 0x1009 -> {
                byte[] rtf = CompressedRtf.read(Arrays.copyOfRange(tnef, from, to), sink);
                sink.addFile(".rtf", rtf, rtf.length);
            }
            case 0x3707, 0x3704 ->
                name = text(from, to, wide ? StandardCharsets.UTF_16LE : StandardCharsets.ISO_8859_1);
            case 0x3701 -> file(name, type == MapiProperties.OBJECT ? Math.min(to, from + 16) : from, to);
            default -> {}
        }
    }

    private String text(int from, int to, Charset charset) {
        return new String(tnef, from, to - from, charset).replace("\0", "");
    }

    private void file(String fileName, int from, int to) {
        if (sink.spend((long) to - from)) {
            sink.addFile(fileName, Arrays.copyOfRange(tnef, from, to), to - from);
        }
    }
}
