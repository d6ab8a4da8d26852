package org.bloomgate.server.smtp;

import org.bloomgate.decision.policy.PolicyOverrides;

/// All that the configuration says of one listener.
///
/// @param name of the section: `smtp` or `smtp.listeners.NAME`
/// @param options what it inherits included
/// @param submission whether users of the site hand mail over there
record ListenerSection(String name, RelayOptions options, boolean submission, PolicyOverrides policy) {}
