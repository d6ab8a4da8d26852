package org.bloomgate.feed;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/// Where two texts differ: whole lines, between those that both begin with and those that both end with. What stands
/// near the beginning is part of it when anything there differs, since it says what kind of text this is.
public final class TextDifference {
    /// Of either text; a larger difference is none.
    public static final int MAX_BYTES = 1 << 20;

    /// By which a reader knows what it has before it.
    static final int HEAD_BYTES = 64 << 10;

    private static final int BLOCK_BYTES = 4 << 10;

    private final long begin;
    private final byte[] before;
    private final byte[] after;

    private TextDifference(long begin, byte[] before, byte[] after) {
        this.begin = begin;
        this.before = before;
        this.after = after;
    }

    /// Of the first line that differs, in octets of both.
    public long begin() {
        return begin;
    }

    /// Lines of the one.
    public byte[] before() {
        return before;
    }

    /// Lines of the other.
    public byte[] after() {
        return after;
    }

    /// Empty when they differ in too much.
    public static Optional<TextDifference> of(Path before, Path after) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = mapped(before, arena);
            MemorySegment other = mapped(after, arena);
            long begin = lineBegin(one, other);
            long least = begin == 0 ? HEAD_BYTES : begin;
            long common = commonEnd(one, other, Math.min(one.byteSize(), other.byteSize()) - least);
            long beforeEnd = one.byteSize() - common;
            long afterEnd = other.byteSize() - common;
            return Math.max(beforeEnd, afterEnd) - begin > MAX_BYTES
                    ? Optional.empty()
                    : Optional.of(
                            new TextDifference(begin, octets(one, begin, beforeEnd), octets(other, begin, afterEnd)));
        }
    }

    private static MemorySegment mapped(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    private static byte[] octets(MemorySegment text, long from, long to) {
        return text.asSlice(from, to - from).toArray(JAVA_BYTE);
    }

    /// Of the first line that differs; 0 when it is near the beginning.
    private static long lineBegin(MemorySegment one, MemorySegment other) {
        long same = one.mismatch(other);
        long at = same < 0 ? one.byteSize() : same;
        while (at > 0 && one.get(JAVA_BYTE, at - 1) != '\n') {
            at--;
        }
        return at < HEAD_BYTES ? 0 : at;
    }

    /// Octets of the lines that both end with.
    private static long commonEnd(MemorySegment one, MemorySegment other, long most) {
        long common = 0;
        while (common < most) {
            long block = Math.min(BLOCK_BYTES, most - common);
            if (!isSame(one, other, common, block)) {
                common += sameOctets(one, other, common, block);
                break;
            }
            common += block;
        }
        return commonLines(one, common);
    }

    private static boolean isSame(MemorySegment one, MemorySegment other, long behind, long length) {
        long from = one.byteSize() - behind - length;
        long otherFrom = other.byteSize() - behind - length;
        return MemorySegment.mismatch(one, from, from + length, other, otherFrom, otherFrom + length) < 0;
    }

    /// Before those behind, of so many.
    private static long sameOctets(MemorySegment one, MemorySegment other, long behind, long most) {
        long same = 0;
        while (same < most && isSame(one, other, behind + same, 1)) {
            same++;
        }
        return same;
    }

    /// So many octets at the end, less those before the first line end among them.
    private static long commonLines(MemorySegment text, long octets) {
        long from = text.byteSize() - octets;
        while (from < text.byteSize() && text.get(JAVA_BYTE, from) != '\n') {
            from++;
        }
        return Math.max(0, text.byteSize() - from - 1);
    }
}
