package org.bloomgate.decision.memory;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.LocalDate;
import java.util.Optional;

/// A sender that no recipient has received mail from.
///
/// @param firstContact label of a [FirstContact]
/// @param domainFirstSeen first day of the slot in which the site first received mail from its domain; empty if it
/// never did
public record NewSender(
        String firstContact,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<LocalDate> domainFirstSeen) {

    String text() {
        return "first contact: " + firstContact
                + domainFirstSeen.map(day -> ", domain first seen " + day).orElse("");
    }
}
