package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.VerifiedFiles;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.bloom.FoldingFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gateways that share a key and exchange the filter files of their days, which each passes on unchanged. A method
/// throws [FilterRefusedException] for a file that no correct peer offers.
///
/// The file of a slot may grow while the slot is open, which ends [#CLOSING] after its last day. Later only the file
/// that was listed last while it was open is accepted, for [#LATE], so that no peer can make a new name look old.
/// Thread-safe; no probe waits for it.
public final class MemoryGroup {
    /// How long after its end a slot may still grow: a dozen hops.
    static final Duration CLOSING = Duration.ofHours(2);

    /// How long after its end the last listed file of a slot is accepted.
    static final Duration LATE = Duration.ofDays(7);

    /// How much the clock of another gateway may be ahead.
    static final Duration MAX_SKEW = Duration.ofMinutes(5);

    static final int MAX_ORIGINS = 64;

    /// Estimates of the same keys in another shape differ a little.
    static final long MAX_DAY_KEYS = SetRing.MAX_SLOT_KEYS + SetRing.MAX_SLOT_KEYS / 16;

    /// The most files that are noted.
    private static final int MAX_PATHS = 10_000;

    /// How many keys a file may have room for, as a multiple of those in it: a day may still grow.
    private static final int SPARE = 2 * SetRing.HEADROOM;

    /// With fewer keys a file may have room for as many as with these.
    private static final long FEW_KEYS = 1024;

    private static final String ORIGINS = "origins";
    private static final Logger LOG = LoggerFactory.getLogger(MemoryGroup.class);

    private final String gateway;
    private final MemoryKey key;
    private final Path origins;
    private final SiteMemory memory;
    private final Map<MemorySet, SetRing> rings = new EnumMap<>(MemorySet.class);
    private final Set<MemorySet> changedSets = EnumSet.noneOf(MemorySet.class);

    /// The number of keys in received files that are not united yet.
    private final Map<MemorySet, Long> keysToUnite = new EnumMap<>(MemorySet.class);

    /// The gateways whose files are united.
    private List<String> unitedOrigins = List.of();

    /// The digest that was listed last while the slot was open, by path.
    private final Map<String, String> listedDigests = new HashMap<>();

    /// The digest that was received last, by path.
    private final Map<String, String> receivedDigests = new HashMap<>();

    /// What was listed, by the file that it was read from.
    private final Map<VerifiedFiles.Stamp, MemoryFile> descriptions = new HashMap<>();

    /// @param gateway name of this one
    /// @param directory of the memory
    MemoryGroup(String gateway, MemoryKey key, Path directory, SiteMemory memory) throws IOException {
        this.gateway = gateway;
        this.key = key;
        this.memory = memory;
        origins = Files.createDirectories(directory.resolve(ORIGINS));
        memory.listRings().stream()
                .filter(ring -> ring.set() != MemorySet.WITNESS)
                .forEach(ring -> rings.put(ring.set(), ring));
        maintain();
    }

    public String gateway() {
        return gateway;
    }

    /// The same at all gateways with the key, which it does not reveal.
    public String id() {
        return key.groupId();
    }

    /// The digest of a canonical name under the key of the group.
    public long digest(String name) {
        return key.digest(name);
    }

