package org.bloomgate.app.gateway.options;

import java.nio.file.Path;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.decision.reports.AutomaticListing;

/// The `reports` section of the configuration.
///
/// @param auto when an identifier is listed without an operator
/// @param folder of the reports
public record ReportsOptions(
        AutomaticListing.Options auto, @NotASetting Path folder) {

    /// @param state folder of all state
    public static ReportsOptions defaults(Path state) {
        return new ReportsOptions(AutomaticListing.Options.defaults(), state.resolve("reports"));
    }
}
