package org.bloomgate.lookup.dns;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lookup.dns.DnsReply.Cause;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/// Reads a response that came for a question. A denial that another server would have to make (a referral, a start of
/// authority the name is not below) proves nothing.
///
/// Of a list the answer section must hold nothing but addresses of the very name: no list answers with an alias, but a
/// resolver that leads astray does. For other names aliases are followed within the response.
final class ReplyReader {
    static final int MAX_ALIASES = 8;

    /// Characters of a record; a longer one is ignored.
    static final int MAX_VALUE_CHARS = 8 * 1024;

    /// A TTL with the highest bit set counts as zero (RFC 2181, 8).
    private static final long MAX_TTL = Integer.MAX_VALUE;

    private final Message response;
    private final Record question;
    private final List<Record> answers;

    private ReplyReader(Message response, Record question) {
        this.response = response;
        this.question = question;
        this.answers = response.getSection(Section.ANSWER);
    }

    /// @param response whose id was found to be that of the question
    /// @param record the question as it was sent
    static DnsReply read(Message response, DnsQuestion question, Record record) {
        return new ReplyReader(response, record).read(!question.zone().isEmpty());
    }

    private DnsReply read(boolean ofList) {
        Optional<String> fault = fault();
        if (fault.isPresent()) {
            return unusable(fault.get());
        }
        return switch (response.getRcode()) {
            case Rcode.NOERROR, Rcode.NXDOMAIN -> {
                Optional<Record> stray = ofList
                        ? answers.stream()
                                .filter(answer -> !isOf(question.getName(), answer))
                                .findFirst()
                        : Optional.empty();
                yield stray.map(answer -> unusable(Type.string(answer.getType()) + " beside or for an address"))
                        .orElseGet(this::records);
            }
            default -> new DnsReply.Failed(Cause.ERROR, "answer is an error: " + Rcode.string(response.getRcode()));
        };
    }

    private Optional<String> fault() {
        Header header = response.getHeader();
        if (!header.getFlag(Flags.QR) || header.getOpcode() != Opcode.QUERY) {
            return Optional.of("not a response to a query");
        }
        if (!response.getSection(Section.QUESTION).equals(List.of(question))) {
            return Optional.of("to another question");
        }
        if (header.getFlag(Flags.TC)) {
            return Optional.of("cut short");
        }
        return header.getFlag(Flags.AA) || header.getFlag(Flags.RA)
                ? Optional.empty()
                : Optional.of("neither authoritative nor from a resolver");
    }

    private boolean isOf(Name name, Record answer) {
        return answer.getName().equals(name)
                && answer.getType() == question.getType()
                && answer.getDClass() == DClass.IN;
    }

    private DnsReply records() {
        Name name = question.getName();
        long ttl = MAX_TTL;
        for (int i = 0; i <= MAX_ALIASES; i++) {
            SortedSet<String> values = new TreeSet<>();
            Optional<CNAMERecord> alias = Optional.empty();
            for (Record answer : answers) {
                if (isOf(name, answer)) {
                    values.add(value(answer));
                    ttl = Math.min(ttl, ttl(answer));
                } else if (answer.getName().equals(name) && answer instanceof CNAMERecord cname) {
                    alias = Optional.of(cname);
                    ttl = Math.min(ttl, ttl(answer));
                }
            }
            values.removeIf(value -> value.length() > MAX_VALUE_CHARS);
            if (!values.isEmpty()) {
                return response.getRcode() == Rcode.NXDOMAIN
                        ? unusable("records of a name that does not exist")
                        : new DnsReply.Found(List.copyOf(values), Duration.ofSeconds(ttl));
            }
            if (alias.isEmpty()) {
                return denial(name);
            }
            name = alias.get().getTarget();
        }
        return unusable("more than " + MAX_ALIASES + " aliases");
    }

    private static String value(Record record) {
        return switch (record) {
            case ARecord address -> address.getAddress().getHostAddress();
            case AAAARecord address -> address.getAddress().getHostAddress();
            case MXRecord mx -> mx.getPriority() + " " + mx.getTarget().toString(true);
            case PTRRecord pointer -> pointer.getTarget().toString(true);
            case TXTRecord text ->
                text.getStringsAsByteArrays().stream()
                        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                        .collect(Collectors.joining());
            default -> throw new IllegalArgumentException(Type.string(record.getType()));
        };
    }

    /// RFC 2308, 2 and 5.
    private DnsReply denial(Name name) {
        boolean referral = false;
        for (Record record : response.getSection(Section.AUTHORITY)) {
            if (record instanceof SOARecord soa) {
                return name.subdomain(soa.getName())
                        ? new DnsReply.Absent(Duration.ofSeconds(Math.min(ttl(soa), soa.getMinimum())))
                        : unusable("denied by " + soa.getName());
            }
            referral |= record.getType() == Type.NS;
        }
        return referral && response.getRcode() == Rcode.NOERROR
                ? unusable("a referral")
                : new DnsReply.Absent(Duration.ZERO);
    }

    private static long ttl(Record record) {
        return record.getTTL() > MAX_TTL ? 0 : record.getTTL();
    }

    private static DnsReply unusable(String why) {
        return new DnsReply.Failed(Cause.ERROR, "answer unusable: " + TextForms.lowerCase(why));
    }
}
