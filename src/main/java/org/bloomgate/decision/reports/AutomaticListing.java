package org.bloomgate.decision.reports;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.audit.AuditQuery;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.decision.keyjournal.RecentMail;
import org.bloomgate.decision.reports.Report.State;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lists what several people report within a short time, for a day and never to reject. A reporter counts only for
/// identifiers of mail that was delivered to the mailbox, and all reporters behind one foreign client network count
/// once. An identifier that was in mail more than a day before, or that no one else received, is not listed.
///
/// A spammer may forge From, and hide links to other people's domains. So senders are never listed, and nothing of a
/// message that names many hosts.
///
/// All of its state is in the reports, the journals, the entries and the audit log, so that after a kill at any step
/// the same listing is made once.
public final class AutomaticListing implements AutoCloseable {
    /// The author of its listings.
    static final String AUTHOR = "reports";

    /// The most messages with an identifier whose recipients are looked up. An identifier in more is not listed.
    static final int MAX_MESSAGES = 1000;

    /// Nothing of a message that names more hosts is listed, as it is not known which one is bad.
    static final int MAX_HOSTS = 5;

    /// The most automatic listings at a time.
    static final int MAX_LISTED = 50;

    private static final Actor ACTOR = new Actor(AUTHOR, Actor.Way.COMMAND, "");
    private static final Duration OLD_AGE = Duration.ofHours(24);
    private static final Duration OFF_DURATION = Duration.ofHours(24);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(AutomaticListing.class);

    /// @param reporters the number that is needed; 0: nothing is listed
    /// @param within how long; 1 minute to 24 hours
    /// @param expires when a listing ends; 1 minute to 7 days later
    /// @param action the hardest that a listing causes
    public record Options(int reporters, Duration within, Duration expires, Action action) {
        public Options {
            if (reporters == 1 || reporters == 2 || reporters < 0 || reporters > ReportStore.MAX_VOICES) {
                throw new IllegalArgumentException("reporters: 0 for off, or 3 to " + ReportStore.MAX_VOICES);
            }
            if (action != Action.TAG && action != Action.QUARANTINE) {
                throw new IllegalArgumentException("action: tag or quarantine, as nothing was proven");
            }
            if (within.compareTo(Duration.ofMinutes(1)) < 0 || within.compareTo(Duration.ofHours(24)) > 0) {
                throw new IllegalArgumentException("within: 1m to 24h");
            }
            if (expires.compareTo(Duration.ofMinutes(1)) < 0 || expires.compareTo(Duration.ofDays(7)) > 0) {
                throw new IllegalArgumentException("expires: 1m to 7d");
            }
        }

        public static Options defaults() {
            return new Options(0, Duration.ofHours(1), Duration.ofHours(24), Action.QUARANTINE);
        }
    }

    /// @param ownNetworks of the site, whose users are told apart by their mailboxes
    /// @param recipients of the messages with these tokens
    /// @param firstSeen when the memory saw a key first; empty if it does not know
    public record Sources(
            LiveEntries entries,
            KeyJournalOptions keys,
            List<Network> ownNetworks,
            Function<Set<String>, List<String>> recipients,
            Function<Key, Optional<Instant>> firstSeen) {}

    /// A report of an identifier that may count towards its listing.
    ///
    /// @param mailbox of the reporter, as of [#findMailbox]
    private record Vote(Report report, Report.Voice voice, String mailbox) {}

    private final Reports reports;
    private final Sources sources;
    private final Supplier<Options> options;
    private final EntryService service;
    private final InstantSource clock;
    private Optional<BackgroundTask> task = Optional.empty();

    /// The number of votes for a key when its listing was last refused.
    private final Map<Key, Integer> votesAtRefusal = new HashMap<>();

    /// Reports that name too many hosts, which is logged once for each.
    private Set<String> broadReports = Set.of();

    private volatile boolean isDue = true;
    private long nextNanos = System.nanoTime();

    public AutomaticListing(Reports reports, Sources sources, Supplier<Options> options, InstantSource clock) {
        this.reports = reports;
        this.sources = sources;
        this.options = options;
        this.clock = clock;
        service = new EntryService(sources.entries()::change, () -> PhoneNumbers.INTERNATIONAL, clock);
    }

    /// Looks at the reports now and after each new one.
    public AutomaticListing start() {
        reports.store().onAdded(() -> isDue = true);
        task = Optional.of(BackgroundTask.every(PAUSE, "reports", () -> evaluateIfDue(System::nanoTime)));
        return this;
    }

