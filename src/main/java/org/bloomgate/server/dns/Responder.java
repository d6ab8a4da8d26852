package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.lookup.lookup.Layer;
import org.bloomgate.lookup.lookup.LayerLease;
import org.bloomgate.lookup.lookup.LayerSource;
import org.bloomgate.lookup.lookup.TwoTierLookup;

/// Answers one question after the other: the contents page of the listener. Each thread has its own; what it
/// needs for a question is used again for the next.
final class Responder {
    /// Instead of a length: the query has to be answered on a thread that may wait for the exact tier.
    static final int SUSPECT = -1;

    private final Supplier<Rules> source;
    private final LayerSource layers;
    private final ListedParents parents;
    private final InstantSource clock;
    private final DnsCounts counts;
    private final Question question = new Question();
    private final Answer answer = new Answer();
    private final QueryName name = new QueryName();
    private final QueryAddress address = new QueryAddress();
    private final KeyBatch batch = new KeyBatch(8);
    private Rules rules;
    private Clients clients;
    private InForce inForce = InForce.NOTHING;
    private Transport transport = Transport.UDP;
    private long nowMillis;

    Responder(
            Supplier<Rules> source, LayerSource layers, ListedParents parents, InstantSource clock, DnsCounts counts) {
        this.source = source;
        this.layers = layers;
        this.parents = parents;
        this.clock = clock;
        this.counts = counts;
        this.rules = source.get();
        this.clients = new Clients(rules.clients());
    }

    /// The buffer of the answer; valid until the next query.
    byte[] bytes() {
        return answer.bytes();
    }

    /// Answers on a thread that must not wait.
    ///
    /// @return length of the answer, 0 for none, or [#SUSPECT]
    int answer(byte[] message, int length, InetAddress client, Transport through) {
        return answer(message, length, client, through, false);
    }

    /// Answers where one may wait for the exact tier.
    ///
    /// @return length of the answer, 0 for none
    int answerInTime(byte[] message, int length, InetAddress client, Transport through) {
        return answer(message, length, client, through, true);
    }

    private int answer(byte[] message, int length, InetAddress client, Transport through, boolean mayWait) {
        transport = through;
        nowMillis = clock.millis();
        useRules();
        return switch (question.read(message, length)) {
            case NOTHING -> {
                counts.ignored.increment();
                yield 0;
            }
            case FORMAT_ERROR -> unread(Rcode.FORMERR);
            case NOT_IMPLEMENTED -> unread(Rcode.NOTIMP);
            case READ -> read(client, mayWait);
        };
    }

    /// The rules of a configuration that was read meanwhile, and who may ask by them.
    @SuppressWarnings("ReferenceEquality")
    private void useRules() {
        Rules now = source.get();
        if (now != rules) {
            rules = now;
            clients = new Clients(now.clients());
        }
    }

    /// The SERVFAIL answer to the last query.
    int cannotSay(byte[] message, int length) {
        return question.read(message, length) == Question.Reading.READ
                ? refuse(Rcode.SERVFAIL, ExtendedError.NOT_READY)
                : 0;
    }

    /// "Ask by TCP", or nothing when it was no question.
    int slip(byte[] message, int length) {
        return question.read(message, length) == Question.Reading.READ ? answer.truncated(question) : 0;
    }

    private int read(InetAddress client, boolean mayWait) {
        if (!clients.permit(client)) {
            return refuse(Rcode.REFUSED, ExtendedError.PROHIBITED);
        } else if (question.ednsVersion() > 0) {
            return refuse(Rcode.BADVERS, ExtendedError.NONE);
        } else if (question.isTransfer()) {
            return refuse(Rcode.REFUSED, ExtendedError.NOT_SUPPORTED);
        } else if (!question.ofInternet()) {
            return refuse(Rcode.REFUSED, ExtendedError.NOT_AUTHORITATIVE);
        }
        List<Zone> zones = rules.zones();
        for (int i = 0; i < zones.size(); i++) {
            int label = zones.get(i).within(question);
            if (label >= 0) {
                return inZone(zones.get(i), label, mayWait);
            }
        }
        return refuse(Rcode.REFUSED, ExtendedError.NOT_AUTHORITATIVE);
    }

    private int inZone(Zone zone, int label, boolean mayWait) {
        try (LayerLease lease = layers.lease()) {
            inForce = inForce.of(lease);
            if (lease.layers().isEmpty()) {
                return withoutSnapshot(zone, label, ExtendedError.NOT_READY, lease);
            } else if (inForce.isOlderThan(rules.evaluator().maxSnapshotAge(), nowMillis)) {
                return withoutSnapshot(zone, label, ExtendedError.STALE, lease);
            }
            return inForce(zone, label, lease, mayWait);
        }
    }

    /// Entries of operators are always known; listings of snapshots are not.
    private int withoutSnapshot(Zone zone, int label, ExtendedError why, LayerLease lease) {
        LayerLease local = new ZoneCheck.WithoutLayers(lease);
        if (read(label) == QueryName.Form.NONSENSE || !anySuspect(zone, local)) {
            return refuse(Rcode.SERVFAIL, why);
        }
        return told(zone, label, ZoneCheck.ask(name, address, zone, local, lookup()), why, lease);
    }

