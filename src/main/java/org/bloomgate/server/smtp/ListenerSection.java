package org.bloomgate.server.smtp;

import org.bloomgate.decision.policy.PolicyOverrides;

/// The complete configuration of one listener.
///
/// @param name of the section: `smtp` or `smtp.listeners.NAME`
/// @param options including the inherited ones
/// @param submission whether users of the site submit messages there
record ListenerSection(String name, RelayOptions options, boolean submission, PolicyOverrides policy) {}
