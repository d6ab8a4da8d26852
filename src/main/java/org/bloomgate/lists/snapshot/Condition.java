package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;

/// What is wrong with a part of the program at present, for example a snapshot that was not adopted.
///
/// @param subject the layer, or a name such as `folder journal.directory`
/// @param layer that it is about; empty if it is about another part
/// @param generation of the layer that is not as it should be; empty if it is not about a single one, and if the
///     pointer of the layer is unreadable
/// @param since when it began
public record Condition(String subject, String layer, String generation, String reason, Instant since) {

    /// A condition that is about no layer.
    public static Condition of(String subject, String reason, Instant since) {
        return new Condition(subject, "", "", reason, since);
    }

    /// The text for people, without the time.
    String describe() {
        return subject + (generation.isEmpty() ? "" : "/" + generation) + ": " + reason;
    }

    /// The same with the generation of the layer that is in force, and since when: that of the condition, another
    /// one or none.
    ///
    /// @param inForce the layers in force
    public String describe(List<LayerStatus> inForce) {
        if (layer.isEmpty()) {
            return describe();
        }
        String effect = inForce.stream()
                .filter(status -> status.layer().equals(layer))
                .findFirst()
                .map(this::describeEffect)
                .orElse("no snapshot of " + layer + " is in force");
        return describe() + " (" + effect + ")";
    }

    private String describeEffect(LayerStatus current) {
        String since = " in force since " + current.adoptedAt().truncatedTo(ChronoUnit.SECONDS);
        String name = layer + "/" + current.generation();
        if (current.generation().equals(generation)) {
            return name + " is" + since;
        }
        return (generation.isEmpty() ? "" : "not adopted; ") + name + " stays" + since;
    }
}
