package org.bloomgate.server.http;

import java.io.IOException;

/// One resource of the service. Thread-safe.
public interface Resource {
    String JSON = "application/json";

    Route route();

    /// Answers a request whose caller meets the requirement of the route.
    ///
    /// @throws ProblemException if the request is invalid
    /// @throws IOException only if the connection fails
    Answer answer(Request request) throws IOException;
}
