package org.bloomgate.decision.authentication;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import org.bloomgate.core.text.TextForms;

/// Whether the sender that a message names is authenticated; as JSON, the object `authentication` of `scan --json`,
/// `/v1/messages` and the decision journal. It contains no text of the message but the name.
///
/// @param name the domain that was to be authenticated
/// @param in where the message names it: `header:From`, `envelope`, or `brand` for the name of a brand in From; empty
///     if nothing was authenticated
/// @param mechanism that authenticated it: `login`, `results`, `dkim` or `spf`; empty unless it passes
/// @param domain that the mechanism authenticated; empty unless it passes
/// @param reason results of the mechanisms that did not suffice, for example `dkim=none,spf=softfail`; empty if it
///     passes
/// @param queries made for this message, those answered from the cache included
@JsonPropertyOrder({"name", "in", "result", "mechanism", "domain", "reason", "queries"})
public record Authentication(
        String name, String in, Result result, String mechanism, String domain, String reason, int queries) {

    /// The result of all mechanisms together.
    public enum Result {
        PASS,
        FAIL,
        /// A query failed or reached a bound, and nothing else proves the name.
        UNKNOWN,
        /// Not needed: the exception that counts requires no authenticated sender.
        UNAUTHENTICATED;

        @JsonValue
        public String label() {
            return TextForms.lowerCase(name());
        }
    }

    /// For mail that an unauthenticated exception of the sender lets through.
    public static Authentication notNeeded(String sender) {
        return new Authentication(sender, "", Result.UNAUTHENTICATED, "", "", "", 0);
    }

    /// For the log: `dkim:partner.example`, `fail:dkim=none,spf=fail`.
    public String text() {
        return switch (result) {
            case PASS -> mechanism + ":" + domain;
            case FAIL, UNKNOWN -> result.label() + ":" + reason;
            case UNAUTHENTICATED -> result.label();
        };
    }
}
