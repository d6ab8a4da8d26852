package org.bloomgate.app.gateway.options;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.decision.evaluation.ReportAddresses;
import org.bloomgate.decision.reports.AutomaticListing;

/// The `reports` section of the configuration.
///
/// @param addresses to which people of the site report messages
/// @param feedback networks of providers that send feedback reports (RFC 5965) to these addresses
/// @param auto when an identifier is listed without an operator
/// @param folder of the reports
public record ReportsOptions(
        List<String> addresses,
        List<Network> feedback,
        AutomaticListing.Options auto,
        @NotASetting Path folder) {

    public ReportsOptions {
        addresses = List.copyOf(addresses);
        feedback = List.copyOf(feedback);
        if (addresses.stream().anyMatch(address -> MailAddress.parse(address).isEmpty())) {
            throw new IllegalArgumentException("addresses: each must be of the form name@domain");
        }
    }

    /// @param state folder of all state
    public static ReportsOptions defaults(Path state) {
        return new ReportsOptions(List.of(), List.of(), AutomaticListing.Options.defaults(), state.resolve("reports"));
    }

    /// @param domains of the users of the site
    public ReportAddresses toAddresses(Set<String> domains) {
        return new ReportAddresses(Set.copyOf(addresses), feedback, domains);
    }
}
