package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The check of a scrape finds what Prometheus would stumble over.
class ExpositionTest {
    private static final String RIGHT = """
            # HELP a_total some
            # TYPE a_total counter
            a_total{x="1"} 1.0
            a_total{x="a\\"b"} 2.0
            # HELP h_seconds some
            # TYPE h_seconds histogram
            h_seconds_bucket{s="x",le="0.1"} 1
            h_seconds_bucket{s="x",le="+Inf"} 2
            h_seconds_count{s="x"} 2
            h_seconds_sum{s="x"} 0.3
            """;

    @Test
    void whatIsRightHasNoFault() {
        assertEquals(List.of(), Exposition.of(RIGHT).faults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HELP a_total some | HELP a_total | no help",
                "# HELP a_total some | # other | without help",
                "TYPE a_total counter | TYPE a_total count | type",
                "TYPE h_seconds histogram | TYPE h_seconds histogram;h_seconds_sum{s=\"x\"} 0.3 | a series twice",
                "a_total{x=\"1\"} 1.0 | b_total{x=\"1\"} 1.0 | outside of its family",
                "{x=\"1\"} | {1=\"1\"} | labels",
                "TYPE a_total counter | TYPE a_total gauge | no counter",
                "le=\"0.1\"} 1 | le=\"0.1\"} 3 | not cumulative",
                "le=\"+Inf\"} 2 | le=\"5\"} 2 | no +Inf",
                "_count{s=\"x\"} 2 | _count{s=\"x\"} 4 | +Inf is not the count",
                "a_total{x=\"1\"} 1.0 | a_total{x=\"1\"} one | no sample",
            })
    void whatIsWrongIsNamed(String right, String wrong, String fault) {
        String text = RIGHT.replace(right, wrong.replace(';', '\n'));
        List<String> faults = Exposition.of(text).faults();
        assertTrue(faults.stream().anyMatch(one -> one.contains(fault)), faults::toString);
    }
}
