package org.bloomgate.hook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.bloomgate.envelope.Reply;
import org.bloomgate.hook.HookMail.Dialect;
import org.bloomgate.transit.TagFields.Field;
import org.bloomgate.web.Answer;

/// What a mail server is to do with a mail, in the words of a hook.
///
/// @param word the action: accept, reject, discard or quarantine
/// @param reply to the client, of a mail that is rejected, for good or for now
record HookAnswer(String word, Optional<Reply> reply, HookEdits edits) {
    private static final String ACCEPT = "accept";
    private static final String HEADERS = "/message/headers";

    static HookAnswer accepted(HookEdits edits) {
        return new HookAnswer(ACCEPT, Optional.empty(), edits);
    }

    static HookAnswer quarantined(HookEdits edits) {
        return new HookAnswer("quarantine", Optional.empty(), edits);
    }

    static HookAnswer discarded() {
        return new HookAnswer("discard", Optional.empty(), HookEdits.NONE);
    }

    static HookAnswer rejected(Reply reply) {
        return new HookAnswer("reject", Optional.of(reply), HookEdits.NONE);
    }

    boolean letsThrough() {
        return word.equals(ACCEPT);
    }

    /// As a journal has it.
    String text() {
        return reply.map(Reply::text).orElse(word);
    }

    Answer in(Dialect dialect) {
        return switch (dialect) {
            case DRAFT -> letsThrough() && edits.isEmpty() ? Answer.empty(204) : Answer.json(patches());
            case STALWART -> Answer.json(modifications());
        };
    }

    /// Of the draft, carried out in this order: what is set in the mail that the request told of, what is added to it,
    /// and what is deleted then.
    @JsonPropertyOrder({"set", "add", "delete"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Patches(List<Assignment> set, List<Addition> add, List<Deletion> delete) {}

    @JsonPropertyOrder({"path", "value"})
    private record Assignment(String path, Object value) {}

    @JsonPropertyOrder({"path", "value", "index"})
    private record Addition(String path, Field value, int index) {}

    private record Deletion(String path) {}

    @JsonPropertyOrder({"code", "enhancedCode", "message"})
    private record Response(int code, String enhancedCode, String message) {}

    private Patches patches() {
        List<Assignment> set = new ArrayList<>();
        if (!letsThrough()) {
            set.add(new Assignment("/action", word));
        }
        reply.ifPresent(said -> set.add(new Assignment("/response", response(said))));
        edits.changed()
                .ifPresent(change ->
                        set.add(new Assignment(HEADERS + "/" + change.place().index() + "/value", change.value())));
        return new Patches(set, additions(), deletions());
    }

    /// What is added last stands first.
    private List<Addition> additions() {
        return edits.added().reversed().stream()
                .map(field -> new Addition(HEADERS, field, 0))
                .toList();
    }

    /// From the last one up, so that none moves before its turn.
    private List<Deletion> deletions() {
        int moved = edits.added().size();
        return edits.deleted().reversed().stream()
                .map(place -> new Deletion(HEADERS + "/" + (place.index() + moved)))
                .toList();
    }

    private static Response response(Reply said) {
        String[] line = said.lines().getFirst().split(" ", 2);
        return new Response(said.code(), line[0], line[1]);
    }

    /// Of Stalwart's hooks of before.
    @JsonPropertyOrder({"action", "response", "modifications"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Modifications(String action, Optional<Status> response, List<Modification> modifications) {}

    @JsonPropertyOrder({"status", "enhancedStatus", "message"})
    private record Status(int status, String enhancedStatus, String message) {}

    /// @param index among the fields of its name, from 1
    @JsonPropertyOrder({"type", "index", "name", "value"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Modification(String type, OptionalInt index, String name, Optional<String> value) {}

    private Modifications modifications() {
        List<Modification> all = new ArrayList<>();
        edits.deleted()
                .reversed()
                .forEach(place -> all.add(new Modification(
                        "deleteHeader", OptionalInt.of(place.ofName()), place.name(), Optional.empty())));
        edits.changed()
                .ifPresent(change -> all.add(new Modification(
                        "changeHeader",
                        OptionalInt.of(change.place().ofName()),
                        change.place().name(),
                        Optional.of(change.value()))));
        // beside other edits each goes on top when its turn comes, alone they are put there as they stand
        List<Field> added = all.isEmpty() ? edits.added() : edits.added().reversed();
        added.forEach(field ->
                all.add(new Modification("addHeader", OptionalInt.empty(), field.name(), Optional.of(field.value()))));
        return new Modifications(
                word,
                reply.map(HookAnswer::response)
                        .map(said -> new Status(said.code(), said.enhancedCode(), said.message())),
                all);
    }
}
