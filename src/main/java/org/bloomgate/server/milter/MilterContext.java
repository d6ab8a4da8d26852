package org.bloomgate.server.milter;

import org.bloomgate.server.spool.MessageContext;

/// The configuration and services of a message, fixed when it begins. All components are thread-safe.
record MilterContext(MilterSettings settings, MessageContext messages, MilterMetrics metrics) {}
