package org.bloomgate.content.mime;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is thrown while a message is inspected. The clock throws it: the allowance reads it now and then, wherever
/// the inspection just is.
class InspectionFaultTest {
    /// More work than between two readings of the clock.
    private static final String LONG = "word ".repeat(60_000);

    private static final Set<String> FAULT = Set.of("fault");

    static Stream<Throwable> faults() {
        return Stream.of(new IllegalStateException("x"), new StackOverflowError());
    }

    private static ReadMessage read(String message, Throwable fault) {
        return ReadMessage.of(
                message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8), FailingReader.once(fault));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void partThatFailsIsScannedRawAndTheOthersAreRead(Throwable fault) {
        ReadMessage read = read(
                "Content-Type: multipart/mixed; boundary=b\n\n"
                        + "--b\n"
                        + "Content-Type: text/html\n\n"
                        + "<a href=http://one.example/>"
                        + LONG + "<a href='http://two.example/'>\n--b\nContent-Type: text/html\n\n"
                        + "<a href=//three.example/>\n--b--\n",
                fault);
        assertEquals(FAULT, read.limits());
        assertTrue(read.holds("one.example"));
        assertTrue(read.holds(Place.RAW, "two.example"));
        assertTrue(read.holds(Place.LINK, "three.example"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void fieldThatFailsIsScannedRaw(Throwable fault) {
        String links = IntStream.range(0, 3_000)
                .mapToObj(i -> "http://x" + i + ".example/ ")
                .collect(joining());
        ReadMessage read = read("Subject: " + links + "http://one.example/\n\nhttp://two.example/\n", fault);
        assertEquals(FAULT, read.limits());
        assertTrue(read.holds(Place.TEXT, "x1.example"));
        assertTrue(read.holds(Place.RAW, "one.example"));
        assertTrue(read.holds(Place.TEXT, "two.example"));
    }

    @Test
    void messageWithoutAFaultNamesNone() {
        ReadMessage read = ReadMessage.text(LONG + "http://one.example/");
        assertFalse(read.limits().contains("fault"));
    }

    @Test
    void faultIsDescribedWithoutItsMessage() throws Exception {
        MessageReader reader = FailingReader.once(new IllegalStateException("a word of the mail"));
        Inspection inspection = reader.read(
                new ByteArrayInputStream(("\r\n" + LONG).getBytes(StandardCharsets.UTF_8)),
                PublicSuffixes.bundled(),
                Set.of(KeyKind.URL),
                new KeyBatch(),
                reader.createAllowance());
        String described = inspection.fault().orElseThrow();
        assertTrue(described.startsWith("java.lang.IllegalStateException at "), described);
        assertFalse(described.contains("word"), described);
    }

    @Test
    void faultOfTheStreamIsNoFaultOfTheMessage() {
        IllegalStateException broken = new IllegalStateException("broken");
        InputStream stream = new InputStream() {
            @Override
            public int read() {
                throw broken;
            }

            @Override
            public int read(byte[] target, int offset, int wanted) {
                throw broken;
            }
        };
        MessageReader reader = new MessageReader(MessageLimits.defaults());
        assertSame(
                broken,
                assertThrows(
                        IllegalStateException.class,
                        () -> reader.read(
                                stream,
                                PublicSuffixes.bundled(),
                                Set.of(KeyKind.URL),
                                new KeyBatch(),
                                reader.createAllowance())));
    }

    @Test
    void errorsOtherThanOfTheStackPass() {
        assertThrows(OutOfMemoryError.class, () -> read("\n" + LONG, new OutOfMemoryError()));
    }

    @Test
    void wideHostIsJudgedByItsRegistrableDomain() {
        ReadMessage read = ReadMessage.withoutFault(
                ("\r\nhttp://" + "\ufdfa".repeat(330) + ".listed.example/").getBytes(StandardCharsets.UTF_8));
        assertEquals(Set.of(), read.limits());
        assertTrue(read.keys() > 0);
    }

    @Test
    void bothPartsOfAMailCount() {
        Inspection sender = Inspection.failed(new IllegalStateException("x"));
        Inspection message = new Inspection(Set.of(Limit.PARTS), Optional.empty(), MessageSummary.NONE);
        assertEquals(Set.of(Limit.FAULT, Limit.PARTS), sender.and(message).limits());
        assertEquals(sender.fault(), message.and(sender).fault());
        assertEquals(message, Inspection.COMPLETE.and(message));
    }
}
