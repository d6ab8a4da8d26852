package org.bloomgate.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.wire.LookupReply.Statement;

/// What `/v1/prefix` answers: all that a layer lists of one kind whose hashes begin alike. Who asked looks for his key
/// at home.
///
/// @param generation of the layer that the page is of; empty beside a reason
/// @param statements each once, whatever number of candidates has it
/// @param candidates by [HashedKey#hex] the positions of their statements
/// @param reason why there is no page, in a word of `/v1/lookup`
/// @param padding makes the length of the answer tell little of the page
@JsonPropertyOrder({"generation", "statements", "candidates", "reason", "padding"})
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record PrefixPage(
        Optional<String> generation,
        List<Statement> statements,
        Map<String, List<Integer>> candidates,
        Optional<String> reason,
        String padding) {
    /// Followed by layer, kind and [HashPrefix].
    public static final String PATH = "/v1/prefix/";

    /// Of one page. A thousand million keys have 15,000 a page.
    public static final int MAX_CANDIDATES = 32_768;

    /// Of an answer; what has more is no page.
    public static final int MAX_BYTES = 4 << 20;

    /// Of which the length of every answer is a multiple.
    public static final int BLOCK_BYTES = 1024;

    public PrefixPage {
        Objects.requireNonNull(padding, "padding");
        statements = List.copyOf(statements);
        for (List<Integer> positions : candidates.values()) {
            if (positions.isEmpty()) {
                throw new IllegalArgumentException("a candidate without a statement");
            }
            for (int position : positions) {
                Objects.checkIndex(position, statements.size());
            }
        }
    }

    public static PrefixPage of(
            String generation, List<Statement> statements, SequencedMap<String, List<Integer>> candidates) {
        return new PrefixPage(Optional.of(generation), statements, candidates, Optional.empty(), "");
    }

    public static PrefixPage none(String reason) {
        return new PrefixPage(Optional.empty(), List.of(), Map.of(), Optional.of(reason), "");
    }

    /// The same, longer by so many octets.
    public PrefixPage padded(int octets) {
        return new PrefixPage(generation, statements, candidates, reason, ".".repeat(octets));
    }

    /// Where it is asked for.
    public static String path(String layer, KeyKind kind, HashPrefix prefix) {
        return PATH + layer + '/' + kind.label() + '/' + prefix.digits();
    }

    /// What is said of the key; nothing when it is not among the candidates.
    public List<Statement> of(Key key) {
        List<Integer> positions = candidates.get(HashedKey.hex(HashedKey.of(key)));
        return positions == null
                ? List.of()
                : positions.stream().map(statements::get).toList();
    }
}
