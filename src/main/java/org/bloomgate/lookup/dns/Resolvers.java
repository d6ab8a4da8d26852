package org.bloomgate.lookup.dns;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bloomgate.lookup.dns.DnsReply.Cause;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/// Queries resolvers over UDP with EDNS, over TCP if an answer was truncated. Every attempt has a random id and
/// a random port of its own (RFC 5452); if a resolver fails or is silent, the next one is used; a single
/// resolver is queried a second time.
///
/// Begins with the resolver that answered last, so that a dead one costs its timeout once. Hostile answers end as
/// [DnsReply.Failed]: they are read apart from the thread that serves the sockets.
final class Resolvers {
    /// Fits into every path's MTU (DNS flag day 2020).
    private static final int MAX_UDP_BYTES = 1232;

    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_LABEL_BYTES = 63;
    private static final Executor READING =
            reply -> Thread.ofVirtual().name("dns-reply").start(reply);

    private final List<Resolver> resolvers;

    /// The same without EDNS, for servers that do not know it.
    private final List<Resolver> plain;

    private final Duration timeout;
    private volatile int answering;

    Resolvers(List<InetSocketAddress> resolvers, Duration timeout) {
        this.resolvers = resolvers.stream()
                .map(address -> resolver(address, timeout, true))
                .toList();
        this.plain = resolvers.stream()
                .map(address -> resolver(address, timeout, false))
                .toList();
        this.timeout = timeout;
    }

    private static Resolver resolver(InetSocketAddress address, Duration timeout, boolean edns) {
        SimpleResolver resolver = new SimpleResolver(address);
        resolver.setTimeout(timeout);
        resolver.setIoClientFactory(UdpExchange.factory());
        resolver.setEDNS(edns ? 0 : -1, MAX_UDP_BYTES, 0, List.of());
        return resolver;
    }

    /// The answer, later; never exceptionally. What cannot be a name has no records, and no list can be asked about it.
    CompletableFuture<DnsReply> query(DnsQuestion question) {
        return record(question)
                .map(record -> attempt(question, record, answering, Math.max(2, resolvers.size())))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        question.zone().isEmpty()
                                ? new DnsReply.Absent(Duration.ZERO)
                                : new DnsReply.Failed(Cause.BOUND, "not queried: too long for a name")));
    }

    private CompletableFuture<DnsReply> attempt(DnsQuestion question, Record record, int resolver, int tries) {
        return exchange(record, resolver)
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .thenApply(response -> ReplyReader.read(response, question, record))
                .exceptionally(Resolvers::failed)
                .thenCompose(reply -> {
                    if (!(reply instanceof DnsReply.Failed)) {
                        answering = resolver;
                    } else if (tries > 1) {
                        return attempt(question, record, (resolver + 1) % resolvers.size(), tries - 1);
                    }
                    return CompletableFuture.completedFuture(reply);
                });
    }

    /// A server that answers FORMERR or NOTIMP is queried again without EDNS (RFC 6891, 7).
    private CompletableFuture<Message> exchange(Record question, int resolver) {
        return send(question, resolvers.get(resolver)).thenCompose(response -> switch (response.getRcode()) {
            case Rcode.FORMERR, Rcode.NOTIMP -> send(question, plain.get(resolver));
            default -> CompletableFuture.completedFuture(response);
        });
    }

    private static CompletableFuture<Message> send(Record question, Resolver resolver) {
        return CompletableFuture.completedFuture(Message.newQuery(question))
                .thenCompose(query -> resolver.sendAsync(query, READING));
    }

    private static DnsReply failed(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return switch (cause) {
            case TimeoutException _ -> new DnsReply.Failed(Cause.TIMEOUT, "silent: no answer in time");
            case IOException io ->
                new DnsReply.Failed(
                        Cause.ERROR, "not reached or unreadable: " + (io.getMessage() == null ? io : io.getMessage()));
            default -> new DnsReply.Failed(Cause.ERROR, "answer unusable: " + cause);
        };
    }

    /// Empty when the name is longer than a name can be, or holds what no name can.
    private static Optional<Record> record(DnsQuestion question) {
        ByteBuffer wire = ByteBuffer.allocate(MAX_NAME_BYTES);
        for (String label : question.name().split("\\.", -1)) {
            byte[] bytes = label.getBytes(StandardCharsets.UTF_8);
            if (bytes.length == 0 || bytes.length > MAX_LABEL_BYTES || bytes.length + 2 > wire.remaining()) {
                return Optional.empty();
            }
            wire.put((byte) bytes.length).put(bytes);
        }
        try {
            return Optional.of(Record.newRecord(
                    new Name(wire.put((byte) 0).array()),
                    Type.value(question.type().name()),
                    DClass.IN));
        } catch (IOException e) {
            throw new IllegalStateException("a name was written that cannot be read: " + question.name(), e);
        }
    }
}
