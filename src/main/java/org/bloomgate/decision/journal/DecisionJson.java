package org.bloomgate.decision.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.journal.Decision.Found;
import org.bloomgate.lookup.tier.FilterHits;

/// Writes the fields of a decision one by one, with the same result as Jackson by reflection: a line is written
/// for each message, and reflection takes several times as long. Fields that Jackson omits when empty are
/// omitted here.
final class DecisionJson {
    private final JsonGenerator out;

    DecisionJson(JsonGenerator out) {
        this.out = out;
    }

    void write(Decision decision) throws IOException {
        out.writeStartObject();
        out.writeStringField("time", decision.time().toString());
        out.writeStringField("token", decision.token());
        out.writeStringField("client", decision.client());
        out.writeStringField("helo", decision.helo());
        out.writeStringField("tls", decision.tls());
        out.writeStringField("mailFrom", decision.mailFrom());
        texts("recipients", decision.recipients());
        texts("refused", decision.refused());
        textUnlessEmpty("messageId", decision.messageId());
        textUnlessEmpty("subject", decision.subject());
        textUnlessEmpty("from", decision.from());
        out.writeNumberField("sizeBytes", decision.sizeBytes());
        out.writeNumberField("keys", decision.keys());
        out.writeNumberField("suspects", decision.suspects());
        found(decision.found());
        texts("limits", decision.limits());
        filters(decision.filters());
        if (!decision.notes().isEmpty()) {
            texts("notes", decision.notes());
        }
        outcome(decision);
        out.writeEndObject();
    }

    private void outcome(Decision decision) throws IOException {
        out.writeStringField("verdict", decision.verdict());
        out.writeStringField("action", decision.action());
        out.writeStringField("enforced", decision.enforced());
        textUnlessEmpty("feed", decision.feed());
        textUnlessEmpty("category", decision.category());
        textUnlessEmpty("value", decision.value());
        if (!decision.would().isEmpty()) {
            out.writeObjectFieldStart("would");
            for (Map.Entry<String, String> feed : decision.would().entrySet()) {
                out.writeStringField(feed.getKey(), feed.getValue());
            }
            out.writeEndObject();
        }
        out.writeStringField("reply", decision.reply());
        out.writeStringField("nextHopReply", decision.nextHopReply());
        textUnlessEmpty("nextHopId", decision.nextHopId());
        out.writeStringField("snapshot", decision.snapshot());
        out.writeObjectFieldStart("millis");
        for (Map.Entry<String, Double> stage : decision.millis().entrySet()) {
            out.writeNumberField(stage.getKey(), stage.getValue());
        }
        out.writeEndObject();
        if (decision.authentication().isPresent()) {
            authentication(decision.authentication().get());
        }
    }

    private void authentication(Authentication sender) throws IOException {
        out.writeObjectFieldStart("authentication");
        out.writeStringField("name", sender.name());
        out.writeStringField("in", sender.in());
        out.writeStringField("result", sender.result().label());
        out.writeStringField("mechanism", sender.mechanism());
        out.writeStringField("domain", sender.domain());
        out.writeStringField("reason", sender.reason());
        out.writeNumberField("queries", sender.queries());
        out.writeEndObject();
    }

    private void found(List<Found> all) throws IOException {
        out.writeArrayFieldStart("found");
        for (Found found : all) {
            out.writeStartObject();
            out.writeStringField("kind", found.kind());
            out.writeStringField("value", found.value());
            out.writeStringField("where", found.where());
            out.writeStringField("verdict", found.verdict());
            out.writeStringField("key", found.key());
            textUnlessEmpty("keyKind", found.keyKind());
            out.writeStringField("feed", found.feed());
            out.writeStringField("category", found.category());
            if (found.firstSeen().isPresent()) {
                out.writeStringField("firstSeen", found.firstSeen().get().toString());
            }
            textUnlessEmpty("exception", found.exception());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void filters(List<FilterHits> uses) throws IOException {
        if (uses.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart("filters");
        for (FilterHits use : uses) {
            out.writeStartObject();
            out.writeStringField("filter", use.filter());
            out.writeNumberField("suspects", use.suspects());
            out.writeNumberField("refuted", use.refuted());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void texts(String name, List<String> texts) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }

    private void textUnlessEmpty(String name, String text) throws IOException {
        if (!text.isEmpty()) {
            out.writeStringField(name, text);
        }
    }
}
