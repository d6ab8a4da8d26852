package org.bloomgate.core.limit;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// The work, the heap and the other shares that the inspection of one message may use; each share has the name
/// of a limit. Work is spent and heap is taken before they are used, and a limit that is reached is recorded.
/// Work is counted, not timed, so that the result for a message is the same on an idle and on a busy machine.
///
/// A unit of work is about a nanosecond. The allowance of work grows with the bytes that are inspected, of the
/// message and of files unpacked from it, so that a small message never costs much. Used by the thread that
/// reads the message; only [#stop] may be called by other threads.
public class Allowance {
    /// Units of work for every byte; ordinary mail uses 2 to 4.
    static final int WORK_PER_BYTE = 6;

    /// Units of work for every message, unless its text limits are small.
    private static final long WORK_OF_MESSAGE = 12_000_000;

    /// Bytes of heap that the message may use at a time, as far as they depend on its content, if all messages
    /// together may use as many. Beyond that, the limit of the reader that takes heap is reached.
    public static final long MAX_HEAP_BYTES = 64L << 20;

    /// Bytes of heap for the keys that a message may have however many messages come at a time: 5,000 links.
    static final int ORDINARY_KEY_BYTES = 4 << 20;

    /// Members of all archives: the limit `archiveEntries`.
    public static final int MAX_ARCHIVE_ENTRIES = 1_000;

    /// Unpacked bytes of all members: the limit `archiveBytes`.
    public static final int MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;

    /// Decoded bytes of the streams of all PDFs: the limit `pdfInflated`. Three PDFs may have as many as one may.
    public static final int MAX_PDF_BYTES = 48 * 1024 * 1024;

    /// Pictures, and frames of animated ones, that are decoded: the limit `pictures`.
    public static final int MAX_PICTURES = 60;

    /// Stored bytes of all pictures: the limit `pictureBytes`.
    public static final int MAX_PICTURE_BYTES = 16 * 1024 * 1024;

    /// Pixels of all pictures, enough for a photo of a phone and an A4 page at 300 dpi: the limit
    /// `picturePixels`.
    public static final int MAX_PICTURE_PIXELS = 24_000_000;

    /// Work for finder patterns of codes, in units of some ten nanoseconds: the limit `qrMarks`. A picture of
    /// one code takes a hundredth of it.
    private static final int MAX_SEARCH = 5_000_000;

    /// The bytes of heap that are left for the keys of all messages, until their delivery: an eighth of the heap of the
    /// process. Negative where the ordinary keys of all messages need more. One message at a time may have all its
    /// keys, and of sixty at a time each has the ordinary ones.
    private static final AtomicLong KEYS_OF_PROCESS =
            new AtomicLong(Runtime.getRuntime().maxMemory() / 8);

    private static final int LIMITS = Limit.values().length;

    private final MessageLimits limits;
    private final Set<Limit> reached = EnumSet.noneOf(Limit.class);

    /// The rest of each share, by ordinal of its limit.
    private final long[] left = new long[LIMITS];

    private final SharedHeap shared;
    private final AtomicLong sharedKeys;
    private long heap;

    /// Heap that is used after the reading.
    private long keptBytes;

    /// Bytes of pictures that were returned to another share.
    private long returnedBytes;

    private int chunks;
    private long work;
    private boolean growing = true;
    private boolean exhausted;
    private volatile boolean stopped;
    private Optional<Throwable> fault = Optional.empty();

    public Allowance(MessageLimits limits) {
        this(limits, SharedHeap.OF_PROCESS, KEYS_OF_PROCESS);
    }

    /// @param shared with all messages that are read at the same time
    /// @param sharedKeys bytes of heap that are left for the keys of all messages
    Allowance(MessageLimits limits, SharedHeap shared, AtomicLong sharedKeys) {
        this.limits = limits;
        this.shared = shared;
        this.sharedKeys = sharedKeys;
        this.work = workOf(limits);
        share(Limit.PARTS, limits.parts());
        share(Limit.MESSAGE_TEXT_BYTES, limits.messageTextBytes());
        share(Limit.ARCHIVE_ENTRIES, MAX_ARCHIVE_ENTRIES);
        share(Limit.ARCHIVE_BYTES, MAX_ARCHIVE_BYTES);
        share(Limit.PDF_INFLATED, MAX_PDF_BYTES);
        share(Limit.PICTURES, MAX_PICTURES);
        share(Limit.PICTURE_BYTES, MAX_PICTURE_BYTES);
        share(Limit.PICTURE_PIXELS, MAX_PICTURE_PIXELS);
        share(Limit.QR_MARKS, MAX_SEARCH);
    }

    /// The units of work of a message before any byte is read.
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

    /// Increases the allowance of work for bytes that were read or unpacked, and that are not part of bytes
    /// counted before.
    public void inspects(long bytes) {
        work += growing ? bytes * WORK_PER_BYTE : 0;
    }

