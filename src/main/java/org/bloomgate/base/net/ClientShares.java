package org.bloomgate.base.net;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// How much each client holds of what all of them share: sessions, connections, transactions. A client is an IPv4
/// address, or the /64 of an IPv6 address, as one subscriber has at least that many addresses; or the network of both,
/// a /24 or a /56.
///
/// Memory goes with what is held. Thread-safe.
public final class ClientShares {
    private final Map<Client, Integer> held = new HashMap<>();
    private final int hostBits;

    private record Client(boolean ipv6, long bits) {
        static Client of(InetAddress address, int hostBits) {
            byte[] bytes = address.getAddress();
            long bits = 0;
            for (int i = 0; i < Math.min(bytes.length, Long.BYTES); i++) {
                bits = (bits << Byte.SIZE) | (bytes[i] & 0xff);
            }
            return new Client(bytes.length > Integer.BYTES, bits >>> hostBits);
        }
    }

    public ClientShares() {
        this(0);
    }

    private ClientShares(int hostBits) {
        this.hostBits = hostBits;
    }

    /// A client is a /24, or a /56 of IPv6.
    public static ClientShares byNetwork() {
        return new ClientShares(Byte.SIZE);
    }

    /// Takes one more for this client, if that makes no more than `most`. What is taken must be given back.
    public boolean take(InetAddress address, int most) {
        return takeWithin(address, most, Duration.ZERO);
    }

    /// As [#take], and waits for the client to give something back. An interrupted thread does not wait.
    public synchronized boolean takeWithin(InetAddress address, int most, Duration patience) {
        Client client = Client.of(address, hostBits);
        long deadline = System.nanoTime() + patience.toNanos();
        while (held.getOrDefault(client, 0) >= most) {
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        held.merge(client, 1, Integer::sum);
        return true;
    }

    public synchronized void giveBack(InetAddress address) {
        held.computeIfPresent(Client.of(address, hostBits), (_, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }

    /// What this client holds.
    public synchronized int held(InetAddress address) {
        return held.getOrDefault(Client.of(address, hostBits), 0);
    }

    /// The clients that hold anything.
    public synchronized int clients() {
        return held.size();
    }
}
