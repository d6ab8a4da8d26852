package org.bloomgate.decision.authentication;

/// The authentication of a message's sender, and for which parts of the message it holds.
///
/// @param covered what is authenticated
public record AuthenticationOutcome(Authentication authentication, Covered covered) {

    /// The parts of a message for which each name is authenticated.
    ///
    /// @param mailFrom for the reverse-path
    /// @param from for the address in From
    /// @param brand for one of the domains of a brand
    public record Covered(Coverage mailFrom, Coverage from, Coverage brand) {
        public static final Covered NOTHING = new Covered(Coverage.NOTHING, Coverage.NOTHING, Coverage.NOTHING);
        public static final Covered EVERYTHING =
                new Covered(Coverage.EVERYTHING, Coverage.EVERYTHING, Coverage.EVERYTHING);
    }
}
