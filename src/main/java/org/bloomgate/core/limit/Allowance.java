package org.bloomgate.core.limit;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// What one message may cost: work, heap, and shares of both by the names of limits. Whatever is done is paid before;
/// a limit that is in the way is named. Work is counted, not timed, so that the same message has the same result on an
/// idle and on a busy machine.
///
/// A unit of work is about a nanosecond. What may be spent grows with the bytes that are inspected, of the
/// message and of what is unpacked from it: a small message costs little however it was made. For the thread that
/// reads the one message; only [#stop] is for others.
public class Allowance {
    /// Units that come with every byte: ordinary mail uses 2 to 4.
    static final int WORK_PER_BYTE = 6;

    /// Units that a message has beyond them, unless it may have little text.
    private static final long WORK_OF_MESSAGE = 12_000_000;

    /// Bytes of heap that are live for the message at a time, as far as their number depends on it, where all
    /// messages together may have as many: beyond, the limit of the reader that asks.
    public static final long MAX_HEAP_BYTES = 64L << 20;

    /// Members of all archives: the limit `archiveEntries`.
    public static final int MAX_ARCHIVE_ENTRIES = 200;

    /// Bytes of all members, unpacked: the limit `archiveBytes`.
    public static final int MAX_ARCHIVE_BYTES = 8 * 1024 * 1024;

    /// Pictures, and pictures of a moving one, that are decoded: the limit `pictures`.
    public static final int MAX_PICTURES = 60;

    /// Bytes of all of them as they are stored: the limit `pictureBytes`.
    public static final int MAX_PICTURE_BYTES = 16 * 1024 * 1024;

    /// Pixels of all of them, a photo of a phone and an A4 page at 300 dpi: the limit `picturePixels`.
    public static final int MAX_PICTURE_PIXELS = 24_000_000;

    /// Work beyond the pixels, on what looks like marks of codes, in units of some ten nanoseconds: the limit
    /// `qrMarks`. A picture of one code takes a hundredth of it.
    private static final int MAX_SEARCH = 5_000_000;

    private static final int LIMITS = Limit.values().length;

    private final MessageLimits limits;
    private final Set<Limit> reached = EnumSet.noneOf(Limit.class);

    /// What is left of the shares, by ordinal.
    private final long[] left = new long[LIMITS];

    private final SharedHeap shared;
    private long heap;
    private int chunks;
    private long work;
    private boolean exhausted;
    private volatile boolean stopped;
    private Optional<Throwable> fault = Optional.empty();

    public Allowance(MessageLimits limits) {
        this(limits, SharedHeap.OF_PROCESS);
    }

    /// @param shared with all messages that are read at the same time
    Allowance(MessageLimits limits, SharedHeap shared) {
        this.limits = limits;
        this.shared = shared;
        this.work = workOf(limits);
        share(Limit.PARTS, limits.parts());
        share(Limit.MESSAGE_TEXT_BYTES, limits.messageTextBytes());
        share(Limit.ARCHIVE_ENTRIES, MAX_ARCHIVE_ENTRIES);
        share(Limit.ARCHIVE_BYTES, MAX_ARCHIVE_BYTES);
        share(Limit.PICTURES, MAX_PICTURES);
        share(Limit.PICTURE_BYTES, MAX_PICTURE_BYTES);
        share(Limit.PICTURE_PIXELS, MAX_PICTURE_PIXELS);
        share(Limit.QR_MARKS, MAX_SEARCH);
    }

    /// Units of work for a message that has no bytes yet.
    static long workOf(MessageLimits limits) {
        long ofText = ((long) limits.messageTextBytes() + limits.headerBytes()) * WORK_PER_BYTE;
        return Math.min(WORK_OF_MESSAGE, ofText);
    }

    @SuppressWarnings("EnumOrdinal")
    private static int at(Limit share) {
        return share.ordinal();
    }

    private void share(Limit share, long most) {
        left[at(share)] = most;
    }

    public MessageLimits limits() {
        return limits;
    }

