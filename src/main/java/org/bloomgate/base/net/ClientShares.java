package org.bloomgate.base.net;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Counts how many sessions, connections or transactions each client has, and bounds them. A client is an IPv4
/// address, or the /64 of an IPv6 address, as one subscriber has at least that many addresses; with
/// [#byNetwork], it is a /24 or a /56.
///
/// Memory is used only for clients with a count above 0. Thread-safe.
public final class ClientShares {
    private final Map<ClientKey, Integer> counts = new HashMap<>();
    private final int hostBits;

    private record ClientKey(boolean ipv6, long bits) {
        static ClientKey of(InetAddress address, int hostBits) {
            byte[] bytes = address.getAddress();
            long bits = 0;
            for (int i = 0; i < Math.min(bytes.length, Long.BYTES); i++) {
                bits = (bits << Byte.SIZE) | (bytes[i] & 0xff);
            }
            return new ClientKey(bytes.length > Integer.BYTES, bits >>> hostBits);
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

    /// Counts one more for this client, unless it has `most` already. It must be given back.
    public boolean take(InetAddress address, int most) {
        return takeWithin(address, most, Duration.ZERO);
    }

    /// Like [#take], and waits for the client to give one back. An interrupted thread does not wait.
    public synchronized boolean takeWithin(InetAddress address, int most, Duration patience) {
        ClientKey client = ClientKey.of(address, hostBits);
        long deadline = System.nanoTime() + patience.toNanos();
        while (counts.getOrDefault(client, 0) >= most) {
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
        counts.merge(client, 1, Integer::sum);
        return true;
    }

    public synchronized void giveBack(InetAddress address) {
        counts.computeIfPresent(ClientKey.of(address, hostBits), (_, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }

    /// The count of this client.
    public synchronized int held(InetAddress address) {
        return counts.getOrDefault(ClientKey.of(address, hostBits), 0);
    }

    /// The number of clients with a count above 0.
    public synchronized int clients() {
        return counts.size();
    }
}
