package org.bloomgate.decision.journal;

import java.util.Map;

/// An argument of a line of the log that a log for machines takes apart. A log for people never asks for the facts.
public interface LogFacts {
    /// Values by the name of their field.
    Map<String, Object> facts();
}
