package org.bloomgate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Optional;
import org.bloomgate.envelope.Reply;
import org.bloomgate.http.HookMail.Dialect;
import org.bloomgate.transit.TagFields;

/// What a mail server is to do with a mail, in the words of a hook.
///
/// @param word the action: accept, reject, discard or quarantine
/// @param reply to the client, of a mail that is rejected, for good or for now
/// @param fields to put on top
record HookAnswer(String word, Optional<Reply> reply, List<TagFields.Field> fields) {
    private static final String ACCEPT = "accept";

    HookAnswer {
        fields = List.copyOf(fields);
    }

    static HookAnswer accepted(List<TagFields.Field> fields) {
        return new HookAnswer(ACCEPT, Optional.empty(), fields);
    }

    static HookAnswer quarantined(List<TagFields.Field> fields) {
        return new HookAnswer("quarantine", Optional.empty(), fields);
    }

    static HookAnswer discarded() {
        return new HookAnswer("discard", Optional.empty(), List.of());
    }

    static HookAnswer rejected(Reply reply) {
        return new HookAnswer("reject", Optional.of(reply), List.of());
    }

    /// As a journal has it.
    String text() {
        return reply.map(Reply::text).orElse(word);
    }

    Answer in(Dialect dialect) {
        return switch (dialect) {
            case DRAFT -> changesNothing() ? Answer.empty(204) : Answer.json(edits());
            case STALWART -> Answer.json(modifications());
        };
    }

    private boolean changesNothing() {
        return word.equals(ACCEPT) && fields.isEmpty();
    }

    /// Of the draft: what is set in the mail that the request told of, and what is added to it.
    @JsonPropertyOrder({"set", "add"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Edits(List<Assignment> set, List<Addition> add) {}

    @JsonPropertyOrder({"path", "value"})
    private record Assignment(String path, Object value) {}

    @JsonPropertyOrder({"path", "value", "index"})
    private record Addition(String path, TagFields.Field value, int index) {}

    @JsonPropertyOrder({"code", "enhancedCode", "message"})
    private record Response(int code, String enhancedCode, String message) {}

    /// What is added last stands first.
    private Edits edits() {
        List<Addition> added = fields.reversed().stream()
                .map(field -> new Addition("/message/headers", field, 0))
                .toList();
        if (word.equals(ACCEPT)) {
            return new Edits(List.of(), added);
        }
        Assignment action = new Assignment("/action", word);
        return new Edits(
                reply.map(said -> List.of(action, new Assignment("/response", response(said))))
                        .orElse(List.of(action)),
                added);
    }

    private static Response response(Reply said) {
        String[] line = said.lines().getFirst().split(" ", 2);
        return new Response(said.code(), line[0], line[1]);
    }

    /// Of Stalwart's hooks of before.
    @JsonPropertyOrder({"action", "response", "modifications"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Modifications(String action, Optional<Status> response, List<AddHeader> modifications) {}

    @JsonPropertyOrder({"status", "enhancedStatus", "message"})
    private record Status(int status, String enhancedStatus, String message) {}

    @JsonPropertyOrder({"type", "name", "value"})
    private record AddHeader(String type, String name, String value) {}

    private Modifications modifications() {
        return new Modifications(
                word,
                reply.map(HookAnswer::response)
                        .map(said -> new Status(said.code(), said.enhancedCode(), said.message())),
                fields.stream()
                        .map(field -> new AddHeader("addHeader", field.name(), field.value()))
                        .toList());
    }
}
