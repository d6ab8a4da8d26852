package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DescriptorsTest {
    @Test
    void aBoundIsLoweredToItsPartOfTheDescriptors() {
        assertEquals(450, Descriptors.SMTP.fit(8192, 1000));
        assertEquals(200, Descriptors.HTTP.fit(2048, 1000));
    }

    @Test
    void aBoundThatFitsStays() {
        assertEquals(450, Descriptors.SMTP.fit(450, 1000));
        assertEquals(2048, Descriptors.HTTP.fit(2048, Long.MAX_VALUE / 100));
    }

    @Test
    void thereIsAtLeastOne() {
        assertEquals(1, Descriptors.HTTP.fit(2048, 3));
    }
}
