package org.bloomgate.content.links;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// The result of an inspection, without the identifiers.
///
/// @param limits the limits that were reached; empty means fully inspected
/// @param fault for the log, if an exception ended a part of the inspection: type and position in the code,
/// without
///     content of the message
/// @param heading the fields by which people identify the message
public record Inspection(Set<Limit> limits, Optional<String> fault, MessageSummary heading) {
    /// The result for a message that was read.
    public static Inspection of(Allowance allowance, MessageSummary heading) {
        return new Inspection(allowance.reached(), allowance.fault().map(Inspection::describe), heading);
    }

    /// A complete inspection without a heading.
    public static final Inspection COMPLETE = new Inspection(Set.of(), Optional.empty(), MessageSummary.NONE);

    public Inspection {
        limits = Set.copyOf(limits);
    }

    /// An inspection that an exception or a stack overflow ended.
    public static Inspection failed(Throwable fault) {
        return new Inspection(Set.of(Limit.FAULT), Optional.of(describe(fault)), MessageSummary.NONE);
    }

    /// An inspection that ended at a limit.
    public static Inspection partial(Limit limit) {
        return new Inspection(Set.of(limit), Optional.empty(), MessageSummary.NONE);
    }

    /// The result for this and another part of the same message.
    public Inspection and(Inspection other) {
        MessageSummary known = heading.equals(MessageSummary.NONE) ? other.heading : heading;
        if (limits.isEmpty() && fault.isEmpty()) {
            return other.withHeading(known);
        }
        Set<Limit> both = EnumSet.noneOf(Limit.class);
        both.addAll(limits);
        both.addAll(other.limits);
        return new Inspection(both, fault.or(other::fault), known);
    }

    /// The same result with this heading.
    public Inspection withHeading(MessageSummary newHeading) {
        return newHeading.equals(heading) ? this : new Inspection(limits, fault, newHeading);
    }

    /// Without the message of the exception, which may contain text of the mail.
    static String describe(Throwable fault) {
        StackTraceElement[] places = fault.getStackTrace();
        return fault.getClass().getName() + (places.length == 0 ? "" : " at " + places[0]);
    }
}
