package org.bloomgate.lists.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.ShadowScan;

/// The effect that shadow mode, and feeds in shadow, would have had since an instant; an object of `shadow
/// --json` and `/v1/shadow`.
///
/// A message is stopped if it would not have been delivered at once: rejected, discarded, deferred or
/// quarantined.
///
/// @param mails number of messages read, including clean ones
/// @param messages number of messages by the strictest action that would have been taken
/// @param feeds whose listings would have caused the action, `""` for a policy; most stopped messages first
/// @param categories of these listings
/// @param senders by domain
/// @param honest senders that look honest, with one of the messages that would have been stopped
/// @param unreadable lines of the journal that are incomplete or not a decision
/// @param uncounted messages whose sender was not counted, see [Senders#MAX]
/// @param complete whether the whole journal was read; if not, older messages are missing
public record ShadowReport(
        Instant since,
        long mails,
        Map<String, Long> messages,
        List<Row> feeds,
        List<Row> categories,
        List<Sender> senders,
        List<Sender> honest,
        long unreadable,
        long uncounted,
        boolean complete) {

    public ShadowReport {
        messages = inOrder(messages);
        feeds = List.copyOf(feeds);
        categories = List.copyOf(categories);
        senders = List.copyOf(senders);
        honest = List.copyOf(honest);
    }

    /// @param messages by the action that would have been taken
    public record Row(String name, Map<String, Long> messages) {
        public Row {
            messages = inOrder(messages);
        }
    }

    /// @param domain in reverse-paths; `""` for the null reverse-path
    /// @param mails number of messages
    /// @param clean number of clean messages among them
    /// @param messages by the action that would have been taken
    /// @param newest of the messages that would have been stopped, for senders that look honest
    public record Sender(
            String domain,
            long mails,
            long clean,
            Map<String, Long> messages,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Decision> newest) {
        public Sender {
            messages = inOrder(messages);
        }
    }

    /// A source of decisions.
    @FunctionalInterface
    public interface Source {
        ShadowScan.Totals read(ShadowScan.Reader reader) throws IOException;
    }

    /// Sorted, so that equal counts have equal JSON.
    private static Map<String, Long> inOrder(Map<String, Long> counts) {
        return Collections.unmodifiableMap(new TreeMap<>(counts));
    }

    /// @param limit number of senders in each list
    public static ShadowReport of(Instant since, int limit, Source source) throws IOException {
        ShadowCounts counts = new ShadowCounts();
        ShadowScan.Totals walked = source.read(counts);
        return counts.createReport(since, limit, walked);
    }
}
