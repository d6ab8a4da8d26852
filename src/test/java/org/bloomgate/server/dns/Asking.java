package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Asks a responder as a client would: questions are made, and answers read, by a library of others.
final class Asking {
    static final RejectedCategories ALL_REJECT = category -> true;

    static final InetAddress CLIENT = InetAddress.ofLiteral("127.0.0.1");
    static final String ZONE = "dbl.example";

    final DnsCounts counts = new DnsCounts(new SimpleMeterRegistry());
    final ListedParents parents;
    private final Responder responder;

    Asking(ListedHosts hosts) {
        this(hosts, ZoneOptions.defaults());
    }

    Asking(ListedHosts hosts, ZoneOptions zone) {
        this(hosts, zone, Asking.ALL_REJECT, ListedHosts.CREATED.plusSeconds(60));
    }

    Asking(ListedHosts hosts, ZoneOptions zone, RejectedCategories refused, Instant now) {
        ActiveConfiguration configuration =
                ActiveConfiguration.of(with(Map.of(DnsName.of(ZONE), zone)), "mail.example", refused, evaluator());
        parents = new ListedParents(hosts);
        parents.checkNow();
        responder = new Responder(() -> configuration, hosts, parents, InstantSource.fixed(now), counts);
    }

    static DnsListenerOptions with(Map<DnsName, ZoneOptions> zones) {
        DnsListenerOptions shipped = DnsListenerOptions.defaults();
        return new DnsListenerOptions(shipped.listen(), shipped.clients(), zones, 0);
    }

    static MessageEvaluator evaluator() {
        return EvaluationRig.evaluator(
                new TwoTierLookup(Duration.ofSeconds(5), new LookupCounts()),
                new Policy(PolicyOptions.defaults(), Map.of("default", Action.TAG)),
                new MessageReader(MessageLimits.defaults()),
                Duration.ofDays(7),
                InstantSource.system());
    }

    static ZoneOptions zone(List<String> feeds, Map<String, String> codes, String text) {
        Map<String, ReturnCode> read = new java.util.HashMap<>();
        codes.forEach((category, code) -> read.put(category, ReturnCode.of(code)));
        return new ZoneOptions(java.util.Set.of(KeyKind.DOMAIN), feeds, read, Duration.ofMinutes(5), text);
    }

    static Message question(String name, int type) {
        try {
            return Message.newQuery(Record.newRecord(Name.fromString(name + "."), type, DClass.IN));
        } catch (TextParseException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    static Message withEdns(Message question, int udpBytes, int version) {
        question.addRecord(new OPTRecord(udpBytes, 0, version, 0), Section.ADDITIONAL);
        return question;
    }

    /// The bytes of the answer; none for silence. What may wait is asked where it may not before.
    byte[] bytes(byte[] question, InetAddress client, Transport transport) {
        int answered = responder.answer(question, question.length, client, transport);
        if (answered == Responder.SUSPECT) {
            answered = responder.answerBlocking(question, question.length, client, transport);
            assertTrue(answered >= 0);
        }
        return Arrays.copyOf(responder.bytes(), answered);
    }

    /// The bytes of the answer to a question over the limit.
    byte[] slip(byte[] question) {
        return Arrays.copyOf(responder.bytes(), responder.slip(question, question.length));
    }

    /// The bytes of "cannot say".
    byte[] servfail(byte[] question) {
        return Arrays.copyOf(responder.bytes(), responder.servfail(question, question.length));
    }

    Responder responder() {
        return responder;
    }

    Message ask(Message question) {
        return ask(question, CLIENT, Transport.UDP);
    }

    Message ask(Message question, InetAddress client, Transport transport) {
        Message answer = read(bytes(question.toWire(), client, transport));
        assertEquals(question.getHeader().getID(), answer.getHeader().getID());
        return answer;
    }

    static Message read(byte[] bytes) {
        try {
            Message answer = new Message(bytes);
            assertEquals(bytes.length, answer.numBytes(), "bytes behind the answer");
            return answer;
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /// Below the zone.
    Message ask(String host, int type) {
        return ask(question(host.isEmpty() ? ZONE : host + "." + ZONE, type));
    }

    /// Code and addresses, as in `NOERROR 127.0.0.2`.
    String address(String host) {
        return summary(ask(host, Type.A));
    }

    static String summary(Message answer) {
        StringBuilder text = new StringBuilder(org.xbill.DNS.Rcode.string(answer.getRcode()));
        answer.getSection(Section.ANSWER).stream()
                .map(Record::rdataToString)
                .sorted()
                .forEach(data -> text.append(' ').append(data));
        return text.toString();
    }

    /// The extended error, -1 for none.
    static int extendedError(Message answer) {
        OPTRecord opt = answer.getOPT();
        if (opt == null) {
            return -1;
        }
        return opt.getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR).stream()
                .map(ExtendedErrorCodeOption.class::cast)
                .mapToInt(ExtendedErrorCodeOption::getErrorCode)
                .findFirst()
                .orElse(-1);
    }
}
