package org.bloomgate.decision.policy;

import java.util.Map;
import java.util.Optional;
import org.bloomgate.decision.memory.RecipientSpan;
import org.bloomgate.lookup.tier.Action;

/// How many addresses that are new to the site one of its users may write to. What is absent is inherited.
///
/// @param perHour at most [#MAX]; 0: any number. `perDay` likewise
/// @param action with mail to further new addresses; never more than [Action#DEFER]
public record NewRecipientLimits(Optional<Integer> perHour, Optional<Integer> perDay, Optional<Action> action) {
    /// The addresses of each user are kept. A higher number would protect nobody: such a sender needs none.
    public static final int MAX = 10_000;

    public static final NewRecipientLimits NOTHING =
            new NewRecipientLimits(Optional.empty(), Optional.empty(), Optional.empty());
    static final NewRecipientLimits SHIPPED =
            new NewRecipientLimits(Optional.of(0), Optional.of(0), Optional.of(Action.DEFER));

    public NewRecipientLimits {
        if (perHour.orElse(0) > MAX || perDay.orElse(0) > MAX) {
            throw new IllegalArgumentException("perHour, perDay: at most " + MAX + ", or 0 for any number");
        }
        action.ifPresent(own -> PolicyOptions.requireNoRefusal("action", own));
    }

    /// These limits, overridden by others.
    NewRecipientLimits overriddenBy(NewRecipientLimits own) {
        return new NewRecipientLimits(
                own.perHour.or(() -> perHour), own.perDay.or(() -> perDay), own.action.or(() -> action));
    }

    /// True if there is a limit.
    public boolean isActive() {
        return perHour.orElse(0) > 0 || perDay.orElse(0) > 0;
    }

    /// The numbers by span; 0: any number.
    public Map<RecipientSpan, Integer> bySpan() {
        return Map.of(RecipientSpan.PER_HOUR, perHour.orElse(0), RecipientSpan.PER_DAY, perDay.orElse(0));
    }
}
