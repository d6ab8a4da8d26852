package org.bloomgate.lists.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.lists.mirror.PublishedStateJson.PublishedGeneration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementJsonTest {
    private static final String GENERATION = "20261121T020305Z-09af";

    @Test
    void layersAndGenerationsAreReadAndTheRestIsLeftAlone() throws Exception {
        assertEquals(
                List.of(new PublishedGeneration(
                        "nightly", GENERATION, Optional.empty(), Optional.empty(), Optional.empty())),
                read("{\"version\":2,\"layers\":[{\"layer\":\"nightly\",\"generation\":\"" + GENERATION
                        + "\",\"manifest\":\"http://elsewhere.example/\"}]}"));
        assertEquals(List.of(), read("{\"layers\":[]}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"layers\":{}}",
                "{\"layers\":[1]}",
                "{\"layers\":[null]}",
                "{\"layers\":[{\"layer\":1,\"generation\":\"20261121T020305Z-09af\"}]}",
                "{\"layers\":[{\"generation\":\"20261121T020305Z-09af\"}]}",
                "{\"layers\":[{\"layer\":\"nightly\"}]}",
                "{\"layers\":[{\"layer\":\"../x\",\"generation\":\"20261121T020305Z-09af\"}]}",
                "{\"layers\":[{\"layer\":\"..\",\"generation\":\"20261121T020305Z-09af\"}]}",
                "{\"layers\":[{\"layer\":\"Nightly\",\"generation\":\"20261121T020305Z-09af\"}]}",
                "{\"layers\":[{\"layer\":\"nightly\",\"generation\":\"../20261121T020305Z-09af\"}]}",
                "{\"layers\":[{\"layer\":\"nightly\",\"generation\":\"20261121T020305Z-09af/..\"}]}",
                "{\"layers\":[{\"layer\":\"nightly\",\"layer\":\"x\",\"generation\":\"20261121T020305Z-09af\"}]}",
                "{\"layers\":[{\"layer\":\"a\",\"generation\":\"20261121T020305Z-09af\"},"
                        + "{\"layer\":\"a\",\"generation\":\"20261121T020305Z-09b0\"}]}"
            })
    void whatIsNoAnnouncementIsRefused(String json) {
        PublisherException refused = assertThrows(PublisherException.class, () -> read(json));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("current: "), refused::getMessage);
    }

    @Test
    void moreLayersThanAnyPublisherHasAreRefused() throws Exception {
        assertEquals(16, read(layers(16)).size());
        assertThrows(PublisherException.class, () -> read(layers(17)));
    }

    @Test
    void nestingWithoutEndIsRefused() {
        assertThrows(PublisherException.class, () -> read("[".repeat(PublishedStateParser.MAX_BYTES)));
    }

    private static String layers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"layer\":\"l" + i + "\",\"generation\":\"" + GENERATION + "\"}")
                .collect(Collectors.joining(",", "{\"layers\":[", "]}"));
    }

    private static List<PublishedGeneration> read(String json) throws PublisherException {
        return PublishedStateParser.read(json.getBytes(UTF_8));
    }
}
