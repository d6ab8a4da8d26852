package org.bloomgate.decision.memory;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;

/// The domains of links in delivered messages. A domain is new until there is evidence for it that one message cannot
/// give: three witnesses, and a day in between; or mail of an authenticated sender to a user who wrote to it before.
/// Thread-safe.
public final class LinkMemory {
    /// Recipients that make a domain known.
    private static final int LEVELS = 3;

    private static final String RECIPIENT = "recipient";
    private static final String LEVEL = "level";

    private final MemoryPart part;
    private final SightingTable sightings = new SightingTable();

    /// Deferred messages of the last day, by the digest by which [#isRetry] finds them.
    private final SightingTable deferrals = new SightingTable();

    private final SetRing links;
    private final SetRing known;
    private final SetRing witness;

    LinkMemory(MemoryPart part) throws IOException {
        this.part = part;
        int now = part.minute();
        links = part.open(MemorySet.LINKS, SiteMemory.MAX_KEYS, entry -> {
            if (entry.minute() >= now - SightingTable.KEEP_MINUTES) {
                sight(entry);
            }
        });
        known = part.open(MemorySet.KNOWN, SiteMemory.MAX_KEYS, _ -> {});
        witness = part.open(MemorySet.WITNESS, SiteMemory.MAX_KEYS, _ -> {});
    }

    /// The facts of a new domain; empty if it is known, and while the memory is still learning.
    ///
    /// @param domain registrable, or an address
    public Optional<NewLink> findNew(String domain) {
        return part.learning().isOver() && !known.contains(known.hash(digest(domain)))
                ? Optional.of(find(domain))
                : Optional.empty();
    }

    private NewLink find(String domain) {
        long key = links.hash(digest(domain));
        return describe(
                domain, key, sightings.contains(key) ? links.findFirstDayOfOthers(key) : links.findFirstDay(key));
    }

    private NewLink describe(String domain, long key, OptionalLong day) {
        Optional<Sighting> sighting = sightings.find(key);
        Instant firstSeen = sighting.map(first -> Instant.ofEpochSecond(first.minute() * 60L))
                .filter(minute -> day.isEmpty() || minute.isBefore(SlotFiles.startOf(day.getAsLong() + 1)))
                .orElseGet(() -> day.isPresent()
                        ? SlotFiles.startOf(day.getAsLong())
                        : part.clock().instant());
        int messages = sighting.map(Sighting::messages).orElse(0);
        return new NewLink(
                domain, firstSeen, messages, sighting.map(Sighting::recipients).orElse(0));
    }

    /// What is remembered of a domain, whether it is known or not; empty if it was never seen.
    public Optional<NewLink> findSeen(String domain) {
        long key = links.hash(digest(domain));
        return sightings.contains(key) || links.contains(key) ? Optional.of(find(domain)) : Optional.empty();
    }

    /// What this gateway alone has seen of a domain, by its digest; empty if it never was.
    Optional<NewLink> findOwn(long digest) {
        long key = links.hash(digest);
        if (sightings.contains(key)) {
            return Optional.of(describe("", key, OptionalLong.empty()));
        }
        OptionalLong day = links.findOwnFirstDay(key);
        return day.isPresent() ? Optional.of(describe("", key, day)) : Optional.empty();
    }

    /// Whether there is enough evidence for the domain.
    public boolean isKnown(String domain) {
        return known.contains(known.hash(digest(domain)));
    }

    /// Records the domain of a link in a message that was delivered.
    ///
    /// @param client that sent it; empty for a user of the site
    /// @param isProven whether it is an answer of an authenticated sender to a user who wrote to it
    public void rememberDelivered(
            String domain, Collection<String> recipients, Optional<InetAddress> client, boolean isProven) {
        long digest = digest(domain);
        long key = links.hash(digest);
        boolean isKnown = known.contains(known.hash(digest));
        int newRecipients = isKnown ? 0 : addWitnesses(domain, recipients, client);
        remember(key, newRecipients, client);
        if (isKnown || isProven || hasEvidence(domain, key)) {
            part.add(known, known.hash(digest), Optional.empty());
        }
    }

    private void remember(long key, int newRecipients, Optional<InetAddress> client) {
        boolean isSighting = sightings.contains(key);
        if (!isSighting && links.containsOwn(key)) {
            part.add(links, key, client);
        } else if (isSighting || part.admitNewKey(client)) {
            KeyLog.Entry entry = new KeyLog.Entry(key, KeyLog.Kind.SIGHTING, part.minute(), newRecipients);
            sight(entry);
            part.put(links, entry);
        } else {
            links.countForgottenKey();
        }
    }

    private void sight(KeyLog.Entry entry) {
        if (!sightings.add(entry)) {
            part.learning().restart("the table of first sightings is full");
        }
    }

    /// @return the recipients that were not a witness yet
    private int addWitnesses(String domain, Collection<String> recipients, Optional<InetAddress> client) {
        int newRecipients = 0;
        for (String recipient : recipients) {
            if (hasLevel(domain, LEVELS)) {
                newRecipients++;
            } else if (part.add(witness, witnessKey(RECIPIENT, domain, recipient), client)) {
                newRecipients++;
                addLevel(domain);
            }
        }
        return newRecipients;
    }

    private void addLevel(String domain) {
        for (int level = 1; level <= LEVELS; level++) {
            if (part.add(witness, levelKey(domain, level), Optional.empty())) {
                return;
            }
        }
    }

    private boolean hasEvidence(String domain, long key) {
        OptionalLong day = links.findOwnFirstDay(key);
        return day.isPresent() && day.getAsLong() < part.today() && hasLevel(domain, LEVELS);
    }

    private boolean hasLevel(String domain, int level) {
        return witness.contains(levelKey(domain, level));
    }

    /// Notes the first minute of the domains of a deferred message, and nothing else.
    public void noteDeferredLink(String domain) {
        long key = links.hash(digest(domain));
        if (!sightings.contains(key) && !links.contains(key)) {
            KeyLog.Entry entry = new KeyLog.Entry(key, KeyLog.Kind.DEFERRAL, part.minute(), 0);
            sight(entry);
            part.put(links, entry);
        }
    }

    /// Notes that a message was deferred because of a new link.
    ///
    /// @param message client network, reverse-path, recipients and Message-ID
    public void noteDeferredMessage(String message) {
        if (deferrals.find(digest(message)).isEmpty()) {
            boolean _ = deferrals.add(new KeyLog.Entry(digest(message), KeyLog.Kind.DEFERRAL, part.minute(), 0));
        }
    }

    /// Whether a message was deferred because of a new link, in an earlier minute.
    public boolean isRetry(String message) {
        return deferrals
                .find(digest(message))
                .filter(first -> first.minute() < part.minute())
                .isPresent();
    }

    /// Forgets first sightings that are older than a day.
    void expire() {
        sightings.expire(part.minute());
        deferrals.expire(part.minute());
    }

    private long digest(String domain) {
        return part.key().digest(domain);
    }

    private long witnessKey(String kind, String domain, String witnessed) {
        return witness.hash(part.key().digest(kind, domain, witnessed));
    }

    private long levelKey(String domain, int level) {
        return witnessKey(LEVEL, domain, Integer.toString(level));
    }
}
