package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.bloomgate.core.text.TextForms;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Reads a response that came for a question. Strict: an answer section of anything but addresses of the very name,
/// or a denial that another server would have to make (a referral, a start of authority the name is not below),
/// proves nothing. Aliases are such: no zone of listings answers with one, but a resolver that leads astray does.
final class ReplyReader {
    /// A TTL with the highest bit set counts as zero (RFC 2181, 8).
    private static final long MAX_TTL = Integer.MAX_VALUE;

    private final Message response;
    private final Record question;

    private ReplyReader(Message response, Record question) {
        this.response = response;
        this.question = question;
    }

    /// @param response whose id was found to be that of the question
    static DnsReply read(Message response, Record question) {
        return new ReplyReader(response, question).read();
    }

    private DnsReply read() {
        Optional<String> fault = fault();
        if (fault.isPresent()) {
            return new DnsReply.Failed("zone answer unusable: " + fault.get());
        }
        List<Record> answers = response.getSection(Section.ANSWER);
        return switch (response.getRcode()) {
            case Rcode.NOERROR -> answers.isEmpty() ? denial() : addresses(answers);
            case Rcode.NXDOMAIN -> answers.isEmpty() ? denial() : unusable("records of a name that does not exist");
            default -> new DnsReply.Failed("zone answer is an error: " + Rcode.string(response.getRcode()));
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

    private DnsReply addresses(List<Record> answers) {
        SortedSet<String> addresses = new TreeSet<>();
        long ttl = MAX_TTL;
        for (Record answer : answers) {
            if (!(answer instanceof ARecord a)
                    || !answer.getName().equals(question.getName())
                    || answer.getDClass() != DClass.IN) {
                return unusable(Type.string(answer.getType()) + " beside or for an address");
            }
            addresses.add(a.getAddress().getHostAddress());
            ttl = Math.min(ttl, ttl(answer));
        }
        return new DnsReply.Addresses(addresses, Duration.ofSeconds(ttl));
    }

    /// RFC 2308, 2 and 5.
    private DnsReply denial() {
        boolean referral = false;
        for (Record record : response.getSection(Section.AUTHORITY)) {
            if (record instanceof SOARecord soa) {
                return isAbove(soa.getName())
                        ? new DnsReply.Absent(Duration.ofSeconds(Math.min(ttl(soa), soa.getMinimum())))
                        : unusable("denied by " + soa.getName());
            }
            referral |= record.getType() == Type.NS;
        }
        return referral && response.getRcode() == Rcode.NOERROR
                ? unusable("a referral")
                : new DnsReply.Absent(Duration.ZERO);
    }

    private boolean isAbove(Name name) {
        return question.getName().subdomain(name);
    }

    private static long ttl(Record record) {
        return record.getTTL() > MAX_TTL ? 0 : record.getTTL();
    }

    private static DnsReply unusable(String why) {
        return new DnsReply.Failed("zone answer unusable: " + TextForms.lowerCase(why));
    }
}