    /// The gateways whose files are here. A gateway that was forgotten has an empty file instead of a folder.
    private List<String> listOrigins() throws IOException {
        try (Stream<Path> folders = Files.list(origins)) {
            return folders.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private SlotFiles files(String origin, SetRing ring) {
        return ring.openFiles(origins.resolve(origin), damage -> {
            LOG.warn("memory: set aside a file of {}: {} (fetched again)", origin, damage);
            receivedDigests.clear();
        });
    }

    /// The files of this gateway and of others within the last four weeks.
    public synchronized List<MemoryFile> list() throws IOException {
        List<MemoryFile> all = new ArrayList<>();
        for (SetRing ring : rings.values()) {
            for (long day : ring.listDays()) {
                describe(gateway, ring, day).ifPresent(all::add);
            }
            for (String origin : listOrigins()) {
                for (long day : files(origin, ring).listDays(SlotFiles.DAY)) {
                    describe(origin, ring, day).ifPresent(all::add);
                }
            }
        }
        descriptions.values().retainAll(new HashSet<>(all));
        return all;
    }

    /// A file is read again only after a change.
    private Optional<MemoryFile> describe(String origin, SetRing ring, long day) throws IOException {
        boolean isOwn = origin.equals(gateway);
        Path file = (isOwn ? ring.files() : files(origin, ring)).file(day, SlotFiles.DAY);
        if ((isOwn && day == ring.currentDay()) || !Files.exists(file)) {
            return readDescription(origin, ring, day);
        }
        VerifiedFiles.Stamp stamp = VerifiedFiles.readStamp(file);
        Optional<MemoryFile> description = Optional.ofNullable(descriptions.get(stamp));
        if (description.isEmpty()) {
            description = readDescription(origin, ring, day);
            description.ifPresent(read -> descriptions.put(stamp, read));
        }
        return description;
    }

    private Optional<MemoryFile> readDescription(String origin, SetRing ring, long day) throws IOException {
        String date = LocalDate.ofEpochDay(day).toString();
        return find(origin, ring, day)
                .map(filter -> new MemoryFile(
                        origin,
                        ring.set().label(),
                        date,
                        filter.keys(),
                        Sha256.hex(files(origin, ring).format(filter, day))));
    }

    private Optional<FoldingFilter> find(String origin, SetRing ring, long day) throws IOException {
        return origin.equals(gateway) ? ring.readDay(day) : files(origin, ring).readDay(day);
    }

    /// The file of a day; empty if it is not here.
    public synchronized Optional<byte[]> read(String origin, String set, String date) throws IOException {
        MemoryFile file = new MemoryFile(origin, set, date, 0, "");
        Optional<SetRing> ring = file.findSet().map(rings::get);
        Optional<Long> day = file.findDay();
        return ring.isEmpty() || day.isEmpty() || !MemoryFile.isValidOrigin(origin)
                ? Optional.empty()
                : find(origin, ring.get(), day.get())
                        .map(filter -> files(origin, ring.get()).format(filter, day.get()));
    }

    /// Whether a listed file is to be fetched: it is new, and may be accepted.
    ///
    /// @param isJoining whether an operator trusts the list for days that are over
    public synchronized boolean wants(MemoryFile listed, boolean isJoining) throws IOException, FilterRefusedException {
        Optional<SetRing> ring = listed.findSet().map(rings::get);
        String path = listed.path();
        if (ring.isEmpty()
                || !listed.isWellFormed()
                || listed.origin().equals(gateway)
                || Files.isRegularFile(origins.resolve(listed.origin()))) {
            return false;
        }
        MemorySet set = ring.get().set();
        long day = listed.findDay()
                .filter(date -> set.slotOf(date) == date)
                .orElseThrow(() -> new FilterRefusedException("not the first day of a slot"));
        require(!SlotFiles.startOf(day).isAfter(memory.now().plus(MAX_SKEW)), "of a date to come");
        List<String> known = listOrigins();
        require(known.contains(listed.origin()) || known.size() < MAX_ORIGINS, "of too many gateways");
        boolean isOpen = isJoining || isWithin(set, day, CLOSING);
        if (isOpen) {
            listedDigests.put(path, listed.sha256());
        }
        if (listed.sha256().equals(receivedDigests.get(path))) {
            return false;
        }
        boolean isListed = listedDigests.containsKey(path)
                || find(listed.origin(), ring.get(), day).isPresent();
        return isOpen || (isListed && isWithin(set, day, LATE));
    }

    /// Whether a slot is not over, or ended within a time.
    private boolean isWithin(MemorySet set, long day, Duration time) {
        return memory.now().isBefore(SlotFiles.startOf(day + set.slotDays()).plus(time));
    }

    private static void require(boolean asExpected, String fault) throws FilterRefusedException {
        if (!asExpected) {
            throw new FilterRefusedException(fault);
        }
    }

    /// Accepts a file that [#wants] names. Its keys are found after [#maintain].
    public synchronized void receive(MemoryFile listed, byte[] bytes) throws IOException, FilterRefusedException {
        SetRing ring =
                Optional.ofNullable(rings.get(listed.findSet().orElseThrow())).orElseThrow();
        long day = listed.findDay().orElseThrow();
        SlotFiles files = files(listed.origin(), ring);
        Optional<FoldingFilter> earlier = files.readDay(day);
        String sha256 = Sha256.hex(bytes);
        receivedDigests.put(listed.path(), sha256);
        FoldingFilter filter = files.parse(bytes, day);
        if (earlier.isPresent() && earlier.get().covers(filter)) {
            return;
        }
        boolean isGrown = earlier.isEmpty() || filter.covers(earlier.get());
        boolean isFinal = isGrown && sha256.equals(listedDigests.get(listed.path()));
        FoldingFilter result = isGrown ? filter : earlier.get().unite(filter);
        require(isFinal || isWithin(ring.set(), day, CLOSING), "changed after its day");
        require(ring.set().slotDays() > 1 || result.keys() <= MAX_DAY_KEYS, "too many keys for a day");
        require(!result.isOverfull(), "fuller than its shape allows");
        require(
                filter.shape() <= FoldingFilter.shapeFor(SPARE * Math.max(FEW_KEYS, filter.keys())),
                "larger than its keys need");
        long keys = keysToUnite.getOrDefault(ring.set(), 0L) + filter.keys();
        require(ring.hasRoomFor(keys), "no room for its keys");
        keysToUnite.put(ring.set(), keys);
        changedSets.add(ring.set());
        try {
            files.writeDay(day, result);
        } catch (IOException e) {
            receivedDigests.remove(listed.path());
            throw e;
        }
    }

    /// What this gateway alone has seen of the link domain with a digest.
    public Optional<OtherGateways.Answer> answer(long digest) {
        return memory.links()
                .flatMap(links -> links.findOwn(digest))
                .map(link -> new OtherGateways.Answer(
                        gateway, Optional.of(link.firstSeen()), link.messages(), link.recipients()));
    }

    /// Deletes the files of a gateway, also while the gateway of the directory runs. An empty file replaces their
    /// folder, so that they are not fetched again.
    ///
    /// @param directory of the memory
    /// @return false if there are none
    public static boolean forget(Path directory, String origin) throws IOException {
        Path folder = directory.resolve(ORIGINS).resolve(origin);
        if (!MemoryFile.isValidOrigin(origin) || !Files.isDirectory(folder)) {
            return false;
        }
        DurableFiles.deleteTree(folder);
        PrivateFile.create(folder);
        return true;
    }

    /// Unites what has changed, also if a gateway was forgotten, and makes periods of old days.
    public synchronized void maintain() throws IOException {
        List<String> current = listOrigins();
        for (SetRing ring : rings.values()) {
            List<SlotFiles> others =
                    current.stream().map(origin -> files(origin, ring)).toList();
            for (SlotFiles files : others) {
                if (files.retire(ring.currentDay())) {
                    changedSets.add(ring.set());
                }
            }
            if (changedSets.contains(ring.set()) || !current.equals(unitedOrigins)) {
                ring.unite(others);
                changedSets.remove(ring.set());
            }
        }
        unitedOrigins = current;
        keysToUnite.clear();
        if (listedDigests.size() + receivedDigests.size() > MAX_PATHS) {
            listedDigests.clear();
            receivedDigests.clear();
        }
    }
}
