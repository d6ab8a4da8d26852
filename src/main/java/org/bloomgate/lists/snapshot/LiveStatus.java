package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The generations in use and what is wrong at present, for health, metrics and the operator's page.
///
/// @param layers current ones, sorted by name
/// @param conditions what is wrong at present, with snapshots and with other parts of the program
/// @param refusedTotal number of refused snapshots since start
/// @param following the state of the mirror; empty on a machine that follows no publisher
/// @param unreadyReasons other reasons why the service is not ready; each begins with a key of the configuration
public record LiveStatus(
        List<LayerStatus> layers,
        List<Condition> conditions,
        long refusedTotal,
        Optional<Following> following,
        List<String> unreadyReasons) {
    private static final String EXACT = "exact lookup";

    public LiveStatus {
        unreadyReasons = List.copyOf(unreadyReasons);
        layers = List.copyOf(layers);
        conditions = List.copyOf(conditions);
    }

    public LiveStatus(List<LayerStatus> layers, List<Condition> conditions, long refusedTotal) {
        this(layers, conditions, refusedTotal, Optional.empty(), List.of());
    }

    /// The same status with more conditions.
    public LiveStatus with(List<Condition> more) {
        return new LiveStatus(layers, join(conditions, more), refusedTotal, following, unreadyReasons);
    }

    /// The same status with the conditions of a register.
    public LiveStatus with(Conditions register) {
        return new LiveStatus(
                        layers,
                        conditions,
                        refusedTotal,
                        following,
                        join(unreadyReasons, register.listUnreadyReasons()))
                .with(register.list());
    }

    /// The same status of a machine that follows a publisher.
    public LiveStatus withFollowing(Optional<Following> publisher) {
        return new LiveStatus(layers, conditions, refusedTotal, publisher, unreadyReasons);
    }

    /// The same status, and not ready for this reason as well.
    public LiveStatus withUnreadyReason(String why) {
        return new LiveStatus(layers, conditions, refusedTotal, following, join(unreadyReasons, List.of(why)));
    }

    private static <T> List<T> join(List<T> first, List<T> more) {
        return Stream.concat(first.stream(), more.stream()).toList();
    }

    /// The same status with the reason why many lookups fail at the moment.
    public LiveStatus withDegradedLookup(String why, Instant at) {
        return with(List.of(Condition.of(EXACT, why, at)));
    }

    /// Why many lookups fail at the moment; empty when they do not.
    public Optional<String> findDegradation() {
        return conditions.stream()
                .filter(one -> one.subject().equals(EXACT))
                .map(Condition::reason)
                .findFirst();
    }

    /// Whether this machine is ready, apart from a missing snapshot.
    public boolean isReady() {
        return unreadyReasons.isEmpty() && following.map(Following::ready).orElse(true);
    }

    /// Why this machine is not ready; empty when it is.
    ///
    /// @param snapshot whether there is one
    public Optional<String> explainUnreadiness(boolean snapshot) {
        if (!unreadyReasons.isEmpty()) {
            return Optional.of(String.join("; ", unreadyReasons));
        }
        if (!isReady()) {
            return Optional.of("the last statement of the publisher has expired");
        }
        return snapshot ? Optional.empty() : Optional.of("no snapshot is in force");
    }

    /// One current layer.
    ///
    /// @param confirmedAt when its publisher last found nothing new in the feeds
    /// @param entries distinct keys
    /// @param sizeBytes of all files
    /// @param feeds it was made of
    public record LayerStatus(
            String layer,
            String generation,
            Instant createdAt,
            Instant adoptedAt,
            Optional<Instant> confirmedAt,
            long entries,
            long sizeBytes,
            List<ManifestFeed> feeds) {
        public LayerStatus {
            feeds = List.copyOf(feeds);
        }

        public Instant renewedAt() {
            return confirmedAt.orElse(createdAt);
        }
    }
}
