package org.bloomgate.server.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The requests that a resource accepts.
///
/// @param methods that it takes; none: every one
/// @param path with the names of its parameters in braces
/// @param mediaTypes of the body of a `POST`, the one to recommend first; none for a resource without a body
/// @param maxBodyBytes bound of the body
/// @param parameters that the query may have; another one is refused, as who sends it means something by it
public record Route(
        List<String> methods,
        String path,
        List<String> mediaTypes,
        long maxBodyBytes,
        Optional<Set<String>> parameters) {
    public Route {
        methods = List.copyOf(methods);
        mediaTypes = List.copyOf(mediaTypes);
        parameters = parameters.map(Set::copyOf);
    }

    /// Takes any query.
    public Route(List<String> methods, String path, List<String> mediaTypes, long maxBodyBytes) {
        this(methods, path, mediaTypes, maxBodyBytes, Optional.empty());
    }

    /// The same, with these parameters in its query and no other.
    public Route with(String... names) {
        return new Route(methods, path, mediaTypes, maxBodyBytes, Optional.of(Set.of(names)));
    }

    public static Route get(String path) {
        return new Route(List.of("GET", "HEAD"), path, List.of(), 0);
    }

    /// For pages of any origin: a browser sends `OPTIONS` first.
    public static Route getAcrossOrigins(String path) {
        return new Route(List.of("GET", "HEAD", "OPTIONS"), path, List.of(), 0);
    }

    public static Route post(String path, List<String> mediaTypes, long maxBodyBytes) {
        return new Route(List.of("POST"), path, mediaTypes, maxBodyBytes);
    }

    boolean takes(String method) {
        return methods.isEmpty() || methods.contains(method);
    }

    /// The value of an `Allow` field.
    String allowed() {
        return String.join(", ", methods);
    }
}
