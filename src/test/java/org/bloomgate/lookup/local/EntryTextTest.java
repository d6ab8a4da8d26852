package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PhoneNumbers;
import org.junit.jupiter.api.Test;

class EntryTextTest {
    @Test
    void aPhoneNumberOfARegionNeedsNoCountryCode() throws EntryRefusedException {
        EntryText text = EntryText.of(KeyKind.PHONE, "030 12345678");
        assertEquals(
                "+493012345678", text.of(new PhoneNumbers(List.of("DE"))).key().text());
        assertThrows(EntryRefusedException.class, text.of(PhoneNumbers.INTERNATIONAL)::key);
    }

    @Test
    void aPublicSuffixIsNoEntryUnlessItStandsAlone() throws EntryRefusedException {
        String machine = "ec2-192-0-2-1.compute-1.amazonaws.com";
        assertEquals(machine, EntryText.of(KeyKind.DOMAIN, machine).key().text());
        EntryText region = EntryText.of(KeyKind.DOMAIN, "us-east-1.amazonaws.com");
        assertThrows(EntryRefusedException.class, region::key);
    }

    @Test
    void whatIsNoPhoneNumberStaysAsItIs() {
        EntryText text = EntryText.of(KeyKind.URL, "http://a.example/030 12345678");
        assertEquals(text, text.of(new PhoneNumbers(List.of("DE"))));
    }
}
