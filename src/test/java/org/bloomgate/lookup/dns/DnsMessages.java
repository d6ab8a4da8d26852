package org.bloomgate.lookup.dns;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Responses for tests.
public final class DnsMessages {
    private DnsMessages() {}

    public static Name name(String text) {
        try {
            return Name.fromString(text.endsWith(".") ? text : text + ".");
        } catch (TextParseException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    public static Message query(String name) {
        return Message.newQuery(Record.newRecord(name(name), Type.A, DClass.IN));
    }

    /// An authoritative response without records.
    public static Message response(Message query, int rcode) {
        Message response = new Message(query.getHeader().getID());
        response.getHeader().setFlag(Flags.QR);
        response.getHeader().setFlag(Flags.AA);
        response.getHeader().setRcode(rcode);
        response.addRecord(query.getQuestion(), Section.QUESTION);
        return response;
    }

    public static Message addresses(Message query, long ttl, String... addresses) {
        Message response = response(query, Rcode.NOERROR);
        for (String address : addresses) {
            response.addRecord(a(query.getQuestion().getName(), ttl, address), Section.ANSWER);
        }
        return response;
    }

    public static ARecord a(Name name, long ttl, String address) {
        try {
            return new ARecord(name, DClass.IN, ttl, InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// With the start of authority of a zone, whose TTL and minimum these are.
    public static Message denial(Message query, int rcode, String zone, long ttl) {
        Message response = response(query, rcode);
        response.addRecord(soa(zone, ttl, ttl), Section.AUTHORITY);
        return response;
    }

    public static SOARecord soa(String zone, long ttl, long minimum) {
        return new SOARecord(
                name(zone), DClass.IN, ttl, name("ns.example"), name("admin.example"), 1, 1, 1, 1, minimum);
    }
}
