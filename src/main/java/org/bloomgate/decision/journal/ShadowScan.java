package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.decision.keyjournal.Votes;

/// Reads the actions that shadow mode prevented, newest first, and the mail of each sender for comparison.
///
/// Only lines with a prevented action are parsed. The others are searched for quoted names, which are unique in
/// a line: quotes within a text have a backslash. Torn lines and lines that are not decisions count as
/// unreadable. Used by one thread.
public final class ShadowScan {
    private static final String SENDER = ",\"mailFrom\":\"";
    private static final String BEHIND_SENDER = "\",\"recipients\":[";
    private static final String CLIENT = ",\"client\":\"";
    private static final String CLEAN = "\"verdict\":\"clean\",\"action\":\"pass\"";
    private static final String ACTION = ",\"action\":\"";
    private static final String ENFORCED = ",\"enforced\":\"";
    private static final String WOULD = ",\"would\":{";

    private final String since;
    private final Reader reader;
    private long mails;
    private long unreadable;

    /// Receives the messages.
    public interface Reader {
        /// Called for each message.
        ///
        /// @param sender domain of the reverse-path in lower case, empty for the null one
        /// @param clean whether nothing was found in it
        /// @param voter its client network and its recipients
        void addMessage(String sender, boolean clean, Votes.Voter voter);

        /// Called after [#addMessage] for a message that a shadow setting would have affected.
        ///
        /// @param sender as in [#addMessage]
        void addShadowedMessage(String sender, Decision decision);
    }

    /// The number of records read.
    ///
    /// @param unreadable lines that are torn or not decisions
    /// @param complete false when the time was up before all was read
    public record Totals(long mails, long unreadable, boolean complete) {}

    private ShadowScan(Instant since, Reader reader) {
        this.since = DecisionLine.second(since);
        this.reader = reader;
    }

    /// @param since to the second
    /// @param directory of the day files; one that does not exist yet contains no decision
    /// @param within how long it may take
    public static Totals since(Instant since, Path directory, Duration within, Reader reader) throws IOException {
        ShadowScan scan = new ShadowScan(since, reader);
        JournalWalk.End walked =
                JournalWalk.newestFirst(directory, JournalWalk.Span.since(since), Optional.empty(), within, line -> {
                    scan.line(line);
                    return true;
                });
        return new Totals(scan.mails, scan.unreadable, walked.complete());
    }

    private void line(String line) {
        String action = between(line, ACTION, "\"");
        String time = between(line, DecisionLine.TIME_FIELD, "\"");
        if (action.isEmpty()
                || !line.startsWith(DecisionLine.TIME_FIELD)
                || time.length() < DecisionLine.SECOND_LENGTH) {
            unreadable++;
        } else if (time.substring(0, DecisionLine.SECOND_LENGTH).compareTo(since) >= 0) {
            if (!action.equals(Decision.NONE) && !action.equals(Decision.LOST)) {
                mails++;
                mail(line, action);
            }
        }
    }

    private void mail(String line, String action) {
        String sender = MailAddress.domainOf(between(line, SENDER, BEHIND_SENDER));
        reader.addMessage(sender, line.contains(CLEAN), voter(line));
        if (line.contains(WOULD) || !between(line, ENFORCED, "\"").equals(action)) {
            Optional<Decision> decision = DecisionLine.read(line);
            decision.filter(one -> !one.outcome().shadowed().isEmpty())
                    .ifPresent(one -> reader.addShadowedMessage(sender, one));
            unreadable += decision.isEmpty() ? 1 : 0;
        }
    }

    private static Votes.Voter voter(String line) {
        String network = Network.ofClient(between(line, CLIENT, "\""));
        return new Votes.Voter(
                network.hashCode(), between(line, BEHIND_SENDER, "]").hashCode());
    }

    /// Empty when one of them is not there.
    private static String between(String line, String before, String behind) {
        int at = line.indexOf(before);
        int end = at < 0 ? -1 : line.indexOf(behind, at + before.length());
        return end < 0 ? "" : line.substring(at + before.length(), end);
    }
}
