package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.Limit;

/// Reads Rich Text Format 1.9: text joined over control words, with decoded escapes, the instruction of each
/// field, and objects in hexadecimal as files. Only the bytes of pictures are skipped, because any other
/// destination may contain a link; an ignorable destination is not part of the text around it.
public final class RichText {
    private static final String HEX = "0123456789abcdef";

    /// The depth to which the kind of groups is remembered: the limit `depth`.
    static final int MAX_GROUPS = 1024;

    /// The largest number of a control word that is read. Hides nothing: as a length it is beyond the end.
    private static final int MAX_NUMBER = 1 << 24;

    private enum Kind {
        TEXT,
        IGNORABLE,
        FIELD,
        OBJECT,
        PICTURE
    }

    /// @param replacements number of characters after a Unicode escape that replace it in programs without
    /// Unicode
    private record Group(Kind kind, int replacements) {
        static final Group OUTERMOST = new Group(Kind.TEXT, 1);
    }

    private final byte[] rtf;
    private final int length;
    private final LinkSink sink;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder ignorable = new StringBuilder();
    private final StringBuilder field = new StringBuilder();
    private final Deque<Group> groups = new ArrayDeque<>();
    private byte[] object = new byte[0];
    private int objectDigits;
    private Kind kind = Kind.TEXT;
    private int replacements = Group.OUTERMOST.replacements;
    private int skipped;
    private int at;

    private RichText(byte[] rtf, int length, LinkSink sink) {
        this.rtf = rtf;
        this.length = length;
        this.sink = sink;
    }

    public static void read(byte[] rtf, int length, LinkSink sink) {
        if (sink.spend(2L * length)) {
            new RichText(rtf, length, sink).read();
        }
    }

    private void read() {
        while (at < length) {
            char c = (char) (rtf[at++] & 0xff);
            switch (c) {
                case '{' -> open();
                case '}' -> close();
                case '\\' -> control();
                case '\r', '\n' -> {}
                default -> append(c);
            }
        }
        while (!groups.isEmpty()) {
            close();
        }
        sink.addText(text.toString());
        sink.addText(ignorable.toString());
    }

    private void open() {
        if (groups.size() == MAX_GROUPS) {
            sink.reached(Limit.DEPTH);
        } else {
            groups.push(new Group(kind, replacements));
        }
        kind = kind == Kind.PICTURE ? Kind.TEXT : kind;
        skipped = 0;
    }

    private void close() {
        Group group = groups.isEmpty() ? Group.OUTERMOST : groups.pop();
        Kind outer = group.kind;
        if (kind == Kind.FIELD && outer != Kind.FIELD) {
            FieldInstruction.read(field, sink);
            field.setLength(0);
            text.append('\n');
        }
        if (kind == Kind.OBJECT && outer != Kind.OBJECT) {
            sink.addFile("", object, objectDigits / 2);
            object = new byte[0];
            objectDigits = 0;
        }
        if (kind == Kind.IGNORABLE && outer != Kind.IGNORABLE) {
            ignorable.append('\n');
        }
        kind = outer;
        replacements = group.replacements;
        skipped = 0;
    }

    private void append(char c) {
        if (skipped > 0) {
            skipped--;
            return;
        }
        switch (kind) {
            case TEXT -> text.append(c);
            case IGNORABLE -> ignorable.append(c);
            case FIELD -> field.append(c);
            case OBJECT -> digit(c);
            case PICTURE -> {}
        }
    }

    private void digit(char c) {
        int value = HEX.indexOf(c >= 'A' && c <= 'F' ? c + 32 : c);
        if (value < 0) {
            return;
        }
        if (objectDigits / 2 == object.length) {
            object = Arrays.copyOf(object, Math.max(64, object.length * 2));
        }
        object[objectDigits / 2] |= (byte) (objectDigits % 2 == 0 ? value << 4 : value);
        objectDigits++;
    }

    private void control() {
        int c = LittleEndian.at(rtf, length, at);
        if (isLetter(c)) {
            word();
            return;
        }
        at++;
        switch (c) {
            case '\'' -> hexadecimal();
            case '~' -> append(' ');
            case '\\', '{', '}' -> append((char) c);
            case '\r', '\n' -> append('\n');
            case '*' -> kind = Kind.IGNORABLE;
            default -> {}
        }
    }

    private void hexadecimal() {
        int high = HEX.indexOf(Character.toLowerCase(LittleEndian.at(rtf, length, at)));
        int low = HEX.indexOf(Character.toLowerCase(LittleEndian.at(rtf, length, at + 1)));
        if (high >= 0 && low >= 0) {
            at += 2;
            append((char) (high * 16 + low));
        }
    }

    private void word() {
        int from = at;
        while (isLetter(LittleEndian.at(rtf, length, at))) {
            at++;
        }
        String word = new String(rtf, from, at - from, StandardCharsets.ISO_8859_1);
        boolean negative = LittleEndian.at(rtf, length, at) == '-';
        at += negative ? 1 : 0;
        int digits = at;
        int number = 0;
        while (isDigit(LittleEndian.at(rtf, length, at))) {
            number = Math.min(number * 10 + rtf[at++] - '0', MAX_NUMBER);
        }
        boolean numbered = at > digits;
        at += LittleEndian.at(rtf, length, at) == ' ' ? 1 : 0;
        apply(word, numbered, negative ? -number : number);
    }

    private void apply(String word, boolean numbered, int number) {
        switch (word) {
            case "u" -> {
                append((char) number);
                skipped = replacements;
            }
            case "uc" -> replacements = Math.max(0, number);
            case "bin" -> at = (int) Math.min(length, at + (long) Math.max(0, number));
            case "fldinst" -> kind = Kind.FIELD;
            case "objdata", "datastore", "themedata" -> kind = Kind.OBJECT;
            case "pict" -> kind = Kind.PICTURE;
            case "par", "line", "tab", "cell", "row", "sect", "page" -> append(kind == Kind.FIELD ? ' ' : '\n');
            case "emdash", "endash" -> append('-');
            case "lquote", "rquote" -> append('\'');
            case "ldblquote", "rdblquote" -> append('"');
            default -> skipped = numbered ? skipped : 0;
        }
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
