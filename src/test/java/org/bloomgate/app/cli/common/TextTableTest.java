package org.bloomgate.app.cli.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.bloomgate.app.cli.common.TextTable.Column;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private record Row(String name, long count) {}

    private static final List<Row> ROWS = List.of(new Row("a", 1_234), new Row("longer", 5));
    private static final List<Column<Row>> COLUMNS =
            List.of(Column.word("name", Row::name), Column.count("count", Row::count));

    @Test
    void lines_haveHeadingsAndAlignedCells() {
        assertEquals(List.of("name    count", "a       1,234", "longer      5"), TextTable.lines(ROWS, COLUMNS));
    }

    @Test
    void terminal_limitsTheWidth() {
        assertEquals(List.of("12345", "1234…"), TextTable.cut(List.of("12345", "123456"), 5));
    }

    @Test
    void pipe_getsWholeValuesBetweenTabs() {
        assertEquals(List.of("a\t1234", "longer\t5"), TextTable.list(ROWS, COLUMNS));
    }
}
