package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.TwoTierLookup;

/// Answers queries, one after the other: the listener's table of contents. Each thread has its own; the buffers
/// are reused for the next query.
final class Responder {
    /// Instead of a length: the query has to be answered on a thread that may wait for the exact tier.
    static final int SUSPECT = -1;

    private final Supplier<ActiveConfiguration> source;
    private final LayerSource layers;
    private final ListedParents parents;
    private final InstantSource clock;
    private final DnsCounts counts;
    private final Question question = new Question();
    private final AnswerWriter answer = new AnswerWriter();
    private final QueryName name = new QueryName();
    private final QueryAddress address = new QueryAddress();
    private final KeyBatch batch = new KeyBatch(8);
    private ActiveConfiguration configuration;
    private Clients clients;
    private SnapshotTimes times = SnapshotTimes.NOTHING;
    private Transport transport = Transport.UDP;
    private long nowMillis;

    Responder(
            Supplier<ActiveConfiguration> source,
            LayerSource layers,
            ListedParents parents,
            InstantSource clock,
            DnsCounts counts) {
        this.source = source;
        this.layers = layers;
        this.parents = parents;
        this.clock = clock;
        this.counts = counts;
        this.configuration = source.get();
        this.clients = new Clients(configuration.clients());
    }

    /// The buffer of the answer; valid until the next query.
    byte[] bytes() {
        return answer.bytes();
    }

    /// Answers on a thread that must not wait.
    ///
    /// @return length of the answer, 0 for none, or [#SUSPECT]
    int answer(byte[] message, int length, InetAddress client, Transport queryTransport) {
        return answer(message, length, client, queryTransport, false);
    }

    /// Answers on a thread that may wait for the exact tier.
    ///
    /// @return length of the answer, 0 for none
    int answerBlocking(byte[] message, int length, InetAddress client, Transport queryTransport) {
        return answer(message, length, client, queryTransport, true);
    }

    private int answer(byte[] message, int length, InetAddress client, Transport queryTransport, boolean mayWait) {
        transport = queryTransport;
        nowMillis = clock.millis();
        useConfiguration();
        return switch (question.read(message, length)) {
            case NOTHING -> {
                counts.ignored.increment();
                yield 0;
            }
            case FORMAT_ERROR -> headerOnly(Rcode.FORMERR);
            case NOT_IMPLEMENTED -> headerOnly(Rcode.NOTIMP);
            case READ -> answerQuestion(client, mayWait);
        };
    }

    /// Switches to a configuration that was read meanwhile.
    @SuppressWarnings("ReferenceEquality")
    private void useConfiguration() {
        ActiveConfiguration now = source.get();
        if (now != configuration) {
            configuration = now;
            clients = new Clients(now.clients());
        }
    }

    /// The SERVFAIL answer to the last query.
    int servfail(byte[] message, int length) {
        return question.read(message, length) == Question.Reading.READ
                ? error(Rcode.SERVFAIL, ExtendedError.NOT_READY)
                : 0;
    }

    /// The truncated answer, which makes the client repeat the query by TCP; 0 if the message is not a query.
    int slip(byte[] message, int length) {
        return question.read(message, length) == Question.Reading.READ ? answer.writeTruncated(question) : 0;
    }

    private int answerQuestion(InetAddress client, boolean mayWait) {
        if (!clients.permit(client)) {
            return error(Rcode.REFUSED, ExtendedError.PROHIBITED);
        } else if (question.ednsVersion() > 0) {
            return error(Rcode.BADVERS, ExtendedError.NONE);
        } else if (question.isTransfer()) {
            return error(Rcode.REFUSED, ExtendedError.NOT_SUPPORTED);
        } else if (!question.ofInternet()) {
            return error(Rcode.REFUSED, ExtendedError.NOT_AUTHORITATIVE);
        }
        List<ServedZone> zones = configuration.zones();
        for (int i = 0; i < zones.size(); i++) {
            int label = zones.get(i).labelIn(question);
            if (label >= 0) {
                return inZone(zones.get(i), label, mayWait);
            }
        }
        return error(Rcode.REFUSED, ExtendedError.NOT_AUTHORITATIVE);
    }

    private int inZone(ServedZone zone, int label, boolean mayWait) {
        try (LayerLease lease = layers.lease()) {
            times = times.of(lease);
            if (lease.layers().isEmpty()) {
                return withoutSnapshot(zone, label, ExtendedError.NOT_READY, lease);
            } else if (times.isOlderThan(configuration.evaluator().rules().maxSnapshotAge(), nowMillis)) {
                return withoutSnapshot(zone, label, ExtendedError.STALE, lease);
            }
            return withSnapshot(zone, label, lease, mayWait);
        }
    }

    /// Answers from the operators' entries alone: without a snapshot nobody knows what else is listed.
    private int withoutSnapshot(ServedZone zone, int label, ExtendedError why, LayerLease lease) {
        LayerLease local = new ZoneCheck.WithoutLayers(lease);
        if (read(label) == QueryName.Form.NONSENSE || !anySuspect(zone, local)) {
            return error(Rcode.SERVFAIL, why);
        }
        return answer(zone, label, ZoneCheck.lookUp(name, address, zone, local, lookup()), why, lease);
    }

