package org.bloomgate.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;

/// What holds for any octets taken as a datagram: no answer, or one that a library of others reads to its last octet,
/// with the number of the question, not longer than a datagram may be, and never with an address when the question
/// could not be read.
public final class DnsFuzz {
    private static final Asking ASKING = new Asking(new ListedHosts()
            .lists("bad.example", "192.0.2.7")
            .fallsSilent("silent.example")
            .inForce());

    private DnsFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] octets) {
        if (octets.length > Question.MAX_OCTETS) {
            return;
        }
        for (Transport transport : Transport.values()) {
            byte[] answer = ASKING.octets(octets, Asking.CLIENT, transport);
            if (answer.length > 0) {
                check(octets, answer, transport);
            }
        }
    }

    private static void check(byte[] octets, byte[] answer, Transport transport) {
        Message read = Asking.read(answer);
        assertEquals(
                ((octets[0] & 0xff) << 8) | (octets[1] & 0xff), read.getHeader().getID());
        assertTrue((answer[2] & 0x80) != 0, "an answer says that it is one");
        assertTrue((octets[2] & 0x80) == 0, "an answer was answered");
        assertTrue(transport == Transport.TCP || answer.length <= Answer.MAX_UDP_BYTES);
        if (read.getRcode() != Rcode.NOERROR) {
            assertEquals(0, read.getHeader().getCount(1));
        }
    }
}
