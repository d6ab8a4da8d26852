package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One message per row of the tables: every context and every trick, each with a host of its own.
class PlacesTest {

    static Stream<ExpectationTable> html() {
        return ExpectationTable.rows("html.table");
    }

    static Stream<ExpectationTable> text() {
        return ExpectationTable.rows("text.table");
    }

    static Stream<ExpectationTable> header() {
        return ExpectationTable.rows("header.table");
    }

    @ParameterizedTest
    @MethodSource
    void html(ExpectationTable row) {
        agrees(row, ReadMessage.html(row.text()));
    }

    @ParameterizedTest
    @MethodSource
    void text(ExpectationTable row) {
        agrees(row, ReadMessage.text(row.text()));
    }

    @ParameterizedTest
    @MethodSource
    void header(ExpectationTable row) {
        agrees(row, ReadMessage.header(row.text()));
    }

    private static void agrees(ExpectationTable row, ReadMessage read) {
        assertTrue(
                read.agrees(row.place(), row.host()),
                () -> row.host() + " at " + row.place() + " in " + row.text() + ": found " + read.identifiers());
        assertEquals(Set.of(), read.limits());
    }
}