    private int withSnapshot(ServedZone zone, int label, LayerLease lease, boolean mayWait) {
        if (label == 0) {
            return apex(zone);
        }
        QueryName.Form form = read(label);
        if (isTestPoint(zone)) {
            return listed(zone, label, new ZoneCheck.Result.Listed(List.of(zone.defaultCode()), List.of("test")));
        } else if (form == QueryName.Form.NONSENSE) {
            return negative(zone, label, Rcode.NXDOMAIN);
        } else if (!anySuspect(zone, lease)) {
            return notListed(zone, label, lease);
        }
        return mayWait || !needsRemoteTier(lease)
                ? answer(
                        zone,
                        label,
                        ZoneCheck.lookUp(name, address, zone, lease, lookup()),
                        ExtendedError.NOT_READY,
                        lease)
                : SUSPECT;
    }

    private QueryName.Form read(int label) {
        address.read(question, label);
        return name.read(question, label);
    }

    private boolean isTestPoint(ServedZone zone) {
        return (zone.isOfNames() && name.isTestPoint()) || (zone.isOfAddresses() && address.isTestPoint());
    }

    private TwoTierLookup lookup() {
        return configuration.evaluator().lookup();
    }

    private static boolean needsRemoteTier(LayerLease lease) {
        for (Layer layer : lease.layers()) {
            if (layer.exact().mayQueryRemote()) {
                return true;
            }
        }
        return false;
    }

    private boolean anySuspect(ServedZone zone, LayerLease lease) {
        batch.clear();
        if (zone.isOfNames()) {
            name.keys(lease.suffixes(), batch);
        }
        if (zone.isOfAddresses()) {
            address.keys(batch);
        }
        return lookup().anySuspect(batch, lease);
    }

    private int answer(ServedZone zone, int label, ZoneCheck.Result result, ExtendedError why, LayerLease lease) {
        return switch (result) {
            case ZoneCheck.Result.Listed listed -> listed(zone, label, listed);
            case ZoneCheck.Result.NotListed _ -> notListed(zone, label, lease);
            case ZoneCheck.Result.Unresolved _ -> error(Rcode.SERVFAIL, why);
        };
    }

    private int apex(ServedZone zone) {
        int ttl = times.ttl(zone.negativeTtlSeconds(), nowMillis);
        switch (question.type()) {
            case RecordType.SOA, RecordType.ANY -> {
                answer.begin(question, true, true);
                answer.addStartOfAuthority(ttl, zone, times.serial());
            }
            case RecordType.NS -> {
                answer.begin(question, true, true);
                answer.addNameServer(times.ttl(zone.ttlSeconds(), nowMillis), zone);
            }
            default -> {
                return negative(zone, 0, Rcode.NOERROR);
            }
        }
        return end(Rcode.NOERROR, ExtendedError.NONE);
    }

    /// A query for ANY gets only the addresses (RFC 8482).
    private int listed(ServedZone zone, int label, ZoneCheck.Result.Listed result) {
        counts.listed.increment();
        int ttl = times.ttl(zone.ttlSeconds(), nowMillis);
        answer.begin(question, true, true);
        switch (question.type()) {
            case RecordType.A, RecordType.ANY -> result.codes().forEach(code -> answer.addAddress(ttl, code));
            case RecordType.TXT ->
                result.categories()
                        .forEach(category -> zone.text(name.text(), category)
                                .ifPresent(text -> answer.addText(ttl, text, text.length)));
            default -> {}
        }
        return answer.isEmpty() ? negative(zone, label, Rcode.NOERROR) : end(Rcode.NOERROR, ExtendedError.NONE);
    }

    private int notListed(ServedZone zone, int label, LayerLease lease) {
        boolean mayHaveListedBelow =
                (zone.isOfNames() && parents.mayHaveListedBelow(name.bytes(), name.length(), lease))
                        || (zone.isOfAddresses() && address.mayHaveListedBelow(lease));
        return negative(zone, label, mayHaveListedBelow ? Rcode.NOERROR : Rcode.NXDOMAIN);
    }

    private int negative(ServedZone zone, int label, Rcode code) {
        answer.begin(question, true, true);
        answer.addNegativeSoa(
                question.label(label), times.ttl(zone.negativeTtlSeconds(), nowMillis), zone, times.serial());
        return end(code, ExtendedError.NONE);
    }

    private int error(Rcode code, ExtendedError why) {
        answer.begin(question, true, false);
        return end(code, why);
    }

    /// The answer to a message of which only the header could be parsed.
    private int headerOnly(Rcode code) {
        answer.begin(question, false, false);
        return end(code, ExtendedError.NONE);
    }

    private int end(Rcode code, ExtendedError why) {
        counts.countAnswer(transport, code);
        return answer.end(question, code, why, maxBytes());
    }

    private int maxBytes() {
        return switch (transport) {
            case TCP -> AnswerWriter.MAX_BYTES;
            case UDP ->
                question.edns()
                        ? Math.clamp(question.udpBytes(), AnswerWriter.DEFAULT_UDP_BYTES, AnswerWriter.MAX_UDP_BYTES)
                        : AnswerWriter.DEFAULT_UDP_BYTES;
        };
    }
}
