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

/// The effect that shadow mode and feeds in shadow mode would have had since an instant; an object of `shadow
/// --json` and `/v1/shadow`.
///
/// Mail is stopped by whatever would have kept it from going on at once: refused, discarded, deferred, quarantined.
///
/// @param messages looked at, with those that nothing speaks against
/// @param messages by the hardest that would have been done to each
/// @param feeds whose listings would have had it done, `""` where a policy did, most stopped first
/// @param categories of these listings
/// @param senders by domain
/// @param honest the senders that look honest, with one of the messages that would have been stopped
/// @param unreadable lines of the journal that are torn or no decision
/// @param uncounted messages whose sender was one too many to be counted, see [Senders#MAX]
/// @param complete false when the time was up before all was read: what is older is not in it
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

    /// @param messages by what would have been done
    public record Row(String name, Map<String, Long> messages) {
        public Row {
            messages = inOrder(messages);
        }
    }

    /// A domain in reverse-paths; `""` is the null one.
    ///
    /// @param messages all of it
    /// @param clean of them, those that nothing speaks against
    /// @param newest of those that would have been stopped, for senders that look honest
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

    /// The decisions of some journal.
    @FunctionalInterface
    public interface Source {
        ShadowScan.Walked read(ShadowScan.Reader reader) throws IOException;
    }

    /// So that the same counts are the same bytes.
    private static Map<String, Long> inOrder(Map<String, Long> counts) {
        return Collections.unmodifiableMap(new TreeMap<>(counts));
    }

    /// @param limit of the senders of each list
    public static ShadowReport of(Instant since, int limit, Source source) throws IOException {
        ShadowCounts shadowed = new ShadowCounts();
        ShadowScan.Walked walked = source.read(shadowed);
        return shadowed.report(since, limit, walked);
    }
}