    /// Bytes that were read or unpacked, and are not part of others that were.
    public void inspects(long bytes) {
        work += bytes * WORK_PER_BYTE;
    }

    /// Pays for work about to be done; false when nothing more may be done on this message.
    ///
    /// @throws ReadingStopped after [#stop]
    public boolean spend(long units) {
        if (exhausted()) {
            return false;
        }
        work -= units;
        if (work < 0) {
            exhausted = true;
            reached(Limit.WORK);
        }
        return !exhausted;
    }

    /// Whether nothing more may be done on this message.
    ///
    /// @throws ReadingStopped after [#stop]
    public boolean exhausted() {
        if (stopped) {
            throw new ReadingStopped(ReadingStopped.Reason.TIME);
        }
        return exhausted;
    }

    /// Makes every draw from now on throw [ReadingStopped]. Called by any thread.
    public void stop() {
        stopped = true;
    }

    /// Pays from a share; false, and its limit is reached, when that was more than was left of it. False after the
    /// work is spent, too.
    public boolean draw(Limit share, long amount) {
        if (exhausted()) {
            return false;
        }
        left[at(share)] = Math.max(-1, left[at(share)] - amount);
        if (left[at(share)] < 0) {
            reached(share);
        }
        return left[at(share)] >= 0;
    }

    /// True while something is left of a share; else its limit is reached.
    public boolean has(Limit share) {
        if (left(share) <= 0) {
            reached(share);
        }
        return !exhausted() && left(share) > 0;
    }

    /// What is left of a share.
    public long left(Limit share) {
        return Math.max(0, left[at(share)]);
    }

    /// Returns what counts in another share.
    public void giveBack(Limit share, long amount) {
        left[at(share)] += amount;
    }

    /// Pays for heap about to be taken; false, and the reader's limit is reached, when the message would have too much.
    ///
    /// @throws ReadingStopped after [#stop], and where other messages leave too little for too long
    public boolean takeHeap(Limit reader, long bytes) {
        if (exhausted()) {
            return false;
        }
        if (bytes > heapLeft()) {
            reached(reader);
            return false;
        }
        int needed = Math.ceilDiv((int) (heap + bytes), SharedHeap.CHUNK_BYTES);
        if (needed > chunks) {
            shared.book(needed - chunks, this::exhausted);
            chunks = needed;
        }
        heap += bytes;
        return true;
    }

    /// Bytes of heap that are live for the message.
    public long heap() {
        return heap;
    }

    /// Bytes of heap that may still be taken.
    public long heapLeft() {
        return Math.min(MAX_HEAP_BYTES, shared.bytes()) - heap;
    }

    /// Gives back the heap that was taken since it had this many live bytes.
    public void heapBackTo(long bytes) {
        heap = bytes;
        int needed = Math.ceilDiv((int) heap, SharedHeap.CHUNK_BYTES);
        if (chunks > needed) {
            shared.giveBack(chunks - needed);
            chunks = needed;
        }
    }

    /// Bytes of text that the next part may have.
    public int textAllowanceBytes() {
        return exhausted() ? 0 : (int) Math.min(left(Limit.MESSAGE_TEXT_BYTES), limits.partTextBytes());
    }

    /// Takes `bytes` from the allowance.
    ///
    /// @param more true when the part has text beyond the allowance
    public void takeText(int bytes, boolean more) {
        if (more) {
            reached(bytes >= limits.partTextBytes() ? Limit.PART_TEXT_BYTES : Limit.MESSAGE_TEXT_BYTES);
        }
        left[at(Limit.MESSAGE_TEXT_BYTES)] -= bytes;
    }

    public void reached(Limit limit) {
        reached.add(limit);
    }

    public Set<Limit> reached() {
        return reached;
    }

    /// Notes that something of the message could not be inspected because of an exception; the first one is kept.
    public void fault(Throwable thrown) {
        reached(Limit.FAULT);
        if (fault.isEmpty()) {
            fault = Optional.of(thrown);
        }
    }

    public Optional<Throwable> fault() {
        return fault;
    }
}
