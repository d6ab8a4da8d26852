package org.bloomgate.content.links;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.archive.Allowance;
import org.bloomgate.content.image.PictureAllowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.ReadingStopped;

/// The remaining cost allowance of one message, and the limits it has reached. Work is counted, not timed, so
/// that the same message has the same result on an idle and on a busy machine.
///
/// A unit of work is about a nanosecond. What may be spent grows with the bytes that are inspected, of the
/// message and of what is unpacked from it: a small message costs little however it was made. For the thread that
/// reads the one message; only [#stop] is for others.
public class InspectionBudget {
    /// Units that come with every byte: ordinary mail uses 2 to 4.
    static final int WORK_PER_BYTE = 6;

    /// Units that a message has beyond them, unless it may have little text.
    private static final long WORK_OF_MESSAGE = 12_000_000;

    private final MessageLimits limits;
    private final Set<Limit> reached = EnumSet.noneOf(Limit.class);
    private long work;
    private long textLeft;
    private int partsLeft;
    private boolean exhausted;
    private volatile boolean stopped;
    private Optional<Allowance> archives = Optional.empty();
    private Optional<PictureAllowance> pictures = Optional.empty();
    private Optional<String> fault = Optional.empty();

    public InspectionBudget(MessageLimits limits) {
        this.limits = limits;
        this.work = allowance(limits);
        this.textLeft = limits.messageTextBytes();
        this.partsLeft = limits.parts();
    }

    /// Units of work for a message that has no bytes yet.
    static long allowance(MessageLimits limits) {
        long ofText = ((long) limits.messageTextBytes() + limits.headerBytes()) * WORK_PER_BYTE;
        return Math.min(WORK_OF_MESSAGE, ofText);
    }

    /// Bytes that were read or unpacked, and are not part of others that were.
    public void inspects(long bytes) {
        work += bytes * WORK_PER_BYTE;
    }

    public MessageLimits limits() {
        return limits;
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
            exhaust(Limit.WORK);
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

    private void exhaust(Limit limit) {
        exhausted = true;
        reached.add(limit);
    }

    /// True while another part may be opened.
    public boolean takePart() {
        boolean another = hasPart();
        partsLeft -= another ? 1 : 0;
        return another;
    }

    /// The same without opening it.
    public boolean hasPart() {
        if (partsLeft == 0) {
            reached(Limit.PARTS);
        }
        return !exhausted() && partsLeft > 0;
    }

    /// The remaining allowance for the archives of this message.
    public Allowance archives() {
        if (archives.isEmpty()) {
            archives = Optional.of(new Allowance());
        }
        return archives.get();
    }

    /// The remaining allowance for the pictures of this message.
    public PictureAllowance pictures() {
        if (pictures.isEmpty()) {
            pictures = Optional.of(new PictureAllowance());
        }
        return pictures.get();
    }

    /// Bytes of text that the next part may have.
    public int textAllowanceBytes() {
        return exhausted() ? 0 : (int) Math.min(textLeft, limits.partTextBytes());
    }

    /// Takes `bytes` from the allowance.
    ///
    /// @param more true when the part has text beyond the allowance
    public void takeText(int bytes, boolean more) {
        if (more) {
            reached(bytes >= limits.partTextBytes() ? Limit.PART_TEXT_BYTES : Limit.MESSAGE_TEXT_BYTES);
        }
        textLeft -= bytes;
    }

    public void reached(Limit limit) {
        reached.add(limit);
    }

    /// Notes that something of the message could not be inspected because of an exception; the first one is
    /// described.
    public void fault(Throwable thrown) {
        reached.add(Limit.FAULT);
        if (fault.isEmpty()) {
            fault = Optional.of(Inspection.describe(thrown));
        }
    }

    /// The result for the message so far.
    public Inspection inspection() {
        return new Inspection(reached, fault, MessageSummary.NONE);
    }

    public Set<Limit> reached() {
        return reached;
    }
}
