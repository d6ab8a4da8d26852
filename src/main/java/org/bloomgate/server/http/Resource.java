package org.bloomgate.server.http;

import java.io.IOException;

/// One resource of the service. Thread-safe.
public interface Resource {
    String JSON = "application/json";

    Route route();

    /// Called before query and body are read: a client without access learns only that.
    ///
    /// @throws ProblemException when the caller may not
    default void admit(Request request) {}

    /// @throws ProblemException for whatever is wrong with the request
    /// @throws IOException only when the connection fails
    Answer answer(Request request) throws IOException;
}