    private int inForce(Zone zone, int label, LayerLease lease, boolean mayWait) {
        if (label == 0) {
            return apex(zone);
        }
        QueryName.Form form = read(label);
        if (isTestPoint(zone)) {
            return listed(zone, label, new ZoneCheck.Reported.Listed(List.of(zone.defaultCode()), List.of("test")));
        } else if (form == QueryName.Form.NONSENSE) {
            return denied(zone, label, Rcode.NXDOMAIN);
        } else if (!anySuspect(zone, lease)) {
            return notListed(zone, label, lease);
        }
        return mayWait || !asksElsewhere(lease)
                ? told(zone, label, ZoneCheck.ask(name, address, zone, lease, lookup()), ExtendedError.NOT_READY, lease)
                : SUSPECT;
    }

    private QueryName.Form read(int label) {
        address.read(question, label);
        return name.read(question, label);
    }

    private boolean isTestPoint(Zone zone) {
        return (zone.isOfNames() && name.isTestPoint()) || (zone.isOfAddresses() && address.isTestPoint());
    }

    private TwoTierLookup lookup() {
        return rules.evaluator().lookup();
    }

    private static boolean asksElsewhere(LayerLease lease) {
        for (Layer layer : lease.layers()) {
            if (layer.exact().asksElsewhere()) {
                return true;
            }
        }
        return false;
    }

    private boolean anySuspect(Zone zone, LayerLease lease) {
        batch.clear();
        if (zone.isOfNames()) {
            name.keys(lease.suffixes(), batch);
        }
        if (zone.isOfAddresses()) {
            address.keys(batch);
        }
        return lookup().anySuspect(batch, lease);
    }

    private int told(Zone zone, int label, ZoneCheck.Reported told, ExtendedError why, LayerLease lease) {
        return switch (told) {
            case ZoneCheck.Reported.Listed listed -> listed(zone, label, listed);
            case ZoneCheck.Reported.NotListed _ -> notListed(zone, label, lease);
            case ZoneCheck.Reported.CannotSay _ -> refuse(Rcode.SERVFAIL, why);
        };
    }

    private int apex(Zone zone) {
        int ttl = inForce.ttl(zone.negativeTtlSeconds(), nowMillis);
        switch (question.type()) {
            case RecordType.SOA, RecordType.ANY -> {
                answer.begin(question, true, true);
                answer.startOfAuthority(ttl, zone, inForce.serial());
            }
            case RecordType.NS -> {
                answer.begin(question, true, true);
                answer.nameServer(inForce.ttl(zone.ttlSeconds(), nowMillis), zone);
            }
            default -> {
                return denied(zone, 0, Rcode.NOERROR);
            }
        }
        return end(Rcode.NOERROR, ExtendedError.NONE);
    }

    /// ANY gets the addresses alone (RFC 8482).
    private int listed(Zone zone, int label, ZoneCheck.Reported.Listed told) {
        counts.listed.increment();
        int ttl = inForce.ttl(zone.ttlSeconds(), nowMillis);
        answer.begin(question, true, true);
        switch (question.type()) {
            case RecordType.A, RecordType.ANY -> told.codes().forEach(code -> answer.address(ttl, code));
            case RecordType.TXT ->
                told.categories()
                        .forEach(category -> zone.text(name.text(), category)
                                .ifPresent(text -> answer.text(ttl, text, text.length)));
            default -> {}
        }
        return answer.isEmpty() ? denied(zone, label, Rcode.NOERROR) : end(Rcode.NOERROR, ExtendedError.NONE);
    }

    private int notListed(Zone zone, int label, LayerLease lease) {
        boolean below = (zone.isOfNames() && parents.mayHaveListedBelow(name.bytes(), name.length(), lease))
                || (zone.isOfAddresses() && address.mayHaveListedBelow(lease));
        return denied(zone, label, below ? Rcode.NOERROR : Rcode.NXDOMAIN);
    }

    private int denied(Zone zone, int label, Rcode code) {
        answer.begin(question, true, true);
        answer.negative(
                question.label(label), inForce.ttl(zone.negativeTtlSeconds(), nowMillis), zone, inForce.serial());
        return end(code, ExtendedError.NONE);
    }

    private int refuse(Rcode code, ExtendedError why) {
        answer.begin(question, true, false);
        return end(code, why);
    }

    /// The answer to a message of which only the header was readable.
    private int unread(Rcode code) {
        answer.begin(question, false, false);
        return end(code, ExtendedError.NONE);
    }

    private int end(Rcode code, ExtendedError why) {
        counts.answered(transport, code);
        return answer.end(question, code, why, maxBytes());
    }

    private int maxBytes() {
        return switch (transport) {
            case TCP -> Answer.MAX_BYTES;
            case UDP ->
                question.edns()
                        ? Math.clamp(question.udpBytes(), Answer.PLAIN_UDP_BYTES, Answer.MAX_UDP_BYTES)
                        : Answer.PLAIN_UDP_BYTES;
        };
    }
}
