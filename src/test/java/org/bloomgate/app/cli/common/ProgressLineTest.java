package org.bloomgate.app.cli.common;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.bloomgate.lists.layer.RebuildStage;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final List<String> drawn = Collections.synchronizedList(new ArrayList<>());

    private String draw(long done, long total) {
        drawn.clear();
        ProgressBarBuilder terminal = new ProgressBarBuilder()
                .setTaskName("nightly")
                .setConsumer(new DelegatingProgressBarConsumer(drawn::add, 100));
        try (ProgressLine.Bar bar = new ProgressLine.Bar(terminal)) {
            bar.begin(RebuildStage.READ, "");
            bar.advance(done, total);
        }
        return drawn.getLast();
    }

    @Test
    void unknownTotal_isNotDrawnAsQuestionMark() {
        assertTrue(draw(120, -1).contains("] 120 ("), drawn::toString);
        assertFalse(drawn.toString().contains("120/"), drawn::toString);
        assertTrue(draw(120, 240).contains("50%"), drawn::toString);
        assertTrue(drawn.getLast().contains("120/240"), drawn::toString);
    }
}
