package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.content.mime.HostileShapes.Row;
import org.bloomgate.content.mime.HostileShapes.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HostileShapesTest {
    private static final int BYTES = 1_000_000;

    /// Rows that end with the limit `work`.
    private static final Set<String> TO_THE_BUDGET = Set.of("powershell-cross-referenced", "codes-interlaced");

    /// The worst of a kind first.
    private static final List<Shape> WORST = List.of(Shape.CROSS_REFERENCED, Shape.INTERLACED, Shape.MANY_SMALL);

    static Stream<Row> rows() {
        Map<String, List<Row>> byKind = HostileShapes.all().stream()
                .filter(row -> row.reason().isEmpty())
                .collect(Collectors.groupingBy(Row::kind));
        return byKind.values().stream().map(HostileShapesTest::worst);
    }

    private static Row worst(List<Row> ofKind) {
        return WORST.stream()
                .flatMap(shape -> ofKind.stream().filter(row -> row.shape() == shape))
                .findFirst()
                .orElseThrow();
    }

    /// The pictures of the package `image` are one kind here.
    @Test
    void everyKindOfContent_hasEveryShape() throws ClassNotFoundException {
        Set<String> kinds = new TreeSet<>();
        Arrays.stream(PartKind.values()).map(PartKind::name).forEach(kinds::add);
        kinds.remove(PartKind.PICTURE.name());
        for (Object format :
                Class.forName("org.bloomgate.content.image.PictureFormat").getEnumConstants()) {
            kinds.add(format.toString());
        }
        kinds.addAll(HostileShapes.READERS);
        List<String> wanted = new ArrayList<>();
        kinds.forEach(kind -> Arrays.stream(Shape.values()).forEach(shape -> wanted.add(kind + shape)));
        assertEquals(
                wanted.stream().sorted().toList(),
                HostileShapes.all().stream()
                        .map(row -> row.kind() + row.shape())
                        .sorted()
                        .toList());
    }

    @Test
    void shapeWithoutMeaning_isRare() {
        long without = HostileShapes.all().stream()
                .filter(row -> !row.reason().isEmpty())
                .count();
        assertTrue(without * 4 <= HostileShapes.all().size(), () -> without + " rows");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void rowOfKind_staysWithinItsWork(Row row) {
        ReadMessage read = ReadMessage.withoutFault(row.message().apply(BYTES));
        assertEquals(TO_THE_BUDGET.contains(row.name()), read.limits().contains("work"), row.name());
    }
}
