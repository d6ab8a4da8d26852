package org.bloomgate.judge;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.policy.Ruling;

/// What is known of one message; as JSON the object of `scan --json` and `/v1/messages`.
///
/// @param file name the message was given by, `-` for a stream
/// @param verdict `clean`, `listed` or `unresolved`
/// @param action word of what the policy would do
/// @param identifiers everything found that could be listed, in order of the message
/// @param limits names of the limits reached, in alphabetical order; empty means fully inspected
/// @param judgement the findings behind the verdict, with their listings; not part of the JSON
/// @param ruling why the action; not part of the JSON
/// @param generation that was asked, empty when there is none; not part of the JSON
@JsonPropertyOrder({"file", "verdict", "action", "identifiers", "limits"})
public record ScanResult(
        String file,
        String verdict,
        String action,
        List<Identified> identifiers,
        List<String> limits,
        @JsonIgnore Judgement judgement,
        @JsonIgnore Ruling ruling,
        @JsonIgnore String generation) {

    public ScanResult {
        identifiers = List.copyOf(identifiers);
        limits = List.copyOf(limits);
    }

    /// One identifier of the message.
    ///
    /// @param kind label of its kind
    /// @param value canonical form
    /// @param where the place it stood at
    /// @param verdict on this identifier alone
    @JsonPropertyOrder({"kind", "value", "where", "verdict"})
    public record Identified(String kind, String value, String where, String verdict) {}
}
