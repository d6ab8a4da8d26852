package org.bloomgate.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// One transaction as the journal keeps it: who, what was found, what was done, what was answered.
///
/// @param token what reply, log and journal share; `explain` takes it
/// @param client address of the SMTP client, or `http` for a message checked over HTTP
/// @param tls protocol and cipher, empty in the clear
/// @param mailFrom reverse-path as given, without brackets; empty for the null reverse-path
/// @param found what is listed or unresolved
/// @param limits names of the limits reached
/// @param verdict `clean`, `listed` or `unresolved`
/// @param action word of the policy's action
/// @param reply what the client was answered
/// @param snapshot generation asked, empty when there was none
/// @param millis milliseconds by stage
public record Decision(
        Instant time,
        String token,
        String client,
        String helo,
        String tls,
        String mailFrom,
        List<String> recipients,
        long sizeBytes,
        int keys,
        int suspects,
        List<Found> found,
        List<String> limits,
        String verdict,
        String action,
        String reply,
        String snapshot,
        Map<String, Double> millis) {

    public Decision {
        recipients = List.copyOf(recipients);
        found = List.copyOf(found);
        limits = List.copyOf(limits);
        millis = Map.copyOf(millis);
    }

    /// One identifier with the listing that speaks against it.
    ///
    /// @param feed and category are empty when the verdict is `unresolved`
    public record Found(
            String kind, String value, String where, String verdict, String key, String feed, String category) {}
}
