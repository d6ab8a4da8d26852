package org.bloomgate.lists.layer;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.bloomgate.base.io.OwnJson;
import org.bloomgate.core.key.KeyKind;

/// A [RebuildReport] as one JSON object on one line: the names are those of the record components, constants
/// are written as their labels, absent values as null.
public final class ReportJson {
    private static final JsonMapper JSON = OwnJson.MAPPER
            .rebuild()
            .addMixIn(KeyKind.class, ByLabel.class)
            .addMixIn(RebuildStage.class, ByLabel.class)
            .addMixIn(RebuildOutcome.class, ByLabel.class)
            .addMixIn(FeedReport.From.class, ByLabel.class)
            .build();

    private interface ByLabel {
        @JsonValue
        String label();
    }

    private ReportJson() {}

    public static String of(RebuildReport report) {
        try {
            return JSON.writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("report of layer " + report.layer(), e);
        }
    }
}
