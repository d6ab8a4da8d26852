package org.bloomgate.decision.authentication;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lookup.tier.SenderNames;

/// A message whose sender is to be authenticated.
///
/// @param names to be authenticated; an empty one is not
/// @param brandDomains of which one is to be authenticated, whatever the message names as its sender; may be empty
/// @param mailFrom the reverse-path as received; empty for the null reverse-path
/// @param suffixes by which domains are aligned
/// @param rereading of a body whose reading is not signed; used only if the decision depends on it
public record AuthenticationRequest(
        SenderNames names,
        List<String> brandDomains,
        String mailFrom,
        Client client,
        PublicSuffixes suffixes,
        MessageSource message,
        Rereading rereading) {

    /// The client that sends the message.
    ///
    /// @param address empty if unknown
    /// @param helo the name it gave, for the macros of SPF records
    /// @param loggedIn whether it has logged in
    /// @param results whose Authentication-Results fields count
    public record Client(Optional<InetAddress> address, String helo, boolean loggedIn, ResultsSource results) {}

    /// Reads a body again in other ways.
    public interface Rereading {
        /// Returns the listed identifiers of the body that are in each of the readings, which are at least one.
        Set<Identifier> findInAll(List<MessageSource> readings) throws IOException;
    }
}
