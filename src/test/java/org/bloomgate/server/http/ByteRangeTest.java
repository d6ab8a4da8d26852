package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

    @ParameterizedTest
    @CsvSource({
        "bytes=0-, 0, 100",
        "bytes=0-0, 0, 1",
        "bytes=10-19, 10, 10",
        "bytes=99-, 99, 1",
        "bytes=90-1000, 90, 10",
        "bytes=0-999999999999999999, 0, 100",
        "bytes=-1, 99, 1",
        "bytes=-100, 0, 100",
        "bytes=-101, 0, 100",
    })
    void oneRangeIsCutToTheFile(String field, long first, long length) {
        assertEquals(Optional.of(new ByteRange(first, length)), ByteRange.parse(field, 100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=100-", "bytes=100-200", "bytes=999999999999999999-", "bytes=-0"})
    void aRangeTheFileDoesNotHaveIsNotSatisfiable(String field) {
        assertFalse(ByteRange.parse(field, 100).orElseThrow().isSatisfiable());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=a-",
                "bytes=0-1,5-6",
                "octets=0-1",
                "bytes=5-4",
                "bytes= 0-1",
                "bytes=0-1 2",
                "bytes=--1",
                "bytes=9999999999999999999-"
            })
    void whatIsNotOneRangeIsIgnored(String field) {
        assertEquals(Optional.empty(), ByteRange.parse(field, 100));
    }

    @Test
    void anEmptyFileHasNoRange() {
        assertFalse(ByteRange.parse("bytes=0-", 0).orElseThrow().isSatisfiable());
        assertFalse(ByteRange.parse("bytes=-5", 0).orElseThrow().isSatisfiable());
    }

    @Test
    void tagsAreComparedStronglyForARangeAndWeaklyForAChange() {
        EntityTag tag = new EntityTag("ab");
        assertTrue(tag.isThis("\"ab\""));
        assertFalse(tag.isThis("W/\"ab\""));
        assertFalse(tag.isThis("Sat, 21 Nov 2026 02:03:05 GMT"));
        assertTrue(tag.isAmong("\"x\", W/\"ab\""));
        assertTrue(tag.isAmong("*"));
        assertFalse(tag.isAmong("ab"));
        assertFalse(tag.isAmong(""));
    }
}
