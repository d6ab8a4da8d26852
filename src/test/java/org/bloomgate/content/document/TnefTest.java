package org.bloomgate.content.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TnefTest {
    private static final int TEXT = 0x1e;
    private static final int BODY = 0x1000;

    /// One attribute of properties, each a text of one value.
    private static Found read(int count, int... typesAndIds) {
        byte[] text = "http://evil.example/".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer properties =
                ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN).putInt(count);
        for (int i = 0; i < typesAndIds.length; i += 2) {
            properties.putShort((short) typesAndIds[i]).putShort((short) typesAndIds[i + 1]);
            properties.putInt(1).putInt(text.length).put(text);
        }
        ByteBuffer tnef = ByteBuffer.allocate(2000).order(ByteOrder.LITTLE_ENDIAN);
        tnef.put(Tnef.MAGIC.getBytes(StandardCharsets.ISO_8859_1)).putShort((short) 0);
        tnef.put((byte) 1).putInt(0x69003).putInt(properties.position());
        tnef.put(properties.flip()).putShort((short) 0);
        Found found = new Found();
        Tnef.read(tnef.array(), tnef.position(), found);
        return found;
    }

    @Test
    void aBodyIsRead() {
        Found found = read(1, TEXT, BODY);
        assertEquals(List.of("http://evil.example/"), found.texts);
        assertEquals(Set.of(), found.limits);
    }

    @Test
    void propertiesBehindOneOfUnknownTypeAreOpaque() {
        assertEquals(Set.of("opaque"), read(2, 0x99, BODY, TEXT, BODY).limits);
    }

    @Test
    void fewerPropertiesThanAnnouncedAreOpaque() {
        assertEquals(Set.of("opaque"), read(9, TEXT, BODY).limits);
    }
}
