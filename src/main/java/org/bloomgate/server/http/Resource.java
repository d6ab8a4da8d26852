package org.bloomgate.server.http;

import java.io.IOException;

/// Answers the requests of a [Route]. Thread-safe.
@FunctionalInterface
public interface Resource {
    String JSON = "application/json";

    /// Answers a request whose caller meets the requirement of the route.
    ///
    /// @throws ProblemException if the request is invalid
    /// @throws IOException if a file cannot be read or written, or the connection fails
    Answer answer(Request request) throws IOException;
}