    /// Ends the growth of the allowance: the same bytes are read again, with what is left of every share.
    public void endGrowth() {
        growing = false;
    }

    /// Increases the allowance of work for something whose number is bounded by a limit.
    public void grantWork(long units) {
        work += growing ? units : 0;
    }

    /// Spends work that is about to be done; false if no more may be done for this message.
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

    /// Whether the work is used up, so that no more may be done for this message.
    ///
    /// @throws ReadingStopped after [#stop]
    public boolean exhausted() {
        if (stopped) {
            throw new ReadingStopped(ReadingStopped.Reason.TIME);
        }
        return exhausted;
    }

    /// Makes every later call that draws on the allowance throw [ReadingStopped]. May be called by any thread.
    public void stop() {
        stopped = true;
    }

    /// Draws from a share; false, with its limit reached, if less than this amount is left. Also false if the
    /// work is used up.
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

    /// Whether anything is left of a share; if not, its limit is reached.
    public boolean has(Limit share) {
        if (left(share) <= 0) {
            reached(share);
        }
        return !exhausted() && left(share) > 0;
    }

    /// The rest of a share.
    public long left(Limit share) {
        return Math.max(0, left[at(share)]);
    }

    /// Returns the bytes of a picture that count in [Limit#PICTURE_BYTES], as many as that share has.
    public void giveBackPicture(Limit share, long bytes) {
        long returned = Math.min(bytes, MAX_PICTURE_BYTES - returnedBytes);
        returnedBytes += returned;
        left[at(share)] += returned;
    }

    /// Takes heap that is about to be allocated; false, with the reader's limit reached, if the message would
    /// use too much.
    ///
    /// @throws ReadingStopped after [#stop], and if other messages leave too little heap for too long
    public boolean takeHeap(Limit reader, long bytes) {
        if (exhausted() || !reserve(reader, bytes)) {
            return false;
        }
        heap += bytes;
        return true;
    }

    /// Takes the heap of ordinary keys from that of all messages, while the message waits for its reading and is
    /// read. Never refused: other messages have less for more than ordinary keys.
    public void takeOrdinaryKeys() {
        sharedKeys.addAndGet(-ORDINARY_KEY_BYTES);
    }

    public void giveBackOrdinaryKeys() {
        sharedKeys.addAndGet(ORDINARY_KEY_BYTES);
    }

    /// Takes heap for more than ordinary keys, which is used until [#keptBackTo]: [#heapBackTo] does not give it
    /// back. False, with the reader's limit reached, if the message would use too much or other messages leave too
    /// little.
    ///
    /// @throws ReadingStopped like [#takeHeap]
    public boolean keepHeap(Limit reader, long bytes) {
        if (exhausted()) {
            return false;
        }
        if (sharedKeys.getAndUpdate(left -> left < bytes ? left : left - bytes) < bytes) {
            reached(reader);
            return false;
        }
        keptBytes += bytes;
        boolean isReserved = reserve(reader, 0);
        if (!isReserved) {
            keptBackTo(keptBytes - bytes);
        }
        return isReserved;
    }

    private boolean reserve(Limit reader, long bytes) {
        if (bytes > heapLeft()) {
            reached(reader);
            return false;
        }
        int needed = chunks(heap + keptBytes + bytes);
        if (needed > chunks) {
            shared.take(needed - chunks, this::exhausted);
            chunks = needed;
        }
        return true;
    }

    private static int chunks(long bytes) {
        return Math.ceilDiv((int) bytes, SharedHeap.CHUNK_BYTES);
    }

    /// The bytes of heap that are kept.
    public long keptBytes() {
        return keptBytes;
    }

    /// Gives back the heap that was kept since [#keptBytes] had this value, when nothing uses it any more. May be
    /// called by another thread after the reading, and after heap that was kept before was given back.
    public void keptBackTo(long bytes) {
        long back = Math.max(0, keptBytes - bytes);
        sharedKeys.addAndGet(back);
        keptBytes -= back;
        heapBackTo(heap);
    }

    /// The bytes of heap that the message uses until its readers give them back.
    public long heap() {
        return heap;
    }

    /// The bytes of heap that may still be taken.
    public long heapLeft() {
        return Math.min(MAX_HEAP_BYTES, shared.bytes()) - heap - keptBytes;
    }

    /// Gives back the heap that was taken since [#heap] had this value.
    public void heapBackTo(long bytes) {
        heap = bytes;
        int needed = chunks(heap + keptBytes);
        if (chunks > needed) {
            shared.giveBack(chunks - needed);
            chunks = needed;
        }
    }

    /// The bytes of text that the next part may have.
    public int textAllowanceBytes() {
        return exhausted() ? 0 : (int) Math.min(left(Limit.MESSAGE_TEXT_BYTES), limits.partTextBytes());
    }

    /// Takes the text of a part from the allowance.
    ///
    /// @param more whether the part has more text than the allowance permitted
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

    /// Records that a part of the message could not be inspected because of an exception; the first exception
    /// is kept.
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
