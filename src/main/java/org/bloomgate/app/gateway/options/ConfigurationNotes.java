package org.bloomgate.app.gateway.options;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.Network;
import org.bloomgate.base.net.PublicHosts;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.smtp.RelayOptions;

/// Finds settings that are valid but probably mistakes.
public final class ConfigurationNotes {
    /// `TimeoutStopSec` of `config/systemd/bloomgate.service`.
    private static final Duration KILLED_AFTER = Duration.ofSeconds(90);

    private final List<String> notes = new ArrayList<>();

    ConfigurationNotes() {}

    /// One line for each note, which begins with the key of the setting.
    public static List<String> of(Configuration configuration, Feeds feeds) {
        ConfigurationNotes collected = new ConfigurationNotes();
        collected.networks("smtp.clientNetworks", configuration.smtp().access().clientNetworks());
        collected.networks("smtp.trusted", configuration.smtp().access().trusted());
        collected.networks("dns.clients", configuration.dns().clients());
        privateClients(configuration.smtp().access()).ifPresent(collected.notes::add);
        collected.senders(configuration.policy());
        collected.drain(configuration);
        collected.memory(
                configuration.smtp().sessions().maxSessions(),
                ClientMemory.ofProcess().totalBytes());
        collected.zones(feeds);
        if (configuration.quarantinesForMailServer()) {
            collected.quarantine(configuration.policy(), feeds.feeds());
        }
        if (configuration.publisher().directory().isPresent()) {
            collected.publishedDirectory(configuration, feeds.feeds());
        }
        if (!configuration.mirror().isEnabled()) {
            collected.feeds(configuration.feeds(), feeds.feeds());
        }
        return collected.all();
    }

    private void quarantine(PolicyOptions policy, List<Feed> feeds) {
        boolean capped = feeds.stream().anyMatch(feed -> feed.effect().action().equals(Optional.of(Action.QUARANTINE)));
        if (capped || !policy.recipients().isEmpty()) {
            notes.add("nextHop: the milter may quarantine a message, for "
                    + (capped ? "a feed whose action is quarantine" : "recipients with different actions")
                    + ", and a release goes to this folder; name a listener of the mail server without this milter");
        }
    }

    /// Whoever can read the directory has its lists, and whoever can write to its copies decides what mirrors list.
    private void publishedDirectory(Configuration configuration, List<Feed> feeds) {
        if (configuration.rebuild().signingKey().isEmpty()) {
            notes.add("publisher.directory: without rebuild.signingKey snapshots are not signed: mirrors cannot tell"
                    + " them from what a server or a cache makes up");
        }
        List<String> licensed = feeds.stream()
                .filter(feed -> !feed.effect().redistribute())
                .map(Feed::name)
                .sorted()
                .toList();
        if (!licensed.isEmpty()) {
            notes.add(
                    "publisher.directory: allow only your own mirrors to read it: 'redistribute: true' is not set for "
                            + String.join(", ", licensed));
        }
    }

    private void feeds(Path file, List<Feed> feeds) {
        if (feeds.isEmpty()) {
            notes.add("feeds: " + file + " names no feed: nothing is listed but what 'bloomgate listing add' adds");
        } else if (feeds.stream().noneMatch(feed -> feed.kind() == FeedKind.PASSWORD)) {
            notes.add("feeds: " + file + " names no feed of kind password: POST /v1/passwords answers 503"
                    + " no-password-list");
        }
    }

    /// The note for a list that exists only in DNS; empty for any other.
    public static Optional<String> wait(Feed feed) {
        return feed.queriedZone().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "clean mail waits up to " + feed.confirming().budget().toMillis() + " ms for this list");
    }

    /// The note for a feed of a layer whose timer the package does not enable; empty for any other.
    public static Optional<String> timer(Feed feed, Configuration configuration) {
        return feed.cadence() != Cadence.MINUTES || configuration.gateway().rebuild()
                ? Optional.empty()
                : Optional.of("its layer needs a timer of its own (systemctl enable --now"
                        + " bloomgate-rebuild@minutes.timer) or gateway.rebuild: true");
    }

    private void zones(Feeds feeds) {
        feeds.feeds().forEach(feed -> wait(feed).ifPresent(note -> notes.add("feeds: " + feed.name() + ": " + note)));
    }

    List<String> all() {
        return List.copyOf(notes);
    }

    private void networks(String key, List<Network> networks) {
        for (int i = 0; i < networks.size(); i++) {
            Network network = networks.get(i);
            if (!network.isExact()) {
                notes.add("%s[%d]: %s has bits set beyond its prefix and means %s"
                        .formatted(key, i, network, network.toExact()));
            }
        }
    }

    private void senders(PolicyOptions policy) {
        policy.senders().forEach((sender, rule) -> {
            if (!rule.needsProof()) {
                notes.add("policy.senders." + sender + ".authenticated: anybody can write this sender");
            }
        });
    }

    /// The note for private client networks, because a NAT, for example of a container, gives every client a
    /// private address.
    public static Optional<String> privateClients(RelayOptions.Access access) {
        List<String> privateNetworks = access.clientNetworks().stream()
                .filter(network -> !network.address().isLoopbackAddress() && !PublicHosts.isPublic(network.address()))
                .map(Network::text)
                .toList();
        return access.listen().isLoopback() || privateNetworks.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "smtp.clientNetworks: " + privateNetworks + " may relay to every domain, and behind a NAT every"
                                + " client has such an address; make sure that clients keep their own");
    }

    /// @param maxBytes of heap for all clients
    void memory(int maxSessions, long maxBytes) {
        long neededBytes = maxSessions * ClientCost.SMTP_SESSION.bytes();
        if (neededBytes > maxBytes) {
            notes.add(
                    ("smtp.maxSessions: %d sessions take %d MiB and clients have %d MiB of this heap: beyond that they"
                                    + " are answered 421; lower it or raise -Xmx")
                            .formatted(maxSessions, neededBytes >> 20, maxBytes >> 20));
        }
    }

    /// Adds a note if stopping takes too long; with a milter, two listeners drain one after the other.
    private void drain(Configuration configuration) {
        Duration drain = configuration.smtp().timeouts().drain();
        Duration longest = configuration.milter().listen().isPresent() ? drain.multipliedBy(2) : drain;
        if (longest.compareTo(KILLED_AFTER) >= 0) {
            notes.add(
                    "smtp.timeouts.drain: takes up to " + longest.toSeconds() + " s to stop, and the systemd unit kills"
                            + " after TimeoutStopSec=" + KILLED_AFTER.toSeconds() + "s; raise that in a drop-in");
        }
    }
}
