package org.bloomgate.http;

import java.io.IOException;

/// One resource of the service. Thread-safe.
interface Resource {
    String JSON = "application/json";

    Route route();

    /// @throws ProblemException for whatever is wrong with the request
    /// @throws IOException only when the connection fails
    Answer answer(Request request) throws IOException;
}