    /// Evaluates if a report was added. Takes at most half of a processor, however many reports there are.
    void evaluateIfDue(LongSupplier nanoTime) {
        long start = nanoTime.getAsLong();
        if (isDue && start - nextNanos >= 0) {
            isDue = false;
            Duration pause = RETRY;
            try {
                evaluate();
                pause = Duration.ofNanos(nanoTime.getAsLong() - start);
            } catch (IOException e) {
                isDue = true;
                LOG.warn("reports: nothing was listed: {} (again in {} s)", IoText.describe(e), RETRY.toSeconds());
            } catch (RuntimeException e) {
                isDue = true;
                LOG.error("reports: nothing was listed (again in {} s)", RETRY.toSeconds(), e);
            }
            nextNanos = nanoTime.getAsLong() + pause.toNanos();
        }
    }

    void evaluate() throws IOException {
        Options current = options.get();
        if (current.reporters() == 0) {
            return;
        }
        Instant now = clock.instant();
        Map<Key, List<Vote>> votes = collectVotes(now.minus(current.within()));
        votes.values().removeIf(ofKey -> countVoters(ofKey) < current.reporters());
        for (Entry entry : listActive(sources.entries())) {
            markListed(votes.getOrDefault(entry.key(), List.of()), now);
        }
        sources.entries().entries().of(Entry.Type.LISTING).forEach(entry -> votes.remove(entry.key()));
        votesAtRefusal.keySet().retainAll(votes.keySet());
        votes.entrySet()
                .removeIf(one -> votesAtRefusal.getOrDefault(one.getKey(), 0)
                        == one.getValue().size());
        if (!votes.isEmpty()) {
            Optional<Instant> pauseEnd = findPauseEnd(now, current);
            for (Map.Entry<Key, List<Vote>> one : votes.entrySet()) {
                Optional<String> why = pauseEnd.isPresent()
                        ? Optional.of("switched off until " + pauseEnd.get() + ", as a listing was removed or excepted")
                        : listActive(sources.entries()).size() >= MAX_LISTED
                                ? Optional.of("too many automatic listings")
                                : findObjection(one.getKey(), one.getValue(), current, now);
                if (why.isEmpty()) {
                    why = addListing(one.getKey(), one.getValue(), current, now);
                }
                if (why.isPresent()) {
                    // It is evaluated again when another reporter joins.
                    votesAtRefusal.put(one.getKey(), one.getValue().size());
                    LOG.warn("reports: {}: not listed: {}", one.getKey().line(), why.get());
                }
            }
        }
    }

    /// The automatic listings that are in use.
    public static List<Entry> listActive(LiveEntries entries) {
        return entries.entries().of(Entry.Type.LISTING).stream()
                .filter(entry -> entry.terms().author().equals(AUTHOR))
                .toList();
    }

    private Map<Key, List<Vote>> collectVotes(Instant since) throws IOException {
        Map<Key, List<Vote>> votes = new LinkedHashMap<>();
        Set<String> broad = new HashSet<>();
        for (Report report :
                reports.store().list(since, one -> one.outcome().state() != State.HARMLESS, ReportStore.MAX_REPORTS)) {
            if (namesTooManyHosts(report)) {
                broad.add(report.id());
                if (!broadReports.contains(report.id())) {
                    LOG.warn("reports: {}: nothing is listed: it names more than {} hosts", report.id(), MAX_HOSTS);
                }
                continue;
            }
            for (Report.Voice voice : report.voices()) {
                if (!voice.time().isBefore(since) && !voice.reporter().mailbox().isEmpty()) {
                    Vote vote =
                            new Vote(report, voice, findMailbox(voice.reporter().mailbox()));
                    report.namedBy(voice)
                            .filter(AutomaticListing::mayBeListed)
                            .forEach(identifier -> votes.computeIfAbsent(identifier.key(), _ -> new ArrayList<>())
                                    .add(vote));
                }
            }
        }
        broadReports = broad;
        return votes;
    }

    private static boolean mayBeListed(ReportedIdentifier identifier) {
        return identifier.objection().isEmpty() && identifier.isContent();
    }

    private static boolean namesTooManyHosts(Report report) {
        return report.message().identifiers().stream()
                        .filter(AutomaticListing::mayBeListed)
                        .map(ReportedIdentifier::key)
                        .flatMap(key -> key.kind().rules().host(key.text()).stream())
                        .distinct()
                        .count()
                > MAX_HOSTS;
    }

    /// The mailbox of an address: all spellings and tags (`user+tag`) of one person are the same.
    private static String findMailbox(String address) {
        return MailAddress.parse(address).map(MailAddress::mailbox).orElseGet(() -> TextForms.lowerCase(address));
    }

    private int countVoters(List<Vote> votes) {
        Map<String, String> voters = new HashMap<>();
        votes.forEach(vote -> voters.putIfAbsent(vote.mailbox(), findVoter(vote)));
        return Set.copyOf(voters.values()).size();
    }

