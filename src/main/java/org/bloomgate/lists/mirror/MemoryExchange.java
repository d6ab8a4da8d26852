package org.bloomgate.lists.mirror;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.concurrent.Jitter;
import org.bloomgate.base.io.OwnJson;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.bloom.FoldingFilter;
import org.bloomgate.decision.memory.GroupOptions;
import org.bloomgate.decision.memory.MemoryFile;
import org.bloomgate.decision.memory.MemoryGroup;
import org.bloomgate.decision.memory.OtherGateways;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;

/// The exchange of what the gateways of a group have seen. Each peer has a thread, which fetches the files that the
/// peer lists and this gateway does not have; a peer that is away or slow changes nothing else. No message waits for
/// any of it. Thread-safe.
public final class MemoryExchange implements OtherGateways, AutoCloseable {
    public static final String PATH = "/v1/memory";

    /// The most peers and refused files that are named at the same time.
    static final int MAX_FAULTS = 100;

    static final int MAX_LIST_BYTES = 4 << 20;
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

    /// A test shortens it.
    private static final Duration INTERVAL =
            Duration.ofSeconds(Integer.getInteger("bloomgate.memoryExchangeSeconds", 600));

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{16}");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ANSWER_BYTES = 64 << 10;
    private static final JsonMapper JSON = OwnJson.MAPPER
            .rebuild()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private final MemoryGroup group;
    private final GroupOptions options;
    private final List<Publisher> peers = new ArrayList<>();
    private final List<BackgroundTask> tasks = new ArrayList<>();
    private final Conditions faults;

    /// The files that a gateway has, and its name and group.
    public record FileList(String gateway, String group, List<MemoryFile> files) {}

    /// @param hashes of names, under the key of the group, in hexadecimal digits
    public record DigestQuery(List<String> hashes) {}

    /// @param url of a gateway of the group
    public record JoinRequest(String url) {}

    /// @param accepted number of files
    public record JoinResult(int accepted) {}

    /// @throws IOException if the certificates of the Java runtime cannot be used
    public MemoryExchange(MemoryGroup group, GroupOptions options, InstantSource clock) throws IOException {
        this.group = group;
        this.options = options;
        faults = new Conditions("memory", clock);
        for (String peer : options.peers()) {
            peers.add(open(peer));
        }
    }

    private Publisher open(String peer) throws IOException {
        return new Publisher(peer, "memory.groups", options.token(), TIMEOUT, Optional.empty());
    }

    /// Fetches from each peer now, and then at intervals.
    public void start() {
        for (Publisher peer : peers) {
            tasks.add(BackgroundTask.keepRunning("memory-exchange", () -> {
                while (true) {
                    runRound(peer);
                    Thread.sleep(Jitter.vary(INTERVAL));
                }
            }));
        }
    }

    private void runRound(Publisher peer) throws InterruptedException {
        try {
            int _ = fetchAll(peer, false);
            faults.clear(peer.base());
        } catch (IOException | RuntimeException e) {
            faults.note(peer.base(), Mirror.describe(e));
        }
    }

    /// Fetches the files of all days from a gateway of the group, once, also those that were not listed on their day.
    ///
    /// @return how many were accepted
    /// @throws IOException if it does not answer, or is of another group
    public int join(String address) throws IOException {
        try (Publisher peer = open(address)) {
            return fetchAll(peer, true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// @param isJoining whether files of earlier days are accepted as they are listed
    private int fetchAll(Publisher peer, boolean isJoining) throws IOException, InterruptedException {
        FileList list = read(peer, peer.createRequest(PATH), MAX_LIST_BYTES, FileList.class);
        if (!list.group().equals(group.id())) {
            throw new PublisherException("another key than that of memory.groups");
        }
        if (list.gateway().equals(group.gateway())) {
            throw new PublisherException("has the name of this gateway: each needs an smtp.hostname of its own");
        }
        int accepted = 0;
        try {
            for (MemoryFile file : list.files()) {
                accepted += fetch(peer, file, isJoining) ? 1 : 0;
            }
        } finally {
            group.maintain();
        }
        return accepted;
    }

    private boolean fetch(Publisher peer, MemoryFile file, boolean isJoining) throws IOException, InterruptedException {
        try {
            if (group.wants(file, isJoining)) {
                HttpRequest request =
                        peer.createRequest(PATH + "/" + file.path()).build();
                HttpResponse<byte[]> answer = peer.fetchSmall(request, FoldingFilter.MAX_FILE_BYTES);
                if (answer.statusCode() == 200) {
                    group.receive(file, answer.body());
                    faults.clear(file.path());
                    return true;
                }
            }
        } catch (FilterRefusedException e) {
            if (faults.list().size() < MAX_FAULTS) {
                faults.note(file.path(), "refused: " + e.getMessage());
            }
        }
        return false;
    }

    /// The files that this gateway has.
    public FileList list() throws IOException {
        return new FileList(group.gateway(), group.id(), group.list());
    }

    /// What this gateway alone has seen of the hashes in a query; malformed ones are ignored.
    public Answers answer(DigestQuery query) {
        return new Answers(
                query.hashes().stream()
                        .filter(hash -> HASH.matcher(hash).matches())
                        .flatMap(hash -> group.answer(HexFormat.fromHexDigitsToLong(hash)).stream())
                        .toList(),
                List.of());
    }

    public MemoryGroup group() {
        return group;
    }

    /// Asks all peers at once: they answer from their exact table and their slots.
    @Override
    public Answers ask(String name) {
        String hash = HexFormat.of().toHexDigits(group.digest(name));
        Map<Publisher, List<Answer>> answers = new ConcurrentHashMap<>();
        CountDownLatch unanswered = new CountDownLatch(peers.size());
        for (Publisher peer : peers) {
            BackgroundTask _ = BackgroundTask.startVirtual("memory-question", () -> {
                try {
                    HttpRequest.Builder query = peer.createRequest(PATH + "/seen")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"hashes\":[\"" + hash + "\"]}"));
                    answers.put(
                            peer,
                            read(peer, query, MAX_ANSWER_BYTES, Answers.class)
                                    .gateways());
                } catch (IOException | RuntimeException e) {
                    faults.note(peer.base(), Mirror.describe(e));
                } finally {
                    unanswered.countDown();
                }
            });
        }
        try {
            boolean _ = unanswered.await(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Map<Publisher, List<Answer>> inTime = Map.copyOf(answers);
        return new Answers(
                inTime.values().stream().flatMap(List::stream).toList(),
                peers.stream()
                        .filter(peer -> !inTime.containsKey(peer))
                        .map(Publisher::base)
                        .toList());
    }

    private static <T> T read(Publisher peer, HttpRequest.Builder request, int maxBytes, Class<T> type)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = peer.fetchSmall(request.build(), maxBytes);
        if (answer.statusCode() != 200) {
            throw new PublisherException("status " + answer.statusCode());
        }
        return JSON.readValue(answer.body(), type);
    }

    /// Peers that do not answer, and files that were refused.
    public List<Condition> listFaults() {
        return faults.list();
    }

    /// Aborts requests in progress.
    @Override
    public void close() {
        tasks.forEach(BackgroundTask::close);
        peers.forEach(Publisher::close);
    }
}
