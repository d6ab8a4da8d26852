package org.bloomgate.core.limit;

/// A text whose length depends on a message: it takes heap from the allowance before it grows. Text for which
/// there is not enough heap is dropped, and the limit of its reader is reached.
public final class GrowingText {
    /// Bytes of heap for a char: here, in the copy for the caller, and while it grows.
    private static final int BYTES_OF_CHAR = 8;

    private static final int FIRST_CHARS = 1024;

    private final Allowance allowance;
    private final Limit reader;
    private final StringBuilder text = new StringBuilder();
    private long room;
    private boolean full;

    public GrowingText(Allowance allowance, Limit reader) {
        this.allowance = allowance;
        this.reader = reader;
    }

    public void append(char c) {
        if (hasRoom(1)) {
            text.append(c);
        }
    }

    public void append(CharSequence more) {
        if (hasRoom(more.length())) {
            text.append(more);
        }
    }

    private boolean hasRoom(int more) {
        if (text.length() + (long) more > room && !full) {
            long chars = Math.max(FIRST_CHARS, 2 * (text.length() + (long) more));
            full = !allowance.takeHeap(reader, (chars - room) * BYTES_OF_CHAR);
            room = full ? room : chars;
        }
        return !full;
    }

    public boolean isEmpty() {
        return text.isEmpty();
    }

    public int length() {
        return text.length();
    }

    /// The last char. The text must not be empty.
    public char last() {
        return text.charAt(text.length() - 1);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
