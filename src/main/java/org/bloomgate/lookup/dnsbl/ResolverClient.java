package org.bloomgate.lookup.dnsbl;

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
import java.util.function.Function;
import java.util.function.Predicate;
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
final class ResolverClient implements DnsClient {
    /// Fits into every path's MTU (DNS flag day 2020).
    private static final int MAX_UDP_BYTES = 1232;

    /// The reason if no answer came in time.
    static final String SILENT = "zone silent: no answer in time";

    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_LABEL_BYTES = 63;
    private static final Executor READING =
            reply -> Thread.ofVirtual().name("dns-reply").start(reply);

    private final List<Resolver> resolvers;

    /// The same without EDNS, for servers that do not know it.
    private final List<Resolver> plain;

    private final Duration timeout;
    private volatile int answering;

    ResolverClient(List<InetSocketAddress> resolvers, Duration timeout) {
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

    @Override
    public CompletableFuture<DnsReply> query(String name) {
        Optional<Record> question = question(name, Type.A);
        if (question.isEmpty()) {
            return CompletableFuture.completedFuture(new DnsReply.Failed("zone not queried: too long for a name"));
        }
        return query(
                question.get(),
                response -> ReplyReader.read(response, question.get()),
                DnsReply.Failed::new,
                reply -> reply instanceof DnsReply.Failed);
    }

    /// Asks the resolvers in turn until one gives an answer that is not a failure.
    ///
    /// @param read turns a response, whose id is that of the question, into an answer
    /// @param failed turns a reason into an answer
    <T> CompletableFuture<T> query(
            Record question, Function<Message, T> read, Function<String, T> failed, Predicate<T> isFailure) {
        return attempt(question, read, failed, isFailure, answering, Math.max(2, resolvers.size()));
    }

    private <T> CompletableFuture<T> attempt(
            Record question,
            Function<Message, T> read,
            Function<String, T> failed,
            Predicate<T> isFailure,
            int resolver,
            int tries) {
        return exchange(question, resolver)
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .thenApply(read)
                .exceptionally(fault -> failed.apply(reason(fault)))
                .thenCompose(reply -> {
                    if (!isFailure.test(reply)) {
                        answering = resolver;
                    } else if (tries > 1) {
                        int next = (resolver + 1) % resolvers.size();
                        return attempt(question, read, failed, isFailure, next, tries - 1);
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

    private static String reason(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return switch (cause) {
            case TimeoutException _ -> SILENT;
            case IOException io ->
                "zone not reached or unreadable: " + (io.getMessage() == null ? io : io.getMessage());
            default -> "zone answer unusable: " + cause;
        };
    }

    /// Empty when it is longer than a name can be, or holds what no name can.
    static Optional<Record> question(String name, int type) {
        ByteBuffer wire = ByteBuffer.allocate(MAX_NAME_BYTES);
        for (String label : name.split("\\.", -1)) {
            byte[] bytes = label.getBytes(StandardCharsets.UTF_8);
            if (bytes.length == 0 || bytes.length > MAX_LABEL_BYTES || bytes.length + 2 > wire.remaining()) {
                return Optional.empty();
            }
            wire.put((byte) bytes.length).put(bytes);
        }
        try {
            return Optional.of(Record.newRecord(new Name(wire.put((byte) 0).array()), type, DClass.IN));
        } catch (IOException e) {
            throw new IllegalStateException("a name was written that cannot be read: " + name, e);
        }
    }
}
