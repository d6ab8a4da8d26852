package org.bloomgate.decision.journal;

import java.util.Map;

/// An argument of a log line that the JSON log writes as fields. The text log uses only its text.
public interface LogFields {
    /// Values by the name of their field.
    Map<String, Object> fields();
}
