package org.bloomgate.decision.reports;

/// A recipient of the site, proven by login or by aligned DKIM or SPF, or a provider in `reports.feedback`.
///
/// @param mailbox canonical; empty for a provider, which is never counted
/// @param clientNetwork of the client that sent the report, as of [org.bloomgate.base.net.Network#ofClient]
public record Reporter(String mailbox, String clientNetwork) {}
