package org.bloomgate.lookup.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.bloomgate.RecordCopy;

/// A real cluster of primaries without replicas, which keeps nothing on disk but who has which slots: a server that
/// is killed comes back empty.
public final class LoopbackCluster implements AutoCloseable {
    static final int SLOTS = 16_384;
    private static final StringCodec LATIN1 = new StringCodec(StandardCharsets.ISO_8859_1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// The bus of a server listens 10,000 ports above; below those the system gives to outgoing connections.
    private static final int FIRST_PORT = 10_000;

    private static final int BUS = 10_000;

    private final Path folder;
    private final String binary;
    private final List<Integer> ports;
    private final Map<Integer, Process> servers = new HashMap<>();
    private final RedisClient client = RedisClient.create();

    private LoopbackCluster(Path folder, int primaries) throws Exception {
        this.folder = folder;
        this.binary = ServerBinary.in(folder);
        this.ports = freePorts(primaries);
    }

    /// Starts servers and waits until every slot is served.
    public static LoopbackCluster start(Path folder, int primaries) throws Exception {
        LoopbackCluster cluster = new LoopbackCluster(folder, primaries);
        try {
            for (int server = 0; server < primaries; server++) {
                cluster.start(server);
            }
            cluster.join();
            cluster.awaitWhole();
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        Random random = new Random();
        List<Integer> ports = new ArrayList<>();
        for (int tries = 0; ports.size() < count; tries++) {
            int port = FIRST_PORT + random.nextInt(BUS);
            if (!ports.contains(port) && isFree(port) && isFree(port + BUS)) {
                ports.add(port);
            }
            if (tries > 1_000) {
                throw new IOException("no free ports between " + FIRST_PORT + " and " + (FIRST_PORT + 2 * BUS));
            }
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /// Starts a server that does not run.
    void start(int server) throws Exception {
        int port = ports.get(server);
        Path home = Files.createDirectories(folder.resolve("server-" + server));
        Process process = new ProcessBuilder(
                        binary,
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        home.toString(),
                        "--save",
                        "",
                        "--cluster-enabled",
                        "yes",
                        "--cluster-node-timeout",
                        "1000",
                        "--cluster-require-full-coverage",
                        "no")
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
        servers.put(server, process);
        await("server " + server, () -> ask(server, redis -> redis.ping().equals("PONG")));
    }

    private void join() throws Exception {
        int share = SLOTS / ports.size();
        for (int server = 0; server < ports.size(); server++) {
            int first = server * share;
            int end = server == ports.size() - 1 ? SLOTS : first + share;
            int epoch = server + 1;
            ask(server, redis -> {
                redis.clusterAddSlots(IntStream.range(first, end).toArray());
                redis.clusterSetConfigEpoch(epoch);
                return redis.clusterMeet("127.0.0.1", ports.getFirst());
            });
        }
    }

    /// Waits until every server knows who serves every slot.
    void awaitWhole() throws Exception {
        await(
                "cluster",
                () -> IntStream.range(0, ports.size())
                        .allMatch(server -> isWhole(ask(server, RedisCommands::clusterInfo))));
    }

    /// A primary that was away takes its part two seconds after it is back.
    private static boolean isWhole(String info) {
        return info.contains("cluster_slots_ok:" + SLOTS) && info.contains("cluster_state:ok");
    }

    /// As by `kill -9`.
    void kill(int server) throws InterruptedException {
        Process process = Objects.requireNonNull(servers.remove(server), "it does not run");
        process.destroyForcibly().waitFor();
    }

    int size() {
        return ports.size();
    }

    /// The server that has a slot.
    int serverOf(int slot) {
        return Math.min(slot / (SLOTS / ports.size()), ports.size() - 1);
    }

    public List<String> nodes() {
        return ports.stream().map(port -> "127.0.0.1:" + port).toList();
    }

    RedisOptions options() {
        return RecordCopy.with(RedisOptions.defaults(), "nodes", nodes());
    }

    /// Something to ask one server.
    @FunctionalInterface
    interface Question<T> {
        T of(RedisCommands<String, String> redis);
    }

    <T> T ask(int server, Question<T> question) {
        RedisURI uri = RedisURI.create("127.0.0.1", ports.get(server));
        try (var connection = client.connect(LATIN1, uri)) {
            return question.of(connection.sync());
        }
    }

    /// Waits for something to become true; a server that cannot be asked yet is none.
    static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited in vain for " + what);
            }
            Thread.onSpinWait();
        }
    }

    private static boolean holds(Callable<Boolean> condition) throws Exception {
        try {
            return condition.call();
        } catch (RedisException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        servers.values().forEach(Process::destroyForcibly);
        servers.values().forEach(server -> server.onExit().join());
    }
}
