package org.bloomgate.decision.memory;

import java.time.Duration;
import java.time.Instant;

/// A link domain that is not known yet.
///
/// @param domain canonical, in ASCII
/// @param firstSeen to the minute within the last 24 hours, otherwise the begin of its slot; now if it was never seen
/// @param messages delivered with it before, counted for 24 hours
/// @param recipients of these messages; each counts once, up to the third
public record NewLink(String domain, Instant firstSeen, int messages, int recipients) {

    /// The domain and its age: `login-secure.example; age=3h`, in minutes (`m`) below an hour and in days (`d`)
    /// from two days on.
    public String text(Instant now) {
        Duration age = Duration.between(firstSeen, now);
        String text = age.toHours() >= 48
                ? age.toDays() + "d"
                : age.toHours() >= 1 ? age.toHours() + "h" : Math.max(0, age.toMinutes()) + "m";
        return domain + "; age=" + text;
    }
}
