package org.bloomgate.server.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.config.Setting;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.decision.reports.Reports;
import org.bloomgate.lists.mirror.MemoryExchange;
import org.bloomgate.lists.report.ReportSource;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MessageSpool;

/// The parts of the running service that the resources use.
public record Services(Lookups lookups, Messages messages, Lists lists, State state) {

    /// @param layers the current layers with the entries of operators
    /// @param reports with the gates for new listings
    public record Lookups(LiveEntries layers, ValueCheck values, Reports reports) {
        ListingGates gates() {
            return reports.gates();
        }
    }

    /// @param records of messages
    /// @param spools for messages that may be read twice
    /// @param exchange with a group of gateways; empty without one
    public record Messages(
            MessageScan scan,
            MailRecords records,
            Supplier<MessageSpool> spools,
            QuarantineService quarantine,
            Supplier<Optional<MemoryExchange>> exchange) {}

    /// @param snapshots root folder of the snapshots, whose files are served
    /// @param history of the rebuilds on this machine
    /// @param changes starts rebuilds and rollbacks
    /// @param reports on the use of feeds
    /// @param exports that may leave this site
    public record Lists(
            Path snapshots, RebuildHistory history, LayerChanges changes, ReportSource reports, ExportCopies exports) {}

    /// @param status of the layers
    /// @param settings of the current configuration
    /// @param auditLog of changes by operators
    public record State(
            Supplier<LiveStatus> status, GatewayMetrics metrics, Supplier<List<Setting>> settings, AuditLog auditLog) {}
}