    /// What a vote counts for: the network of the client; the mailbox if that is an own network or is not known.
    private String findVoter(Vote vote) {
        String text = vote.voice().reporter().clientNetwork();
        if (text.indexOf('/') < 0) {
            return vote.mailbox();
        }
        Network client = Network.of(text);
        boolean isOwn = sources.ownNetworks().stream()
                .anyMatch(own -> own.contains(client.address()) || client.contains(own.address()));
        return isOwn ? vote.mailbox() : text;
    }

    /// @return why the key must not be listed
    private Optional<String> findObjection(Key key, List<Vote> votes, Options current, Instant now) throws IOException {
        List<String> ofGates = reports.gatesOf(votes.getFirst().report()).objections(Reports.entry(key, now));
        if (!ofGates.isEmpty()) {
            return Optional.of(String.join("; ", ofGates));
        }
        Instant old = votes.stream()
                .map(vote -> vote.voice().time())
                .min(Instant::compareTo)
                .orElse(now)
                .minus(OLD_AGE);
        RecentMail<Key> mail = RecentMail.since(Instant.EPOCH, sources.keys());
        mail.noteAnywhere(key, Match.SUFFIX, () -> key);
        Set<String> tokens = new HashSet<>();
        List<Instant> oldMail = new ArrayList<>();
        RecentMail.Tally tally = mail.forEach((token, delivered, _, _) -> {
            if (tokens.size() < MAX_MESSAGES) {
                tokens.add(token);
            }
            if (delivered.isBefore(old) && oldMail.isEmpty()) {
                oldMail.add(delivered);
            }
        });
        Optional<Instant> seen = sources.firstSeen().apply(key).filter(old::isAfter);
        if (!oldMail.isEmpty() || seen.isPresent()) {
            return Optional.of("it is in mail delivered more than a day before");
        }
        if (mail.unreadable() + tally.damaged() > 0 || tally.holding() > MAX_MESSAGES) {
            return Optional.of("it is not known who received it");
        }
        Set<String> recipients = sources.recipients().apply(tokens).stream()
                .map(AutomaticListing::findMailbox)
                .collect(Collectors.toCollection(HashSet::new));
        List<Vote> proven = votes.stream()
                .filter(vote -> recipients.contains(vote.mailbox()))
                .toList();
        if (countVoters(proven) < current.reporters()) {
            return Optional.of("it was not delivered to enough of those who report it");
        }
        votes.forEach(vote -> recipients.remove(vote.mailbox()));
        return recipients.isEmpty() ? Optional.of("no one else received it") : Optional.empty();
    }

    /// @return why it cannot be listed
    private Optional<String> addListing(Key key, List<Vote> votes, Options current, Instant now) throws IOException {
        EntryText text = EntryText.ofTerms(
                        "reported by " + votes.size() + ", report "
                                + votes.getFirst().report().id(),
                        current.expires().toMinutes() + "m",
                        AUTHOR)
                .with(Field.KIND, key.kind().label())
                .with(Field.VALUE, key.text())
                .with(Field.CATEGORY, AUTHOR)
                .with(Field.ACTION, current.action().label());
        try {
            List<Entry> _ = service.addChecked(ACTOR, text);
        } catch (EntryRefusedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        LOG.warn("reports: {}: listed until {}, reported by {}", key.line(), now.plus(current.expires()), votes.size());
        markListed(votes, now);
        return Optional.empty();
    }

    private void markListed(List<Vote> votes, Instant now) throws IOException {
        for (Vote vote : votes) {
            if (vote.report().outcome().state() != State.LISTED) {
                Optional<Report> _ = reports.decide(ACTOR, vote.report().id(), State.LISTED, now);
            }
        }
    }

    /// The end of the time for which automatic listing is off: a day after one of its listings was removed or excepted.
    private Optional<Instant> findPauseEnd(Instant now, Options current) throws IOException {
        Instant since = now.minus(OFF_DURATION).minus(current.expires());
        List<AuditEvent> events = reports.auditLog()
                .find(new AuditQuery("", "", "", since, AuditQuery.MAX_LIMIT))
                .events();
        Set<String> listed = new HashSet<>();
        Optional<Instant> end = Optional.empty();
        for (AuditEvent event : events.reversed()) {
            boolean isOwn = AUTHOR.equals(event.detail().get(Field.AUTHOR.label()));
            if (event.what().equals(What.LISTING_ADD.label()) && isOwn) {
                Key.ofLine(event.detail().get(Field.KIND.label()) + " " + event.subject())
                        .around()
                        .forEach(around -> listed.add(around.text()));
            }
            if ((event.what().equals(What.LISTING_REMOVE.label()) && isOwn)
                    || (event.what().equals(What.EXCEPTION_ADD.label()) && listed.contains(event.subject()))) {
                end = Optional.of(event.time().plus(OFF_DURATION));
            }
        }
        return end.filter(now::isBefore);
    }

    @Override
    public void close() {
        task.ifPresent(BackgroundTask::close);
    }
}
