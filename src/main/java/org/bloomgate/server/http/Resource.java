package org.bloomgate.server.http;

import java.io.IOException;

/// One resource of the service. Thread-safe.
public interface Resource {
    String JSON = "application/json";

    Route route();

    /// Called for callers that meet the requirement of the route.
    ///
    /// @throws ProblemException for whatever is wrong with the request
    /// @throws IOException only when the connection fails
    Answer answer(Request request) throws IOException;
}
