package org.bloomgate.http;

import java.util.List;

/// What may be sent to a resource.
///
/// @param methods that it takes; none: every one
/// @param path with the names of its parameters in braces
/// @param mediaTypes of the body of a `POST`, the one to recommend first; none for a resource without a body
/// @param maxBodyBytes bound of the body
record Route(List<String> methods, String path, List<String> mediaTypes, long maxBodyBytes) {
    Route {
        methods = List.copyOf(methods);
        mediaTypes = List.copyOf(mediaTypes);
    }

    static Route get(String path) {
        return new Route(List.of("GET", "HEAD"), path, List.of(), 0);
    }

    /// For pages of any origin: a browser asks with `OPTIONS` first.
    static Route getAcrossOrigins(String path) {
        return new Route(List.of("GET", "HEAD", "OPTIONS"), path, List.of(), 0);
    }

    static Route post(String path, List<String> mediaTypes, long maxBodyBytes) {
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
