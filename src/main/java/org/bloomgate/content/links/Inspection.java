package org.bloomgate.content.links;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// The result of an inspection, apart from the identifiers.
///
/// @param limits that were reached; empty means fully inspected
/// @param fault for a log, where an exception ended a part of the inspection: types and a place, nothing of the
///     message
/// @param heading what people call the message by
public record Inspection(Set<Limit> limits, Optional<String> fault, MessageSummary heading) {
    /// The result of a message that was read.
    public static Inspection of(Allowance spent, MessageSummary heading) {
        return new Inspection(spent.reached(), spent.fault().map(Inspection::describe), heading);
    }

    /// Nothing is left to inspect.
    public static final Inspection COMPLETE = new Inspection(Set.of(), Optional.empty(), MessageSummary.NONE);

    public Inspection {
        limits = Set.copyOf(limits);
    }

    /// Ended by an exception, or by running out of stack.
    public static Inspection failed(Throwable fault) {
        return new Inspection(Set.of(Limit.FAULT), Optional.of(describe(fault)), MessageSummary.NONE);
    }

    /// Ended at a limit.
    public static Inspection partial(Limit limit) {
        return new Inspection(Set.of(limit), Optional.empty(), MessageSummary.NONE);
    }

    /// This and another part of the same mail.
    public Inspection and(Inspection other) {
        MessageSummary known = heading.equals(MessageSummary.NONE) ? other.heading : heading;
        if (limits.isEmpty() && fault.isEmpty()) {
            return other.of(known);
        }
        Set<Limit> both = EnumSet.noneOf(Limit.class);
        both.addAll(limits);
        both.addAll(other.limits);
        return new Inspection(both, fault.or(other::fault), known);
    }

    /// The same of a message that is called so.
    public Inspection of(MessageSummary called) {
        return called.equals(heading) ? this : new Inspection(limits, fault, called);
    }

    /// An exception's own message may quote the mail.
    static String describe(Throwable fault) {
        StackTraceElement[] places = fault.getStackTrace();
        return fault.getClass().getName() + (places.length == 0 ? "" : " at " + places[0]);
    }
}
