package org.bloomgate.decision.memory;

import org.bloomgate.base.config.Labelled;

/// A set of keys that the site remembers.
public enum MemorySet implements Labelled {
    /// Registrable domains of links in delivered messages.
    LINKS(201, "links", 1, true),
    /// Domains of authors and reverse-paths, and external addresses that the site received mail from or wrote to.
    SENDERS(202, "senders", 1, true),
    /// Link domains with evidence that one message cannot give.
    KNOWN(203, "known", 1, true),
    /// Pairs of a link domain that is not in [#KNOWN] with a recipient, and with a level of evidence.
    WITNESS(204, "witness", 1, false),
    /// Pairs of a recipient with a sender address, and with its domain.
    PAIRS(205, "pairs", MemorySet.PERIOD_DAYS, true);

    /// Days of a period, and of the first part of a ring.
    public static final int PERIOD_DAYS = 28;

    /// Periods before the current one.
    public static final int PERIODS = 12;

    private final int code;
    private final String label;
    private final int slotDays;
    private final boolean hasPeriods;

    MemorySet(int code, String label, int slotDays, boolean hasPeriods) {
        this.code = code;
        this.label = label;
        this.slotDays = slotDays;
        this.hasPeriods = hasPeriods;
    }

    /// The code in filter files, which never changes.
    public int code() {
        return code;
    }

    @Override
    public String label() {
        return label;
    }

    /// Days of the slot that keys are added to.
    int slotDays() {
        return slotDays;
    }

    /// Whether slots that leave the first part are united in periods; otherwise they are forgotten.
    boolean hasPeriods() {
        return hasPeriods;
    }

    /// The first day of the slot that a day belongs to.
    ///
    /// @param day since 1970, UTC
    long slotOf(long day) {
        return Math.floorDiv(day, (long) slotDays) * slotDays;
    }

    /// The first day of the period that a day belongs to.
    static long periodOf(long day) {
        return Math.floorDiv(day, (long) PERIOD_DAYS) * PERIOD_DAYS;
    }
}
